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
/** What was paid for orders that are neither delivered nor refunded. Orders bought before this account existed are in `SALES`. */
export const ORDERS_UNDELIVERED = 8
/** What guests have paid on its way to their orders or back to them: empty between transactions. */
export const GUEST_PAYMENTS = 9
/** What delivered orders cost, negative; owed to the suppliers, whose accounts begin at 100 (`supplier_account`). */
export const COST_OF_SALES = 10
/** What the card provider keeps of each payment, negative. */
export const PROVIDER_FEES = 11
/** What the owner has paid into the business, less what they have taken out. */
export const OWNER_FUNDS = 12
/** What agents have asked to withdraw and have not got yet: the sum of the open `withdrawals`. */
export const WITHDRAWALS_PENDING = 13
/** What agents paid for withdrawals. */
export const WITHDRAWAL_FEES = 14
/** What goes back to guests and is not yet paid: the sum of the open `refunds`. */
export const REFUNDS_PENDING = 15
/** What guests may put into a wallet with a code, because it could not go back the way it came: the sum of the `refunds` with a code. */
export const REFUND_CODES = 16
/** What the card provider took back through lost disputes and refunds and nobody has compensated. */
export const DISPUTE_LOSSES = 17
/** Top-ups that their payers cannot spend yet. */
export const TOP_UPS_ON_HOLD = 18
/** What agents owe after refunds of what they had withdrawn the profit of, negative. */
export const AGENT_DEBTS = 19
/** What agents got for customers they invited, negative. */
export const REFERRAL_REWARDS = 20
/** What the checkers in the shop's stock have cost, negative. */
export const CHECKER_STOCK = 21
/** What checkers have cost that replaced faulty ones, negative. */
export const CHECKER_LOSSES = 22
/** What customers' clients have set aside for orders that they are about to make: the sum of the wallets' `reserved_pesewas`. */
export const RESERVATIONS = 23
/** What of card payments waits for further orders of the payer's client: the sum of the payments' `unspent_pesewas`. */
export const CARD_PAYMENTS_UNSPENT = 24
/** What is kept out of wallets while a bank looks into the payment that it came from: the sum of `disputed_money`. */
export const DISPUTED_MONEY = 25
