import { useQuery } from '@tanstack/react-query'
import { hasRole } from '../../../shared/staff-rules.ts'
import { unpublishedPrices } from '../../features/catalogue/prices/admin/unpublished-prices.ts'
import { failedIn, jobsQuery } from '../../features/office/failed-jobs/admin/api.ts'
import { countWaiting, inboxQuery, isMoney } from '../../features/office/inbox/admin/api.ts'
import { reconciliationQuery } from '../../features/office/reconciliation/admin/api.ts'
import { reportsQuery } from '../../features/orders/reports/admin/api.ts'
import { unsavedSettings } from '../../features/shop/settings/admin/unsaved-settings.ts'
import { session } from '../../lib/session.ts'
import { CountMark } from '../../ui/admin/count-mark.tsx'

const EVERY_MS = 60_000

/** Everything that waits for a decision. */
export function InboxMark() {
  const { data } = useQuery(inboxQuery)
  return <CountMark count={data ? countWaiting(data.groups) : 0} word="waiting" />
}

/** Top-ups, held payments, and disputes that are lost when nobody answers them. */
export function MoneyMark() {
  const { data } = useQuery(inboxQuery)
  return <CountMark count={data ? countWaiting(data.groups.filter(isMoney)) : 0} word="to decide" />
}

/** Held card payments, and disputes to answer. */
export function HeldMark() {
  const { data } = useQuery(inboxQuery)
  const held = data?.groups.filter(({ kind }) => kind === 'held-payments' || kind === 'dispute') ?? []
  return <CountMark count={countWaiting(held)} word="to decide" quiet />
}

/** Guests' refunds that wait for a person. */
export function RefundsMark() {
  const { data } = useQuery(inboxQuery)
  return <CountMark count={countWaiting(data?.groups.filter(({ kind }) => kind === 'refunds') ?? [])} word="to decide" quiet />
}

/** Failed jobs. */
export function FailedJobsMark() {
  const { data } = useQuery({ ...jobsQuery(1), refetchInterval: EVERY_MS })
  return <CountMark count={data ? failedIn(data) : 0} word="stuck" />
}

/** Customers who wait for an answer. */
export function OpenReportsMark() {
  const { data } = useQuery({ ...reportsQuery({ status: 'open', page: 1, pageSize: 5 }), refetchInterval: EVERY_MS })
  return <CountMark count={data?.total ?? 0} word="open" />
}

/** While purchases are paused. */
export function PausedMark() {
  const roles = session.use()?.roles ?? ['owner']
  const { data } = useQuery({ ...reconciliationQuery, refetchInterval: EVERY_MS, enabled: hasRole({ roles }, 'finance') })
  if (!data?.pause) return null
  return (
    <span className="grid size-4.5 place-items-center rounded-full bg-danger-soft text-[0.75rem] leading-none font-bold text-danger">
      <span>
        <span aria-hidden="true">!</span>
        <span className="sr-only"> paused</span>
      </span>
    </span>
  )
}

/** New prices that are not live yet. */
export function UnpublishedPricesMark() {
  if (Object.keys(unpublishedPrices.use()).length === 0) return null
  return (
    <span className="size-2 rounded-full bg-pending-mark">
      <span className="sr-only">new prices, not yet live</span>
    </span>
  )
}

export function UnsavedMark() {
  const unsaved = Object.keys(unsavedSettings.use()).length > 0
  if (!unsaved) return null
  return (
    <span className="size-2 rounded-full bg-pending-mark">
      <span className="sr-only">unsaved changes</span>
    </span>
  )
}

/** What must be seen from every screen, though its own stands under More. */
export function MoreMark() {
  return (
    <span className="flex items-center gap-1">
      <PausedMark />
      <UnsavedMark />
    </span>
  )
}
