import type { CardPayments } from './card-payments.ts'
import type { Payouts, RefundsToSource } from './payouts.ts'

const reason = 'card payment is switched off'

/** For a shop without card payments: rejects every payment without a network call. */
export const cardSwitchedOff: CardPayments = {
  publicKey: '',
  isOff: true,
  initialize: async () => ({ outcome: 'rejected', reason }),
  verify: async () => ({ outcome: 'unknown', reason }),
  listPaid: async () => ({ outcome: 'unknown', reason }),
  readWebhook: () => null,
  readDispute: () => null,
  readRefund: () => null,
}

export const payoutsSwitchedOff: Payouts = {
  available: false,
  nameRecipient: async () => ({ outcome: 'unknown', reason }),
  send: async () => ({ outcome: 'refused-for-now', reason }),
  queryStatus: async () => ({ outcome: 'unknown', reason }),
}

export const refundsSwitchedOff: RefundsToSource = {
  available: false,
  request: async () => ({ outcome: 'rejected', reason }),
  list: async () => null,
}
