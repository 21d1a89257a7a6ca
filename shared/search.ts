import { formatCedis } from './money.ts'

/** An amount as lists are searched for it: two decimals, no currency sign or thousands separators. */
export function searchableAmount(cedis: number): string {
  return `¢${formatCedis(cedis).replaceAll(',', '')}`
}

/**
 * What a record may contain when somebody searches for `typed`, in lower case: the text itself, and the stored form of
 * numbers that screens format. Phone numbers are stored as ten digits, amounts as `searchableAmount`. Empty for blank text.
 */
export function searchTexts(typed: string): string[] {
  const text = typed.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
  if (text === '') return []
  return [...new Set([text, ...phoneTexts(text), ...amountTexts(text), ...orderNumberTexts(text)])]
}

/**
 * The digits of a whole or partial phone number typed with spaces, dashes, brackets or a country code; empty for other text.
 * A bare 233 may be a country code or part of a number, so both are returned.
 */
export function phoneTexts(typed: string): string[] {
  const text = typed.trim()
  if (!/^(?:\+\s?|\(\+?)?\d[\d\s()‐‑–-]*$/.test(text)) return []
  const digits = text.replace(/\D/g, '')
  if (/^(?:\(?\+|\(?00)/.test(text)) return [digits.replace(/^(?:00)?2330?/, '0')]
  const local = digits.replace(/^2330?(?=[1-9]\d)/, '0')
  return local === digits ? [digits] : [digits, local]
}

/** An amount in cedis typed into a search, and whether its first digit is the amount's first. */
export type TypedAmount = { whole: string; decimals: string | null; fromStart: boolean }

/** Null for text that is not an amount. Bare digits are not: they may be part of anything. */
export function typedAmount(typed: string): TypedAmount | null {
  const match = /^(¢|₵|gh[s¢₵])?\s?(\d[\d,]{0,15})(?:\.(\d{0,2}))?$/.exec(typed.trim().toLowerCase())
  if (!match) return null
  const [, sign, whole = '', decimals = null] = match
  const hasSeparators = /^\d{1,3}(?:,\d{3})+$/.test(whole)
  if (!sign && !hasSeparators && (decimals === null || whole.includes(','))) return null
  return { whole: whole.replaceAll(',', ''), decimals, fromStart: sign !== undefined }
}

/** "55,50" is ¢55.50; "¢1,23" may also be the beginning of ¢1,234. */
function amountTexts(text: string): string[] {
  return [text, text.replace(/,(?=\d{1,2}$)/, '.')].flatMap(formsOf)
}

function formsOf(text: string): string[] {
  const amount = typedAmount(text)
  if (!amount) return []
  const { whole, decimals, fromStart } = amount
  if (fromStart) return [`¢${whole}${decimals === null ? '' : `.${decimals}`}`]
  return [`${whole}.${decimals ?? ''}`]
}

function orderNumberTexts(text: string): string[] {
  return /^#\d+$/.test(text) ? [text.slice(1)] : []
}
