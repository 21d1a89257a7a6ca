/** Rules of received payments that pages need: no schemas here. */

/** The most rows of a statement that are read at once. */
export const MOST_STATEMENT_ROWS = 1_000
