import type { Queryable } from '../../../platform/db.ts'

const DAY_MS = 24 * 3_600_000
const KEPT_MS = 30 * DAY_MS
/** Of an address whose guests pay for few of what they begin, the newest stay for the whole time and the others for so long. */
const NEWEST = 1_000
const CROWDED_MS = 3 * DAY_MS

/**
 * Deletes guests' payments that were closed without a pesewa and are not asked about any more. Money that comes for one even later is kept as a payment without an
 * order, with an alarm (`keepUnmatched`), so that staff give it back or deliver: the provider has the guest's number. Returns how many.
 */
export async function deleteUnpaidOfGuests(db: Queryable, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `with unpaid as (
       select reference, created_at, guest_address, row_number() over (partition by guest_address order by seq desc) as place
       from payments where user_id is null and status in ('failed', 'expired') and check_at is null
     ), due as (
       select reference from unpaid where created_at < $1 or (created_at < $2 and guest_address is not null and place > $3)
     )
     delete from payments p using due d where p.reference = d.reference
       and p.status in ('failed', 'expired') and p.check_at is null and p.hold_reason is null and p.received_pesewas is null
       and not exists (select from webhook_events e where e.reference = p.reference and e.handled_at is null)`,
    [new Date(now.getTime() - KEPT_MS), new Date(now.getTime() - CROWDED_MS), NEWEST],
  )
  return rowCount ?? 0
}
