/** What a text says. Whoever asks gets a value only where the whole text is understood and says one thing. */
export type Reading<T> =
  | { kind: 'read'; value: T }
  /** `text` as it came. `reasons` are sentences. `candidates` are the values that it may mean, the likeliest first. */
  | { kind: 'doubtful'; text: string; reasons: string[]; candidates: T[] }
  | { kind: 'nothing' }

export const NOTHING = { kind: 'nothing' } as const

export function asRead<T>(value: T): Reading<T> {
  return { kind: 'read', value }
}

export function asDoubtful<T>(text: string, reason: string, candidates: readonly T[] = []): Reading<T> {
  return { kind: 'doubtful', text, reasons: [reason], candidates: [...candidates] }
}

/** The value of a text that is understood; null for every other. */
export function valueIn<T>(reading: Reading<T>): T | null {
  return reading.kind === 'read' ? reading.value : null
}

/** All that a text may mean. */
export function allIn<T>(reading: Reading<T>): readonly T[] {
  return reading.kind === 'read' ? [reading.value] : reading.kind === 'doubtful' ? reading.candidates : []
}

/** The question that settles which of a few values a text is; null where there is none to choose from. */
export function questionIn<T>(reading: Reading<T>): string | null {
  return reading.kind === 'doubtful' && reading.candidates.length > 0 ? reading.reasons.join(' ') : null
}

const UNSEEN = /[\u00ad\u180e\u200c-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\u20e3|\ufe0e|\ufe0f/g
const HYPHENS = /[\u2010-\u2015\u2043\u207b\u2212\ufe58\ufe63\uff0d]/g
/** Wide and mathematical letters, as phones' decorated keyboards write them. Superscripts stay: 5² is not 52. */
const DECORATED = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/gu

/** The text with plain hyphens, letters and single spaces, without marks that nobody sees. A zero-width space keeps words apart. */
export function plainText(text: string): string {
  return text
    .replace(UNSEEN, '')
    .replace(HYPHENS, '-')
    .replace(DECORATED, (letter) => letter.normalize('NFKC'))
    .replace(/[\s\u200b]+/g, ' ')
    .trim()
}

/** The digits before and after the decimal sign. */
export type Decimal = { whole: string; fraction: string }
export type DecimalSign = '.' | ','

/**
 * The numbers that a plain text may be: none, one, or two for 1,500 and 1.500. `sure` is false where the only one should still be
 * asked about. `sign`: the decimal sign of the column that the text stands in.
 */
export function readDecimals(text: string, sign?: DecimalSign): { forms: Decimal[]; sure: boolean } {
  const [, before, own, after] = /^(\d*)(?:([.,])(\d+))?$/.exec(text) ?? []
  if (before !== undefined && (before !== '' || own)) {
    const decimal = { whole: before || '0', fraction: after ?? '' }
    if (!own) return { forms: [decimal], sure: true }
    if (after?.length !== 3 || !/^[1-9]\d{0,2}$/.test(before)) return { forms: [decimal], sure: !sign || sign === own }
    const grouped = { whole: before + after, fraction: '' }
    return { forms: sign ? [sign === own ? decimal : grouped] : [grouped, decimal], sure: Boolean(sign) }
  }
  const [, groups, separator, decimalSign, fraction = ''] = /^([1-9]\d{0,2}([ '’.,])\d{3}(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(text) ?? []
  if (!groups || separator === decimalSign) return { forms: [], sure: false }
  const isAsSaid = !sign || (decimalSign ? decimalSign === sign : separator !== sign)
  // 12 100.00 may be two numbers side by side; with spaces and a comma, 1 234,50 is how one is written.
  const isOne = separator !== ' ' || (decimalSign === ',' && fraction.length === 2)
  return { forms: [{ whole: groups.replace(/\D/g, ''), fraction }], sure: isAsSaid && isOne }
}
