import type { AirtimeOperator } from '../shared/airtime.ts'
import type { SupplierName } from '../shared/suppliers.ts'
import { selectWebhookSecret } from './features/orders/orders/deliveries.sql.ts'
import type { ResetMail } from './features/people/auth/send-password-resets.ts'
import { createMailer, type Mailer } from './integrations/mail/mailer.ts'
import type { CardGateway } from './integrations/payments/card-gateway.ts'
import { createPaystack } from './integrations/payments/paystack.ts'
import { createPaystackPayouts } from './integrations/payments/paystack-payouts.ts'
import { createPaystackRefunds } from './integrations/payments/paystack-refunds.ts'
import { cardSwitchedOff, payoutsSwitchedOff, refundsSwitchedOff } from './integrations/payments/switched-off.ts'
import { createArkesel } from './integrations/sms/arkesel.ts'
import { createMnotify } from './integrations/sms/mnotify.ts'
import type { SmsGateway } from './integrations/sms/sms-gateway.ts'
import type { SmsSender } from './integrations/sms/sms-sender.ts'
import type { DataSupplier } from './integrations/supplier/data-supplier.ts'
import { createDatamart } from './integrations/supplier/datamart.ts'
import { createHubnet } from './integrations/supplier/hubnet.ts'
import { createReloadly } from './integrations/supplier/reloadly.ts'
import { createRemadata } from './integrations/supplier/remadata.ts'
import type { SupplierGateway, Suppliers } from './integrations/supplier/suppliers.ts'
import { createCloudApi } from './integrations/whatsapp/cloud-api.ts'
import type { WhatsappGateway } from './integrations/whatsapp/whatsapp-gateway.ts'
import type { Config } from './platform/config.ts'
import type { Db } from './platform/db.ts'

/** The simulators' addresses and keys; in a sandbox they replace services that are not configured. */
export type Simulators = {
  cardProvider: { baseUrl: string; secretKey: string; publicKey: string }
  mail: { smtpUrl: string }
  supplier: Record<SupplierName, { baseUrl: string; key: string }>
  airtime: { clientId: string; operatorIds: Partial<Record<AirtimeOperator, number>> }
  sms: Record<'arkesel' | 'mnotify', { baseUrl: string; apiKey: string }>
  whatsapp: NonNullable<Config['whatsapp']>
}

export type Outside = {
  gateway: CardGateway
  resetMail: ResetMail
  supplierGateway: SupplierGateway
  smsGateway: SmsGateway
  whatsappGateway: WhatsappGateway
  close(): void
}

/** Chooses the adapters for outside services: the configured ones, or the simulators in a sandbox. */
export function chooseOutside(config: Config, publicUrl: () => string, simulators: Simulators | null, db: Db): Outside {
  const mailer = chooseMailer(config, simulators)
  return {
    gateway: { ...chooseCard(config, publicUrl, simulators), isTest: config.mode === 'sandbox' },
    resetMail: {
      mailer,
      publicUrl,
      // Read anew for each mail: the owner changes them while the shop runs.
      get shopName() {
        return config.shop.name
      },
      get shopPhone() {
        return config.shop.phone
      },
      get shopEmail() {
        return config.shop.email
      },
      dailyCap: config.mailDailyCap,
    },
    supplierGateway: { suppliers: chooseSuppliers(config, publicUrl, simulators, db), timings: config.timings.supplier },
    smsGateway: {
      sender: chooseSmsSender(config, simulators),
      get shopName() {
        return config.shop.name
      },
      get shopPhone() {
        return config.shop.phone
      },
      timings: config.timings.sms,
    },
    whatsappGateway: chooseWhatsapp(config, publicUrl, simulators),
    close: () => mailer.close(),
  }
}

function chooseSuppliers({ supplier, timings }: Config, publicUrl: () => string, simulators: Simulators | null, db: Db): Suppliers {
  const suppliers = new Map<SupplierName, DataSupplier>()
  if (!supplier) return suppliers
  const how = { callsPerMinute: supplier.callsPerMinute, timeoutMs: timings.supplier.timeoutMs }
  const reach = (name: SupplierName) => {
    const { baseUrl, key } = supplier[name]
    const isGiven = Object.values(supplier).some((given) => typeof given === 'object' && given.key !== undefined)
    if (key !== undefined) return { baseUrl, key }
    // With a real supplier configured, the simulated ones are left out.
    return isGiven || !simulators ? null : { baseUrl: simulators.supplier[name].baseUrl, key: simulators.supplier[name].key }
  }
  const hubnet = reach('hubnet')
  if (hubnet)
    suppliers.set('hubnet', createHubnet({ ...hubnet, ...how, webhookUrl: () => findWebhookUrl(publicUrl(), hubnet.baseUrl, db) }))
  const remadata = reach('remadata')
  if (remadata) suppliers.set('remadata', createRemadata({ ...remadata, ...how }))
  const datamart = reach('datamart')
  if (datamart) suppliers.set('datamart', createDatamart({ ...datamart, ...how }))
  const airtime = reach('reloadly')
  if (airtime) {
    const { key: given, clientId, callsPerMinute, ...rest } = supplier.reloadly
    const simulated = given === undefined && simulators
    const account = simulated
      ? { ...rest, ...simulators.airtime, authUrl: `${airtime.baseUrl}/oauth/token`, callsPerMinute: how.callsPerMinute }
      : { ...rest, clientId: clientId ?? '', callsPerMinute }
    suppliers.set('reloadly', createReloadly({ ...account, ...airtime, timeoutMs: how.timeoutMs }))
  }
  return suppliers
}

/** Suppliers accept https addresses only; a simulator on this machine also accepts http on localhost. */
async function findWebhookUrl(publicUrl: string, supplierUrl: string, db: Db): Promise<string | null> {
  const isHere = (url: string) => /^http:\/\/(localhost|127\.[0-9.]+)(:|\/|$)/.test(url)
  if (!publicUrl.startsWith('https:') && !(isHere(publicUrl) && isHere(supplierUrl))) return null
  return `${publicUrl}/api/supplier/webhook/${await selectWebhookSecret(db)}`
}

function chooseSmsSender({ sms, timings }: Config, simulators: Simulators | null): SmsSender | null {
  if (!sms) return null
  const { timeoutMs } = timings.sms
  const { provider, baseUrl, apiKey, sender } = sms
  if (apiKey === undefined && !simulators) return null
  const reached = apiKey === undefined ? (simulators as Simulators).sms[provider] : { baseUrl, apiKey }
  const settings = { baseUrl: reached.baseUrl, apiKey: reached.apiKey, sender, timeoutMs }
  return provider === 'mnotify' ? createMnotify(settings) : createArkesel(settings)
}

function chooseWhatsapp(config: Config, publicUrl: () => string, simulators: Simulators | null): WhatsappGateway {
  const reached = config.whatsapp ?? simulators?.whatsapp ?? null
  const { timings, whatsappVersion: version } = config
  return {
    business: reached && createCloudApi({ ...reached, version, timeoutMs: timings.sms.timeoutMs }),
    number: reached?.number ?? '',
    get shopName() {
      return config.shop.name
    },
    publicUrl,
    timings: timings.sms,
  }
}

function chooseCard({ card }: Config, publicUrl: () => string, simulators: Simulators | null): Omit<CardGateway, 'isTest'> {
  const off = { card: cardSwitchedOff, payouts: payoutsSwitchedOff, refunds: refundsSwitchedOff }
  if (!card) return off
  const { secretKey, publicKey } = card
  const isGiven = secretKey !== undefined && publicKey !== undefined
  const reached = isGiven ? { ...card, secretKey, publicKey } : simulators?.cardProvider
  if (!reached) return off
  return {
    card: createPaystack({ ...reached, callbackUrl: `${publicUrl()}/user/history` }),
    payouts: createPaystackPayouts(reached),
    refunds: createPaystackRefunds(reached),
  }
}

function chooseMailer({ mail }: Config, simulators: Simulators | null): Mailer {
  const url = mail?.smtpUrl ?? simulators?.mail.smtpUrl
  if (!mail || url === undefined) return mailSwitchedOff
  return createMailer({ url, from: mail.from })
}

const mailSwitchedOff: Mailer = {
  isOff: true,
  send: async () => ({ outcome: 'rejected', reason: 'mail is switched off' }),
  close: () => {},
}
