/** As the lists are searched: amounts after the sign, without thousands separators. */
export function searchableAmount(cedis: number): string {
  return `¢${cedis.toFixed(2)}`
}

/**
 * What a record may hold when somebody searches for `typed`, in small letters: the text itself, and what it stands for where
 * the screens show a number in another way than it is stored. Phone numbers are stored as ten digits, amounts as
 * `searchableAmount`. Empty for blank text.
 */
export function searchTexts(typed: string): string[] {
  const text = typed.trim().replace(/\s+/g, ' ').toLowerCase()
  if (text === '') return []
  return [...new Set([text, ...phoneTexts(text), ...amountTexts(text), ...orderNumberTexts(text)])]
}

/**
 * The digits of a phone number, or of a part of one, that was typed with spaces, dashes, brackets or the country code; empty for
 * text that is no part of a phone number. A bare 233 may be the country code or the middle of a number, so it gives both.
 */
export function phoneTexts(typed: string): string[] {
  const text = typed.trim()
  if (!/^(?:\+\s?|\(\+?)?\d[\d\s()‐‑–-]*$/.test(text)) return []
  const digits = text.replace(/\D/g, '')
  if (/^(?:\(?\+|\(?00)/.test(text)) return [digits.replace(/^(?:00)?2330?/, '0')]
  const local = digits.replace(/^2330?(?=[1-9]\d)/, '0')
  return local === digits ? [digits] : [digits, local]
}

/** An amount in cedis as it was typed into a search, and whether its first digit is the amount's first. */
export type TypedAmount = { whole: string; decimals: string | null; fromStart: boolean }

/** Null for text that is no amount. Bare digits are none: they may be a part of anything. */
export function typedAmount(typed: string): TypedAmount | null {
  const match = /^(¢|₵|gh[s¢₵])?\s?(\d[\d,]{0,15})(?:\.(\d{0,2}))?$/.exec(typed.trim().toLowerCase())
  if (!match) return null
  const [, sign, whole = '', decimals = null] = match
  const hasSeparators = /^\d{1,3}(?:,\d{3})+$/.test(whole)
  if (!sign && !hasSeparators && (decimals === null || whole.includes(','))) return null
  return { whole: whole.replaceAll(',', ''), decimals, fromStart: sign !== undefined }
}

function amountTexts(text: string): string[] {
  const amount = typedAmount(text)
  if (!amount) return []
  const { whole, decimals, fromStart } = amount
  if (fromStart) return [`¢${whole}${decimals === null ? '' : `.${decimals}`}`]
  return [`${whole}.${decimals ?? ''}`]
}

function orderNumberTexts(text: string): string[] {
  return /^#\d+$/.test(text) ? [text.slice(1)] : []
}
