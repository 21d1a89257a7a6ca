import type { CardPayments } from './card-payments.ts'

/** The card provider, and whether its payments are tests: in the sandbox they all are, in a live shop none may be. */
export type CardGateway = { card: CardPayments; isTest: boolean }
