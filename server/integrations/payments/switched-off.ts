import type { CardPayments } from './card-payments.ts'

const reason = 'card payment is switched off'

/** For a shop without card payments: rejects every payment without a network call. */
export const cardSwitchedOff: CardPayments = {
  publicKey: '',
  initialize: async () => ({ outcome: 'rejected', reason }),
  verify: async () => ({ outcome: 'unknown', reason }),
  readWebhook: () => null,
  readDispute: () => null,
  readRefund: () => null,
}
