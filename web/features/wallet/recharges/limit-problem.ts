import { toPesewas } from '../../../../shared/money.ts'
import type { TopUpRules } from '../../../../shared/payments.ts'
import { walletTexts } from '../../../texts/wallet.ts'
import { moneyText } from '../../../ui/money.tsx'

type Limits = Pick<TopUpRules, 'minimum' | 'maximum' | 'leftToday'>

/** Why this may not be topped up at once, or null. The shop decides; this says it before, and leads to Request only where that is open. */
export function limitProblem(pesewas: number, { minimum, maximum, leftToday }: Limits, mayRequest: boolean): string | null {
  if (leftToday < Math.min(minimum, maximum)) return walletTexts.noneToday
  if (pesewas < toPesewas(minimum)) return walletTexts.atLeastNow(moneyText(minimum), mayRequest)
  if (pesewas > toPesewas(maximum)) return walletTexts.atMostNow(moneyText(maximum), mayRequest)
  return pesewas > toPesewas(leftToday) ? walletTexts.leftToday(moneyText(leftToday)) : null
}
