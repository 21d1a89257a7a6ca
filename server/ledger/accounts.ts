/**
 * The house's accounts. A positive posting to a wallet is money that the shop owes to its owner, so what comes in
 * from outside is negative on the account that received it, and income is positive.
 */
export const SALES = 1
export const CARD_SURCHARGES = 2
export const AGENT_UPGRADE_FEES = 3
export const MOBILE_MONEY_RECEIVED = 4
export const CARD_PAYMENTS_RECEIVED = 5
export const ADJUSTMENTS = 6
export const PAYMENTS_HELD = 7
/** What the card provider took back, by lost disputes and refunds, and nobody has made good. */
export const DISPUTE_LOSSES = 17
