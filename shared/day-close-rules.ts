/** For so long what was read or typed counts as what is there at the end of the range. */
export const COUNTED_FRESH_MS = 30 * 60_000
