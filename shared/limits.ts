/** Limits that both sides know. This file has no schemas, so that pages may load it. */

/** Mobile money is often approved minutes later; a card payment not approved by then is closed and its payer told. */
export const CLOSE_PAYMENT_AFTER_MINUTES = 30
