import type { Adjustment } from '../../../../../shared/price-rules.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'

const MOST_PERCENT = 300

/** What all prices change by, as typed: "+3 %", "-0.20", "1.50". Null when it is nothing of that kind, or no change. */
export function readAdjustment(text: string): Adjustment | null {
  const [, sign, amount = '', percent] = /^([+−–-]?)\s*([^%\s]+)\s*(%?)$/.exec(text.trim()) ?? []
  if (sign === undefined) return null
  const direction = sign === '' || sign === '+' ? 1 : -1
  if (percent) {
    const whole = /^\d{1,3}$/.test(amount) ? Number(amount) : 0
    if (whole === 0 || whole > (direction < 0 ? 99 : MOST_PERCENT)) return null
    return { percent: direction * whole }
  }
  const pesewas = pesewasIn(amount)
  return pesewas ? { pesewas: direction * pesewas } : null
}
