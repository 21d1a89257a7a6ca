import type { CardPayments } from './card-payments.ts'

/** The card provider. In a sandbox every payment must be a test; in a live shop none may be. */
export type CardGateway = { card: CardPayments; isTest: boolean }
