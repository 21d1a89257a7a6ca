import type { CardPayments } from './card-payments.ts'
import type { Payouts, RefundsToSource } from './payouts.ts'

/** The card provider. In a sandbox every payment must be a test; in a live shop none may be. */
export type CardGateway = { card: CardPayments; payouts: Payouts; refunds: RefundsToSource; isTest: boolean }
