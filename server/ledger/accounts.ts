/**
 * The shop's own accounts. A positive wallet balance is money the shop owes its owner, so money received from outside is
 * negative on the receiving account, and income is positive.
 */
export const SALES = 1
export const CARD_SURCHARGES = 2
export const AGENT_UPGRADE_FEES = 3
export const MOBILE_MONEY_RECEIVED = 4
export const CARD_PAYMENTS_RECEIVED = 5
export const ADJUSTMENTS = 6
export const PAYMENTS_HELD = 7
/** What the card provider took back through lost disputes and refunds and nobody has compensated. */
export const DISPUTE_LOSSES = 17
/** Top-ups that their payers cannot spend yet. */
export const TOP_UPS_ON_HOLD = 18
