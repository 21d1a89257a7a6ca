import type { CardPayments } from './card-payments.ts'

const reason = 'card payment is switched off'

/** A shop without cards: every payment is refused before anything is asked of anyone. */
export const cardSwitchedOff: CardPayments = {
  publicKey: '',
  initialize: async () => ({ outcome: 'rejected', reason }),
  verify: async () => ({ outcome: 'unknown', reason }),
  readWebhook: () => null,
  readDispute: () => null,
  readRefund: () => null,
}
