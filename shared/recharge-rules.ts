import { formatCedis, isCedis, MIN_RECHARGE_PESEWAS, NOT_AN_AMOUNT, toCedis } from './money.ts'

/** The smallest recharge, in cedis. */
export const MIN_RECHARGE = toCedis(MIN_RECHARGE_PESEWAS)
/** The largest recharge, in cedis. */
export const MAX_RECHARGE = 50_000

/** What is wrong with the amount of a recharge in cedis, as a sentence; null for a valid one. */
export function rechargeProblem(cedis: number): string | null {
  if (cedis < MIN_RECHARGE) return `The amount must be at least ${formatCedis(MIN_RECHARGE)} cedis.`
  if (cedis > MAX_RECHARGE) return `The amount must be at most ${formatCedis(MAX_RECHARGE)} cedis.`
  return isCedis(cedis) ? null : NOT_AN_AMOUNT
}
