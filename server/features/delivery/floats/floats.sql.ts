import type { Network } from '../../../../shared/networks.ts'
import { SUPPLIERS, type SupplierName } from '../../../../shared/suppliers.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export type ReadingRow = { key: string; amount: number; readAt: Date; expected: number | null }

/** Every reading since `since`, and the last one before it, of each float; oldest first. */
export async function selectReadings(db: Queryable, since: Date): Promise<ReadingRow[]> {
  const { rows } = await db.query<ReadingRow>({
    name: 'float-readings',
    text: `with keys as (
        select distinct float_key from float_readings where read_at >= $1
        union select key from unnest($2::text[]) key
        union select float_key from (select distinct float_key from float_readings where entered_by is not null) entered
      )
      select r.float_key as key, r.amount, r.read_at as "readAt", r.expected
      from keys, lateral (
        (select * from float_readings f where f.float_key = keys.float_key and f.read_at >= $1)
        union all (select * from float_readings f where f.float_key = keys.float_key and f.read_at < $1 order by read_at desc, id desc limit 1)
      ) r order by r.float_key, r.read_at, r.id`,
    values: [since, [...SUPPLIERS, 'sms']],
  })
  return rows
}

/** Two entries for one portal come one after the other. */
export async function lockReadings(tx: Tx, key: string) {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('float-readings:' || $1, 0))`, [key])
}

type NewReading = { key: string; amount: number; now: Date; enteredBy?: string; expected?: number | null; spentInHour?: number }

export async function insertReading(db: Queryable, { key, amount, now, enteredBy, expected, spentInHour = 0 }: NewReading) {
  await db.query(
    `insert into float_readings (float_key, amount, read_at, entered_by, expected, spent_in_hour) values ($1, $2, $3, $4, $5, $6)`,
    [key, amount, now, enteredBy ?? null, expected ?? null, spentInHour],
  )
}

/** What was delivered today, at its cost, in pesewas. `sinceOpening` counts from the hour in which the shop opened. */
export type SpentRow = { supplier: string; network: Network; today: number; sinceOpening: number; withoutCost: number }

export async function selectSpentToday(db: Queryable, day: Date, opens: Date): Promise<SpentRow[]> {
  const { rows } = await db.query<SpentRow>({
    name: 'spent-today',
    text: `select supplier, network, sum(cost_pesewas)::bigint as today,
        coalesce(sum(cost_pesewas) filter (where hour >= date_trunc('hour', $2::timestamptz, 'UTC')), 0)::bigint as "sinceOpening",
        sum(uncosted_orders)::integer as "withoutCost"
      from insight_hour_counts where hour >= $1 group by supplier, network`,
    values: [day, opens],
  })
  return rows
}

/** What was delivered by hand since each portal's balance was last entered, at its cost, and how many orders have no cost yet. */
export type SpentByHandRow = { key: string; spent: number; withoutCost: number }

export async function selectSpentByHand(db: Queryable): Promise<SpentByHandRow[]> {
  const { rows } = await db.query<SpentByHandRow>({
    name: 'spent-by-hand',
    text: `with entered as (
        select distinct on (float_key) float_key, read_at, spent_in_hour from float_readings where entered_by is not null
        order by float_key, read_at desc, id desc
      )
      select e.float_key as key, (coalesce(sum(c.cost_pesewas), 0) - e.spent_in_hour)::bigint as spent,
        coalesce(sum(c.uncosted_orders), 0)::integer as "withoutCost"
      from entered e left join insight_hour_counts c
        on c.supplier = 'by-hand' and 'by-hand:' || c.network = e.float_key and c.hour >= date_trunc('hour', e.read_at, 'UTC')
      group by e.float_key, e.spent_in_hour`,
  })
  return rows
}

/** What was delivered by hand for a network in the hour of `now`, at its cost, in pesewas. */
export async function selectSpentInHour(db: Queryable, network: Network, now: Date): Promise<number> {
  const { rows } = await db.query<{ spent: number }>(
    `select coalesce(sum(cost_pesewas), 0)::bigint as spent from insight_hour_counts
     where supplier = 'by-hand' and network = $1 and hour = date_trunc('hour', $2::timestamptz, 'UTC')`,
    [network, now],
  )
  return rows[0]?.spent ?? 0
}

const KEPT_WHOLE = '8 days'
const KEPT = '400 days'

/** Keeps every reading of eight days, the last one of each day for 400 days, and what was entered by hand as long. */
export async function deleteOldReadings(db: Queryable, now: Date) {
  await db.query(
    `delete from float_readings r where read_at < $1::timestamptz - interval '${KEPT}'
       or (read_at < $1::timestamptz - interval '${KEPT_WHOLE}' and entered_by is null and exists (
         select from float_readings later where later.float_key = r.float_key and later.read_at > r.read_at
           and later.read_at < date_trunc('day', r.read_at, 'UTC') + interval '1 day'))`,
    [now],
  )
}

/** `costPesewas` is null while the cost of one of them is not known. */
export type HeldRow = { supplier: SupplierName; orders: number; pesewas: number; costPesewas: number | null }

/** The orders that wait to be sent to each supplier. */
export async function selectHeld(db: Queryable, now: Date): Promise<HeldRow[]> {
  const { rows } = await db.query<HeldRow>({
    name: 'held-orders',
    text: `select supplier, sum(orders)::integer as orders, sum(pesewas)::bigint as pesewas,
        case when bool_and(cost is not null) then sum(cost * orders)::bigint end as "costPesewas"
      from (
        select d.supplier, count(*) as orders, sum(o.price_pesewas) as pesewas, package_cost(o.product_id, o.offer, d.supplier, $1) as cost
        from supplier_deliveries d join orders o on o.id = d.order_id
        where d.status = 'waiting' group by d.supplier, o.product_id, o.offer
      ) packages group by supplier`,
    values: [now],
  })
  return rows
}

export async function selectHeldIds(tx: Tx, supplier: SupplierName): Promise<{ orderId: string; pesewas: number }[]> {
  const { rows } = await tx.query<{ orderId: string; pesewas: number }>(
    `select d.order_id as "orderId", o.price_pesewas as pesewas from supplier_deliveries d join orders o on o.id = d.order_id
     where d.supplier = $1 and d.status = 'waiting' order by o.seq`,
    [supplier],
  )
  return rows
}

export type FloatSettingsRow = { alarmHours: number; howToTopUp: Record<string, string> }

export async function selectFloatSettings(db: Queryable): Promise<FloatSettingsRow> {
  const { rows } = await db.query<FloatSettingsRow>('select alarm_hours as "alarmHours", how_to_top_up as "howToTopUp" from float_settings')
  return rows[0] as FloatSettingsRow
}

export async function lockFloatSettings(tx: Tx): Promise<FloatSettingsRow> {
  await tx.query('select from float_settings for update')
  return selectFloatSettings(tx)
}

export async function updateFloatSettings(tx: Tx, { alarmHours, howToTopUp }: FloatSettingsRow) {
  await tx.query('update float_settings set alarm_hours = $1, how_to_top_up = $2', [alarmHours, JSON.stringify(howToTopUp)])
}

export type AlarmKind = 'low' | 'finished' | 'stopped'

/**
 * Notes an alarm unless one of this kind is open; returns its id then, or null. The unique index decides between processes.
 * `mayTell` is false when the owner was told the same within the hour.
 */
export async function insertAlarm(
  tx: Tx,
  { key, kind, amount, now }: { key: string; kind: AlarmKind; amount: number | null; now: Date },
): Promise<{ id: number; mayTell: boolean } | null> {
  const { rows } = await tx.query<{ id: number; mayTell: boolean }>(
    `insert into float_alarms (float_key, kind, amount, raised_at) values ($1, $2, $3, $4) on conflict do nothing
     returning id, not exists (select from float_alarms earlier where earlier.float_key = $1 and earlier.kind = $2
       and earlier.message_id is not null and earlier.raised_at > $4::timestamptz - interval '1 hour') as "mayTell"`,
    [key, kind, amount, now],
  )
  return rows[0] ?? null
}

export async function updateAlarmMessage(tx: Tx, id: number, messageId: string) {
  await tx.query('update float_alarms set message_id = $2 where id = $1', [id, messageId])
}

/** Ends the open alarms of a float that are not in `still`. Returns how many. */
export async function endAlarms(tx: Tx, key: string, still: readonly AlarmKind[], now: Date): Promise<number> {
  const { rowCount } = await tx.query(
    'update float_alarms set ended_at = $3 where float_key = $1 and ended_at is null and kind <> all ($2::text[])',
    [key, still, now],
  )
  return rowCount ?? 0
}

export type OpenAlarm = { key: string; kind: AlarmKind; amount: number | null }

export async function selectOpenAlarms(db: Queryable): Promise<OpenAlarm[]> {
  const { rows } = await db.query<OpenAlarm>('select float_key as key, kind, amount from float_alarms where ended_at is null')
  return rows
}

/** Locks what is known of a supplier until the transaction ends, so that two presses come one after the other. */
export async function lockHealth(tx: Tx, supplier: SupplierName): Promise<{ wasStopped: boolean }> {
  await tx.query('insert into supplier_health (supplier) values ($1) on conflict do nothing', [supplier])
  const { rows } = await tx.query<{ wasStopped: boolean }>(
    `select paused_until > clock_timestamp() as "wasStopped" from supplier_health where supplier = $1 for update`,
    [supplier],
  )
  return rows[0] as { wasStopped: boolean }
}

/**
 * Lets the next calls through. The failures stay counted, so that the first one that fails opens the breaker again, for the shortest
 * time but one.
 */
export async function halfOpenBreaker(tx: Tx, supplier: SupplierName) {
  await tx.query(`update supplier_health set paused_until = '-infinity', pauses = least(pauses, 1) where supplier = $1`, [supplier])
}

/** The key of the portal where a network's orders are delivered by hand. */
export function floatOfNetwork(network: Network): string {
  return `by-hand:${network}`
}
