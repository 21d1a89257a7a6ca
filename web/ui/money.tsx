import { formatCedis } from '../../shared/money.ts'
import { classNames } from './class-names.ts'

type Props = { cedis: number; className?: string | undefined; signed?: boolean }

/** An amount in cedis with two decimals, the figures heavier than the currency sign. */
export function Money({ cedis, className, signed }: Props) {
  return (
    <span className={classNames('tabular whitespace-nowrap', className)}>
      {cedis < 0 ? '-' : signed && cedis > 0 ? '+' : ''}
      <span className="font-normal opacity-80">¢</span>
      <span className="font-bold">{formatCedis(Math.abs(cedis))}</span>
    </span>
  )
}

/** The same as text, for sentences, options and names. */
export function moneyText(cedis: number): string {
  return cedis < 0 ? `-¢${formatCedis(-cedis)}` : `¢${formatCedis(cedis)}`
}
