import type { InboxReply } from '../../../../../shared/inbox.ts'
import { minuteWords, timeWords } from '../../../../lib/admin/clock-words.ts'
import { DayLine, type HourBar } from '../../../../ui/admin/day-line.tsx'
import { Money } from '../../../../ui/money.tsx'
import { useShop } from '../../../shop/shop/api.ts'

type Day = InboxReply['day']
type Props = { day: Day; now: Date; small?: boolean; withTime?: boolean; className?: string }

const USUAL_HOURS = { opens: 7 * 60 + 40, closes: 20 * 60 + 30 }

/** The day line of the shop: from opening to closing, and of orders outside these hours. */
export function ShopDay({ day, now, small, withTime, className }: Props) {
  const { opens, closes } = useShop().hours ?? USUAL_HOURS
  const orders = `${day.orders} ${day.orders === 1 ? 'order' : 'orders'}`
  return (
    <DayLine
      hours={barsOf(day.hours, opens, closes, now.getUTCHours())}
      opens={minuteWords(opens)}
      closes={minuteWords(closes)}
      note={withTime ? `${timeWords(now)} · ${orders}` : orders}
      {...(small && { small })}
      {...(className && { className })}
    />
  )
}

function barsOf(hours: readonly number[], opens: number, closes: number, current: number): HourBar[] {
  const busy = hours.flatMap((orders, hour) => (orders > 0 ? [hour] : []))
  const first = Math.min(Math.floor(opens / 60), ...busy)
  const last = Math.max(Math.ceil(closes / 60) - 1, ...busy)
  return hours.slice(first, last + 1).map((orders, index) => {
    const hour = first + index
    return { label: minuteWords(hour * 60), orders, when: hour < current ? 'past' : hour === current ? 'now' : 'next' }
  })
}

/** How far the day is: decided, on the way with a supplier or in a batch, and what was earned for those who may see that. */
export function DayFigures({ day: { decided, orders, withSuppliers, profit } }: { day: Day }) {
  return (
    <dl className="tabular grid grid-cols-[repeat(auto-fit,minmax(min(5.5rem,100%),1fr))] gap-2">
      <Figure name="Decided">
        {decided} <span className="text-small font-normal text-muted">of {orders}</span>
      </Figure>
      <Figure name="On the way">{withSuppliers}</Figure>
      {profit !== null && (
        <Figure name="Profit today">
          {profit.delivered > 0 && profit.uncosted === profit.delivered ? (
            <span className="text-small font-normal">no cost yet</span>
          ) : (
            <Money cedis={profit.profit} />
          )}
        </Figure>
      )}
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-small text-muted">{name}</dt>
      <dd className="text-large font-bold whitespace-nowrap">{children}</dd>
    </div>
  )
}
