import type { Queryable, Tx } from '../../../platform/db.ts'

const DAY_MS = 24 * 3_600_000
/** Chargebacks come within weeks: whose first payment stood for so long is no new payer. */
const NEW_PAYER_FOR_MS = 30 * DAY_MS

/** The owner's limits and what a payer has used of them, in pesewas. */
export type TopUpStanding = {
  minimumPesewas: number
  maximumPesewas: number
  dailyPesewas: number
  /** For this payer: 0 for anybody but a new one. */
  holdHours: number
  /** Top-ups begun that day that are paid, with what other card payments left in the wallet, and those that may still be paid. */
  settledPesewas: number
  openPesewas: number
}

/** Lock the payer's wallet first, so that concurrent top-ups count each other. */
export async function selectTopUpStanding(
  db: Queryable,
  { userId, day, now }: { userId: string; day: Date; now: Date },
): Promise<TopUpStanding> {
  const { rows } = await db.query<TopUpStanding>(
    `select s.top_up_minimum_pesewas as "minimumPesewas", s.top_up_maximum_pesewas as "maximumPesewas",
       s.top_up_daily_pesewas as "dailyPesewas", used.settled + rests.pesewas as "settledPesewas", used.open as "openPesewas",
       case when s.top_up_hold_hours > 0 and not exists (
         select from payments where user_id = $1 and status = 'paid' and settled_at <= $3 and returned_pesewas = 0 and hold_reason is null
       ) then s.top_up_hold_hours else 0 end as "holdHours"
     from operations_settings s, (
       select coalesce(sum(topped_up_pesewas), 0) as settled, coalesce(sum(price_pesewas) filter (where status = 'open'), 0) as open
       from payments where user_id = $1 and purpose = 'top-up' and created_at >= $2 and created_at < $2 + interval '1 day'
     ) used, (
       select coalesce(sum(left_pesewas), 0) as pesewas
       from payments where user_id = $1 and left_pesewas > 0 and created_at >= $2 and created_at < $2 + interval '1 day'
     ) rests`,
    [userId, day, new Date(now.getTime() - NEW_PAYER_FOR_MS)],
  )
  return rows[0] as TopUpStanding
}

/** The orders that a top-up was made for, so that its dispute holds them too. */
export async function markBoughtWith(tx: Tx, reference: string, orders: { id: string }[]) {
  await tx.query('update orders set top_up_reference = $1 where id = any ($2)', [reference, orders.map(({ id }) => id)])
}

export type TopUpOnHold = { reference: string; pesewas: number; until: Date }

export async function selectTopUpsOnHold(db: Queryable, userId: string): Promise<TopUpOnHold[]> {
  const { rows } = await db.query<TopUpOnHold>(
    `select reference, on_hold_pesewas as pesewas, on_hold_until as until from payments
     where user_id = $1 and on_hold_until is not null order by on_hold_until, seq`,
    [userId],
  )
  return rows
}

/**
 * Top-ups and rests of payments whose time on hold is over, except for disputed and refunded ones, those that wait for staff and those of which
 * more may still come.
 */
export async function selectDueTopUps(db: Queryable, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ reference: string }>(
    `select reference from payments where on_hold_until <= $1 and hold_reason is null and not waits_for_staff and unspent_until is null
     order by on_hold_until limit 50`,
    [now],
  )
  return rows.map(({ reference }) => reference)
}

/** What stays on hold of a top-up; with nothing left the hold is over. */
export async function reduceOnHold(tx: Tx, reference: string, pesewas: number) {
  await tx.query(
    `update payments set on_hold_pesewas = on_hold_pesewas - $2, on_hold_until = case when on_hold_pesewas > $2 then on_hold_until end,
       waits_for_staff = waits_for_staff and on_hold_pesewas > $2
     where reference = $1`,
    [reference, pesewas],
  )
}

/** Adds what a payment left in the wallet once its time for further orders was over, and what of that is on hold. */
export async function addLeft(
  tx: Tx,
  reference: string,
  { leftPesewas, onHold }: { leftPesewas: number; onHold: { pesewas: number; until: Date; forStaff?: boolean } | null },
) {
  await tx.query(
    `update payments set left_pesewas = left_pesewas + $2, on_hold_pesewas = on_hold_pesewas + $3,
       on_hold_until = greatest(on_hold_until, $4::timestamptz), waits_for_staff = waits_for_staff or $5 where reference = $1`,
    [reference, leftPesewas, onHold?.pesewas ?? 0, onHold?.until ?? null, onHold?.forStaff ?? false],
  )
}

/** A person has looked: it goes into the wallet once its time is over. */
export async function markLooked(tx: Tx, reference: string) {
  await tx.query('update payments set waits_for_staff = false where reference = $1', [reference])
}
