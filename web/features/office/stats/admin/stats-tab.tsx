import { useQuery } from '@tanstack/react-query'
import { ClipboardList, CreditCard, Smartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { CountAndValue, Stats } from '../../../../../shared/stats.ts'
import { waitingFor } from '../../../../lib/admin/waiting-for.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { Money } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Card } from '../../../../ui/page.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { UsersTable } from '../../../people/users/admin/users-table.tsx'
import { statsQuery } from './api.ts'
import { SalesCharts } from './sales-charts.tsx'

/** Sales figures, open work and the users. */
export default function StatsTab() {
  const { data, error, refetch } = useQuery(statsQuery)
  return (
    <div className="flex flex-col gap-10">
      {data ? (
        <div className="flex flex-col gap-5">
          <RefreshProblem error={error} onRetry={() => void refetch()} />
          <WaitingTiles stats={data} />
          <div className="grid gap-5 lg:grid-cols-2 lg:items-start">
            <div className="flex flex-col gap-5">
              {data.finance && <FinanceTable finance={data.finance} />}
              <OrdersTable stats={data} />
            </div>
            <div className="flex flex-col gap-5">
              <SalesCharts stats={data} />
            </div>
          </div>
        </div>
      ) : error ? (
        <LoadError what="The statistics" error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading label="Loading the statistics…">
          <div className="grid gap-5 lg:grid-cols-2">
            <Skeleton className="h-24 lg:col-span-2" />
            <Skeleton className="h-96" />
            <Skeleton className="h-96" />
          </div>
        </Loading>
      )}
      <UsersTable />
    </div>
  )
}

function WaitingTiles({ stats: { waiting } }: { stats: Stats }) {
  return (
    <section aria-label="Waiting for you" className="grid gap-3 sm:grid-cols-3">
      <WaitingTile href="/admin/orders?segment=to-decide" icon={<ClipboardList />} name="Orders to decide" {...waiting.orders} />
      {waiting.recharges && (
        <WaitingTile href="/admin/finance?status=pending" icon={<Smartphone />} name="Recharges to decide" {...waiting.recharges} />
      )}
      {waiting.heldPayments && (
        <WaitingTile href="/admin/finance/held" icon={<CreditCard />} name="Held card payments" {...waiting.heldPayments} />
      )}
    </section>
  )
}

type TileProps = CountAndValue & { href: string; icon: ReactNode; name: string; oldest: string | null }

function WaitingTile({ href, icon, name, count, value, oldest }: TileProps) {
  return (
    <Link
      href={href}
      className={classNames(
        'flex items-center gap-4 rounded-box border p-4 transition-colors hover:border-ink',
        count > 0 ? 'border-pending bg-pending-soft text-pending' : 'border-line bg-surface text-muted',
      )}
    >
      <span className="[&>svg]:size-7" aria-hidden="true">
        {icon}
      </span>
      <span className="min-w-0">
        <span className="block text-body font-semibold">{name}</span>
        {count > 0 ? (
          <>
            <span className="tabular mr-2 text-display font-bold text-ink">{count}</span>
            <span className="text-ink">
              <Money cedis={value} />
            </span>
            {oldest && <span className="block text-small">Oldest: {waitingFor(oldest, shopNow())}</span>}
          </>
        ) : (
          <span className="block">None waiting</span>
        )}
      </span>
    </Link>
  )
}

function FinanceTable({ finance }: { finance: NonNullable<Stats['finance']> }) {
  return (
    <StatsTable caption="Finance">
      <tbody>
        <Row name="Total payments received">
          <Money cedis={finance.totalPayments} />
        </Row>
        <Row name="Total funds in wallets">
          <Money cedis={finance.totalFunds} />
        </Row>
      </tbody>
    </StatsTable>
  )
}

function OrdersTable({ stats: { orders } }: { stats: Stats }) {
  const rows: [string, CountAndValue][] = [
    ['Total orders', orders.total],
    ['Completed orders', orders.completed],
    ['Rejected orders', orders.rejected],
    ['Pending orders', orders.pending],
    [`Placed today (${orders.today.label})`, orders.today],
    ['Placed this week', orders.thisWeek],
    [`Placed this month (${orders.thisMonth.label})`, orders.thisMonth],
    [`Placed last month (${orders.lastMonth.label})`, orders.lastMonth],
  ]
  return (
    <StatsTable caption="Orders" remark="By the day on which they were placed, whatever became of them. Sales are what was delivered.">
      <thead>
        <tr className="border-t border-line text-small text-muted @max-[17rem]:hidden">
          <td className="px-4 py-2" />
          <th scope="col" className="px-2 py-2 text-right font-semibold">
            Count
          </th>
          <th scope="col" className="px-4 py-2 text-right font-semibold">
            Value
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, { count, value }]) => (
          <Row key={name} name={name} count={count}>
            <Money cedis={value} />
          </Row>
        ))}
      </tbody>
    </StatsTable>
  )
}

function StatsTable({ caption, remark, children }: { caption: string; remark?: string; children: ReactNode }) {
  return (
    <Card className="@container">
      <table className="w-full text-left">
        <caption className="px-4 pt-4 pb-3 text-left text-title font-semibold">
          {caption}
          {remark && <span className="block text-small font-normal text-muted">{remark}</span>}
        </caption>
        {children}
      </table>
    </Card>
  )
}

function Row({ name, count, children }: { name: string; count?: number; children: ReactNode }) {
  return (
    // With large letters the name takes a line of its own.
    <tr className="border-t border-line @max-[17rem]:flex @max-[17rem]:flex-wrap @max-[17rem]:justify-end">
      <th scope="row" className="px-4 py-2.5 font-normal @max-[17rem]:basis-full @max-[17rem]:pb-0">
        {name}
      </th>
      {count !== undefined && <td className="tabular px-2 py-2.5 text-right font-semibold">{count.toLocaleString('en')}</td>}
      <td className="px-4 py-2.5 text-right">{children}</td>
    </tr>
  )
}
