import type { ResetMail } from './features/auth/send-password-resets.ts'
import type { CardDesk } from './features/payments/card-desk.ts'
import { createMailer, type Mailer } from './integrations/mail/mailer.ts'
import { createPaystack } from './integrations/payments/paystack.ts'
import { cardSwitchedOff } from './integrations/payments/switched-off.ts'
import type { Config } from './platform/config.ts'

/** Where the simulators of the sandbox listen, and under which keys; they take the place of what is not configured. */
export type Simulators = {
  cardProvider: { baseUrl: string; secretKey: string; publicKey: string }
  mail: { smtpUrl: string }
}

export type Outside = { desk: CardDesk; resetMail: ResetMail; close(): void }

/** Chooses the adapters to the outside services: the operator's, or in the sandbox those of the simulators. */
export function chooseOutside(config: Config, publicUrl: () => string, simulators: Simulators | null): Outside {
  const mailer = chooseMailer(config, simulators)
  return {
    desk: { card: chooseCard(config, publicUrl, simulators), isTest: config.mode === 'sandbox' },
    resetMail: { mailer, publicUrl, shopName: config.shop.name },
    close: () => mailer.close(),
  }
}

function chooseCard({ card }: Config, publicUrl: () => string, simulators: Simulators | null) {
  if (!card) return cardSwitchedOff
  const { secretKey, publicKey } = card
  const callbackUrl = `${publicUrl()}/user/history`
  if (secretKey !== undefined && publicKey !== undefined) return createPaystack({ ...card, secretKey, publicKey, callbackUrl })
  return simulators ? createPaystack({ ...simulators.cardProvider, callbackUrl }) : cardSwitchedOff
}

function chooseMailer({ mail }: Config, simulators: Simulators | null): Mailer {
  const url = mail?.smtpUrl ?? simulators?.mail.smtpUrl
  if (!mail || url === undefined) return mailSwitchedOff
  return createMailer({ url, from: mail.from })
}

const mailSwitchedOff: Mailer = {
  send: async () => ({ outcome: 'rejected', reason: 'mail is switched off' }),
  close: () => {},
}
