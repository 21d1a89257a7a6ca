import type { ReactNode } from 'react'
import type { InsightFigures } from '../../../../../shared/insight.ts'
import { Money } from '../../../../ui/money.tsx'

type Row = InsightFigures & { profit?: number | null; key: string; name: ReactNode; minutes?: ReactNode }

/** Figures by name: the same as a chart for whoever can't see it, and exact for everybody. Only days of the whole shop have a profit. */
export function FiguresTable({ head, rows, minutes }: { head: string; rows: readonly Row[]; minutes?: string }) {
  const hasProfit = rows.some(({ profit }) => profit != null)
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full text-small [&_:is(td,th)]:px-2 [&_:is(td,th)]:py-2 [&_:is(td,th):first-child]:pl-4 [&_:is(td,th):last-child]:pr-4">
        <thead>
          <tr className="text-muted">
            <th scope="col" className="text-left font-semibold">
              {head}
            </th>
            {['Orders', 'Sales', hasProfit ? 'Profit' : 'Gross profit', ...(minutes ? [minutes] : [])].map((name) => (
              <th key={name} scope="col" className="text-right font-semibold">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, orders, sales, minutes: took, ...rest }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="text-left font-medium">
                {name}
              </th>
              <td className="tabular text-right">{orders.toLocaleString('en')}</td>
              <td className="text-right whitespace-nowrap">
                <Money cedis={sales} />
              </td>
              <td className="text-right whitespace-nowrap">
                <Profit orders={orders} sales={sales} {...rest} />
              </td>
              {minutes && <td className="tabular text-right whitespace-nowrap">{took}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Profit is only of orders whose cost is known; where none is, there is no figure. Of a part of the shop it is the gross profit. */
export function Profit({ orders, grossProfit, profit, uncosted }: InsightFigures & { profit?: number | null }) {
  if (orders > 0 && uncosted >= orders) return <span className="text-muted">no cost yet</span>
  return (
    <>
      <Money cedis={profit ?? grossProfit} />
      {uncosted > 0 && <span className="block text-[0.75rem] text-muted">{uncosted} without cost</span>}
    </>
  )
}
