/** What both sides of the API keep to. This file has no schemas, so that pages may load it. */

/** Mobile money is often approved minutes later; a card payment not approved by then is closed and its payer told. */
export const CLOSE_PAYMENT_AFTER_MINUTES = 30

/** The most items in one checkout. */
export const MAX_CHECKOUT_ITEMS = 100

/** The header with a purchase attempt's key; the same key never buys twice. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'

/** With `ask`, what the buyer has on its way already is refused with ON_THE_WAY, so that a page can ask first. Without it nothing is asked. */
export const IF_ON_THE_WAY_HEADER = 'if-on-the-way'

/** The header with the number of all matching records. */
export const TOTAL_COUNT_HEADER = 'x-total-count'
/** There, and `true`, when counting stopped before the end: there are more than it says. */
export const MORE_HEADER = 'x-total-more'

/** The allowed page sizes. */
export const PAGE_SIZES = [5, 10, 20, 50] as const
export type PageSize = (typeof PAGE_SIZES)[number]
export const DEFAULT_PAGE_SIZE = 10
