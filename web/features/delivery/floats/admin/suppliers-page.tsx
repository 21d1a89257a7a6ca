import { useQuery } from '@tanstack/react-query'
import { RotateCw, Truck } from 'lucide-react'
import { useState } from 'react'
import type { Float, FloatsReply } from '../../../../../shared/floats.ts'
import type { Network } from '../../../../../shared/networks.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { useNow } from '../../../../lib/use-now.ts'
import { ActBar } from '../../../../ui/admin/act-bar.tsx'
import { Card } from '../../../../ui/admin/card.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { useScreenTitle } from '../../../../ui/admin/screen-title.ts'
import { Button } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { AlarmDialog } from './alarm-dialog.tsx'
import { floatsQuery, useFloatRights, useSupplierActs } from './api.ts'
import { BalanceDialog } from './balance-dialog.tsx'
import { FloatCard } from './float-card.tsx'
import { clockTime, floatName, isHolding } from './float-words.ts'
import { SupplierOrder } from './supplier-order.tsx'
import { TopUpDialog } from './top-up-dialog.tsx'

/** What the shop has left at each supplier and at the SMS service, how long it lasts, and the orders that wait there. */
export default function SuppliersPage() {
  const { data, error, refetch } = useQuery(floatsQuery)
  useScreenTitle({ title: 'Suppliers', subtitle: data ? subtitleOf(data) : null })
  if (data) {
    return (
      <>
        <RefreshProblem error={error} onRetry={() => void refetch()} />
        <Floats reply={data} />
      </>
    )
  }
  if (error) return <LoadError what="The suppliers" error={error} onRetry={() => void refetch()} />
  return (
    <Loading label="Loading the suppliers…">
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-64" />
        <Skeleton className="h-64" />
        <Skeleton className="h-64" />
      </div>
    </Loading>
  )
}

function subtitleOf({ readAt, alarmHours }: FloatsReply): string {
  const alarm = `alarm ${alarmHours === 1 ? 'an hour' : `${alarmHours} hours`} before`
  return readAt ? `Read at ${clockTime(readAt)}, ${alarm}` : `Not read yet, ${alarm}`
}

function Floats({ reply: { floats, alarmHours, day } }: { reply: FloatsReply }) {
  const now = useNow()
  const { busy, tryNow, takeBack } = useSupplierActs()
  const { maySend, mayEnter, isOwner } = useFloatRights()
  const [toppingUp, setToppingUp] = useState<Float | null>(null)
  const [entering, setEntering] = useState<{ network: Network | null } | null>(null)
  const [changingAlarm, setChangingAlarm] = useState(false)
  const [holding] = floats
    .filter((float) => isHolding(float) && float.kind === 'supplier')
    .toSorted((one, other) => other.held.orders - one.held.orders)
  return (
    <div className="flex flex-col gap-4">
      {floats.length === 0 && (
        <EmptyState icon={<Truck />} title="No supplier is set up">
          You process every order by hand. Enter what is left at a portal, and we count down what you deliver.
        </EmptyState>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {floats
          .toSorted((one, other) => Number(isHolding(other)) - Number(isHolding(one)))
          .map((float) => (
            <FloatCard
              key={float.key}
              float={float}
              day={day}
              now={now}
              busy={busy === float.key}
              rights={{ maySend, mayEnter }}
              onTryNow={() => void tryNow(float)}
              onTopUp={() => setToppingUp(float)}
              onEnter={() => setEntering({ network: float.networks[0] ?? null })}
            />
          ))}
      </div>
      {isOwner && <SupplierOrder />}
      <Today floats={floats} />
      {mayEnter && (
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={() => setEntering({ network: null })}>
            Add a portal without an API
          </Button>
          <Button variant="secondary" onClick={() => setChangingAlarm(true)}>
            When to tell me
          </Button>
        </div>
      )}
      {holding ? (
        <ActBar
          note={holding.held.orders === 0 ? `${floatName(holding)} is resting` : `${counted(holding.held.orders, 'order')} held`}
          detail={holding.held.orders === 0 ? 'No order waits there' : `${moneyText(holding.held.value)} at ${floatName(holding)}`}
        >
          {maySend && holding.held.orders > 0 && (
            <Button variant="secondary" className="max-lg:hidden" onClick={() => void takeBack(holding)}>
              Send them by hand
            </Button>
          )}
          {maySend && (
            <Button
              icon={<RotateCw className="size-4" aria-hidden="true" />}
              busy={busy === holding.key}
              busyLabel="One moment…"
              onClick={() => void tryNow(holding)}
            >
              Try now
            </Button>
          )}
        </ActBar>
      ) : (
        floats.length > 0 && <ActBar note="No orders held" detail="Every supplier takes orders" />
      )}
      {toppingUp && <TopUpDialog float={toppingUp} onClose={() => setToppingUp(null)} />}
      {entering && <BalanceDialog network={entering.network} onClose={() => setEntering(null)} />}
      {changingAlarm && <AlarmDialog hours={alarmHours} onClose={() => setChangingAlarm(false)} />}
    </div>
  )
}

function Today({ floats }: { floats: Float[] }) {
  const rows = floats.filter(({ kind, today, balance }) => kind !== 'sms' && today !== null && balance !== null)
  if (rows.length === 0) return null
  return (
    <Card title="Today">
      <div className="relative overflow-x-auto">
        <table className="w-full text-small [&_:is(td,th)]:px-1 sm:[&_:is(td,th)]:px-2 [&_:is(td,th)]:py-2 [&_:is(td,th):first-child]:pl-4 [&_:is(td,th):last-child]:pr-4">
          <thead>
            <tr className="text-muted">
              <th scope="col" className="text-left font-semibold">
                Supplier
              </th>
              {['Opening', 'Top-up', 'Delivered', 'Balance'].map((name) => (
                // What it opened with follows from the others, for which a phone has room.
                <th key={name} scope="col" className={`text-right font-semibold ${name === 'Opening' ? 'max-sm:hidden' : ''}`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((float) => (
              <tr key={float.key} className="border-t border-line">
                <th scope="row" className="text-left font-medium">
                  {floatName(float)}
                </th>
                {[float.today?.opening, float.today?.topUps, -(float.today?.spent ?? 0), float.balance].map((cedis, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: four columns that never change places.
                  <td key={index} className={`text-right whitespace-nowrap ${index === 0 ? 'max-sm:hidden' : ''}`}>
                    <Money cedis={cedis ?? 0} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
