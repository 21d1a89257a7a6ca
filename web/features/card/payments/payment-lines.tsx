import { toCedis, toPesewas } from '../../../../shared/money.ts'
import type { OwnPayment } from '../../../../shared/payments.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { paymentTexts } from '../../../texts/payments.ts'
import { moneyText } from '../../../ui/money.tsx'

const LINES_SHOWN = 3

/** What a payment is for, a line each, shortened after three. */
export function PaymentLines({ payment: { items, purpose, price } }: { payment: Pick<OwnPayment, 'items' | 'purpose' | 'price'> }) {
  if (purpose === 'agent-upgrade') return <p>{paymentTexts.agentUpgrade}</p>
  if (purpose === 'top-up' && items.length === 0) return <p>{paymentTexts.topUp(moneyText(price))}</p>
  const more = items.length - LINES_SHOWN
  return (
    <ul>
      {items.slice(0, LINES_SHOWN).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same, and they never move.
        <li key={index}>
          {line.network} {line.offer} {paymentTexts.to} <span className="tabular whitespace-nowrap">{spacedPhone(line.phoneNumber)}</span>
        </li>
      ))}
      {more > 0 && <li>{paymentTexts.more(more)}</li>}
    </ul>
  )
}

/** In cedis, with the surcharge. */
export function totalOfPayments(payments: readonly { total: number }[]): number {
  return toCedis(payments.reduce((sum, payment) => sum + toPesewas(payment.total), 0))
}
