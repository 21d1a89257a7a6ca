import type { AfterAll as Late } from '../../../../../shared/floats.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import { shortDay } from '../../../../lib/admin/clock-words.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { ButtonLink } from '../../../../ui/button.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { afterAllWords } from './order-words.ts'

/** Orders that a supplier delivered although they had ended another way, so that the shop has given the data away. */
export function AfterAll({ orders }: { orders: readonly Late[] }) {
  if (orders.length === 0) return null
  return (
    <Card title="Delivered after all">
      <p className="px-4 py-3 text-muted">
        These came although the buyer has the money back, or came twice. Where a supplier had refused the order or called it failed, ask it
        for your money, with the reference.
      </p>
      <ul className="divide-y divide-line border-t border-line">
        {orders.map(({ number, network, offer, receiver, price, supplier, reference, at, deliveredBy }) => (
          <li key={reference} className="flex items-center justify-between gap-3 px-4 py-3">
            <div className="min-w-0">
              <p className="font-semibold">
                {network} {offer} to <span className="tabular whitespace-nowrap">{spacedPhone(receiver)}</span>, {moneyText(price)}
              </p>
              <p className="text-small">{afterAllWords({ supplier, deliveredBy })}</p>
              <p className="text-small break-words text-muted">
                {shortDay(new Date(at))} · {supplierName(supplier)}’s reference {reference}
              </p>
            </div>
            <ButtonLink href={`/admin/orders/${number}`} variant="secondary">
              {number}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}
