/** The longest line of a report, in characters. This file has no schemas, so that pages may load it. */
export const MAX_REPORT_TEXT = 500
