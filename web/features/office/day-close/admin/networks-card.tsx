import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DaySheet } from '../../../../../shared/day-close.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { Money } from '../../../../ui/money.tsx'
import { NetworkBadge } from '../../../../ui/network-badge.tsx'
import { earnedWords, walletWords } from './day-close-words.ts'

type Line = { sign: string; name: string; detail?: string; cedis: number; strong?: boolean }

/** The customers' wallets, from opening to closing. */
export function WalletsCard({ sheet: { wallets } }: { sheet: DaySheet }) {
  return (
    <Card
      title="Customers’ wallets"
      state={
        <StateChip tone="done" icon={<Check aria-hidden="true" />}>
          Equals the ledger
        </StateChip>
      }
    >
      <Ledger
        lines={[
          { sign: '', name: 'Opening', cedis: wallets.opening, strong: true },
          ...wallets.lines.map((line) => {
            const [name, detail] = walletWords(line)
            const isLess = line.amount < 0 || line.what === 'sales' || line.what === 'debit'
            return { sign: isLess ? '−' : '+', name, detail, cedis: Math.abs(line.amount) }
          }),
          { sign: '=', name: 'Closing', cedis: wallets.closing, strong: true },
        ]}
      />
    </Card>
  )
}

/** What was earned; an order whose cost is not known earns nothing here. */
export function EarnedCard({ sheet: { earned, delivered, pending } }: { sheet: DaySheet }) {
  const { sales, grossProfit } = earned
  const afterSales = (what: string) => !['delivered', 'sales', 'refunded'].includes(what)
  const afterGross = (what: string) => afterSales(what) && what !== 'uncosted' && what !== 'cost'
  const line = (one: DaySheet['earned']['lines'][number], isFirst: boolean): Line => {
    const [name, detail] = earnedWords(one)
    const isLess = one.amount < 0 || one.what === 'cost'
    return { sign: isFirst ? '' : isLess ? '−' : '+', name, detail, cedis: Math.abs(one.amount) }
  }
  // Closes of before have no sums in between.
  const sum = (name: string, cedis: number | undefined): Line[] => (cedis === undefined ? [] : [{ sign: '=', name, cedis, strong: true }])
  const { lines } = earned
  return (
    <Card
      title="Earned"
      state={
        <span className="text-small text-muted">
          {delivered} delivered{pending.orders > 0 && `, ${pending.orders} pending`}
        </span>
      }
    >
      <Ledger
        lines={[
          ...lines.filter(({ what }) => sales === undefined || !afterSales(what)).map((one, index) => line(one, index === 0)),
          ...sum('Sales', sales),
          ...(sales === undefined ? [] : lines.filter(({ what }) => afterSales(what) && !afterGross(what)).map((one) => line(one, false))),
          ...sum('Gross profit', grossProfit),
          ...(sales === undefined ? [] : lines.filter(({ what }) => afterGross(what)).map((one) => line(one, false))),
          ...sum('Profit', earned.profit),
        ]}
      />
    </Card>
  )
}

function Ledger({ lines }: { lines: Line[] }) {
  return (
    // With large letters an amount stands below its name.
    <div className="@container">
      <table className="w-full [&_:is(td,th)]:py-2.5">
        <tbody>
          {lines.map(({ sign, name, detail, cedis, strong }) => (
            <tr
              key={name}
              className={classNames(
                '@max-[17rem]:flex @max-[17rem]:flex-wrap @max-[17rem]:justify-end',
                sign === '='
                  ? 'border-t-2 border-ink text-large font-bold'
                  : `border-t border-line first:border-0 ${strong ? 'font-semibold' : ''}`,
              )}
            >
              <td className="w-8 pl-4 text-muted">{sign}</td>
              <th
                scope="row"
                className={`text-left @max-[17rem]:min-w-0 @max-[17rem]:grow @max-[17rem]:basis-[calc(100%-32px)] ${strong ? '' : 'font-normal'}`}
              >
                {name} {detail && <span className="text-small font-normal text-muted lg:whitespace-nowrap">{detail}</span>}
              </th>
              <td className="pr-4 text-right whitespace-nowrap">
                <Money cedis={cedis} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The day by network, with cost and profit. */
export function NetworksCard({ sheet: { networks } }: { sheet: DaySheet }) {
  if (networks.length === 0) return null
  const sum = (name: 'orders' | 'sales' | 'cost' | 'profit') =>
    Math.round(networks.reduce((total, row) => total + row[name] * 100, 0)) / 100
  const total = { orders: sum('orders'), sales: sum('sales'), cost: sum('cost'), profit: sum('profit') }
  const uncosted = networks.reduce((count, row) => count + row.uncostedOrders, 0)
  return (
    <Card title="By network">
      <div className="relative overflow-x-auto">
        <table className="w-full text-small [&_:is(td,th)]:px-1 sm:[&_:is(td,th)]:px-2 [&_:is(td,th)]:py-2 [&_:is(td,th):first-child]:pl-4 [&_:is(td,th):last-child]:pr-4">
          <thead>
            <tr className="text-muted">
              <th scope="col" className="text-left font-semibold">
                Network
              </th>
              {['Orders', 'Sales', 'Cost of sales', 'Gross profit', 'Margin'].map((name) => (
                <th key={name} scope="col" className={`text-right font-semibold ${name === 'Margin' ? 'max-sm:hidden' : ''}`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {networks.map((row) => (
              <tr key={row.network} className="border-t border-line">
                <th scope="row" className="text-left font-medium whitespace-nowrap">
                  <NetworkBadge network={row.network} className="max-sm:[&>span:last-child]:sr-only" />
                </th>
                <Figures {...row} isKnown={row.uncostedOrders < row.orders} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr className="border-t-2 border-ink font-bold">
              <th scope="row" className="text-left">
                All
              </th>
              <Figures {...total} isKnown={uncosted < total.orders} />
            </tr>
          </tfoot>
        </table>
      </div>
      {uncosted > 0 && (
        <p className="border-t border-line px-4 py-2.5 text-small text-pending">
          {uncosted} {uncosted === 1 ? 'order has' : 'orders have'} no cost yet, so {uncosted === 1 ? 'it is' : 'they are'} not in the
          profit.
        </p>
      )}
    </Card>
  )
}

type FiguresProps = { orders: number; sales: number; cost: number; profit: number; isKnown: boolean }

function Figures({ orders, sales, cost, profit, isKnown }: FiguresProps) {
  const cells: [string, ReactNode][] = [
    ['orders', orders],
    ['sales', <Money key="sales" cedis={sales} />],
    ['cost', isKnown ? <Money key="cost" cedis={cost} /> : <span key="cost">no cost yet</span>],
    ['profit', isKnown ? <Money key="profit" cedis={profit} /> : '–'],
    ['margin', isKnown && cost + profit > 0 ? `${((profit / (cost + profit)) * 100).toFixed(1)} %` : '–'],
  ]
  return cells.map(([name, cell]) => (
    <td key={name} className={`tabular text-right whitespace-nowrap ${name === 'margin' ? 'max-sm:hidden' : ''}`}>
      {cell}
    </td>
  ))
}
