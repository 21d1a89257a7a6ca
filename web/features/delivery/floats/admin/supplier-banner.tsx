import { useQuery } from '@tanstack/react-query'
import { TriangleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Float } from '../../../../../shared/floats.ts'
import { useNow } from '../../../../lib/use-now.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { floatsQuery, useFloatRights, useSupplierActs } from './api.ts'
import { endWords, floatName, isHolding, ordersWait } from './float-words.ts'

/**
 * The most urgent news of a supplier, on every screen of the portal but the suppliers' own; nothing while all is well. Once closed it is back with the
 * next news, or the next day.
 */
export function SupplierBanner() {
  const { seesFloats, maySend } = useFloatRights()
  const { data } = useQuery({ ...floatsQuery, enabled: seesFloats })
  const { busy, tryNow } = useSupplierActs()
  const now = useNow()
  const [closed, setClosed] = useState(() => localStorage.getItem(CLOSED) ?? '')
  const [worst] = (data?.floats ?? [])
    .filter((float) => isHolding(float) || isEndingSoon(float, data?.alarmHours ?? 1, now))
    .toSorted((one, other) => urgency(other) - urgency(one))
  if (!worst || closed === newsOf(worst, now)) return null
  const holds = isHolding(worst)
  return (
    <section
      aria-label="Suppliers"
      className="mb-3 flex items-center gap-3 rounded-box border border-pending bg-pending-soft py-2.5 pr-2.5 pl-4 text-pending lg:mb-4"
    >
      <TriangleAlert className="size-5 shrink-0" aria-hidden="true" />
      <p role="status" className="min-w-0 flex-1 text-body leading-snug font-semibold text-pretty">
        <Link href="/admin/suppliers" className="hover:underline">
          {headline(worst, now)}
        </Link>
        {holds && worst.held.orders > 0 && <span className="font-normal"> {ordersWait(worst.held.orders)}.</span>}
      </p>
      {holds && maySend && worst.kind === 'supplier' && (
        <Button variant="secondary" busy={busy === worst.key} busyLabel="One moment…" onClick={() => void tryNow(worst)}>
          Try now
        </Button>
      )}
      <IconButton
        label="Close for today"
        onClick={() => {
          localStorage.setItem(CLOSED, newsOf(worst, now))
          setClosed(newsOf(worst, now))
        }}
      >
        <X className="size-5" aria-hidden="true" />
      </IconButton>
    </section>
  )
}

const HOUR_MS = 3_600_000
const CLOSED = 'supplierNewsClosed'

/** The same until the supplier stands otherwise, or the day ends. */
function newsOf({ key, state }: Float, now: Date): string {
  return `${key} ${state} ${now.toISOString().slice(0, 10)}`
}

function isEndingSoon({ state, emptyAt }: Float, alarmHours: number, now: Date): boolean {
  return state === 'low' && emptyAt !== null && Date.parse(emptyAt) - now.getTime() < alarmHours * HOUR_MS
}

function urgency({ state, held }: Float): number {
  return (state === 'low' ? 0 : 1_000_000) + held.orders
}

function headline(float: Float, now: Date): string {
  const name = floatName(float)
  if (float.state === 'finished') return `Your ${name} balance is finished.`
  if (float.state === 'stopped') return `${name} doesn’t take our orders.`
  if (float.state === 'trying') return `${name} gets another try with the next order.`
  return `Your ${name} balance lasts until ${endWords(float.emptyAt ?? '', now)}.`
}
