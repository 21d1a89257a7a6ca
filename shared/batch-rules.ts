/** The most orders in one batch: what a portal takes at once, and a person checks. */
export const MAX_BATCH = 200

export const BATCH_FILES = ['xlsx', 'csv'] as const
/** What the columns of a portal's file may hold. */
export const BATCH_COLUMNS = ['number', 'gb', 'mb', 'offer', 'reference'] as const
export type BatchColumn = (typeof BATCH_COLUMNS)[number]
/** 0241234567, 233241234567 or +233241234567. */
export const NUMBER_FORMATS = ['local', 'international', 'plus'] as const
export type NumberFormat = (typeof NUMBER_FORMATS)[number]
