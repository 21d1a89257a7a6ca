import { formatPesewas } from '../../shared/money.ts'
import { readAmount } from '../../shared/readers/read-amount.ts'

export type TypedAmount = {
  /** "¢55.50"; null where it stands there just so, or is not understood. */
  understood: string | null
  /** What keeps it from being an amount, with those that it may be. */
  doubt: { reason: string; candidates: readonly { label: string; text: string }[] } | null
}

/** What to say of an amount while it is typed. While a sign or a separator waits for its digits, nothing is wrong yet. */
export function readTypedAmount(text: string, { negative = false } = {}): TypedAmount {
  const reading = readAmount(text, { negative })
  if (reading.kind === 'read') {
    const isInFull = /^-?\d+\.\d\d$/.test(text.trim())
    return { understood: isInFull ? null : withSign(reading.value), doubt: null }
  }
  if (reading.kind === 'nothing' || isUnfinished(text)) return { understood: null, doubt: null }
  const candidates = reading.candidates.map((pesewas) => ({ label: withSign(pesewas), text: formatPesewas(pesewas).replaceAll(',', '') }))
  return { understood: null, doubt: { reason: reading.reasons.join(' '), candidates } }
}

function isUnfinished(text: string): boolean {
  return !/\d/.test(text) ? /^[\s+¢₵.,-]*(?:gh?[sc¢₵]?)?\s*$/i.test(text) : /\d[.,]$/.test(text)
}

function withSign(pesewas: number): string {
  return `${pesewas < 0 ? '-' : ''}¢${formatPesewas(Math.abs(pesewas))}`
}
