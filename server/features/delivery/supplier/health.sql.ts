import type { SupplierName } from '../../../../shared/suppliers.ts'
import type { Queryable } from '../../../platform/db.ts'

/** Reserves a call to an endpoint: 0 when it may be made now, else how long to wait before asking again. */
export async function acquireCall(
  db: Queryable,
  turn: { supplier: SupplierName; endpoint: 'send' | 'ask' | 'balance'; perMinute: number; waited: boolean; urgent: boolean },
): Promise<number> {
  const { rows } = await db.query<{ waitMs: number }>('select take_supplier_turn($1, $2, $3, $4, $5) as "waitMs"', [
    turn.supplier,
    turn.endpoint,
    turn.perMinute,
    turn.waited,
    turn.urgent,
  ])
  return rows[0]?.waitMs ?? 0
}

/** How long a supplier's circuit breaker stays open; 0 when it is closed. */
export async function selectOpenMs(db: Queryable, supplier: SupplierName): Promise<number> {
  const { rows } = await db.query<{ openMs: number }>(
    `select ceil(extract(epoch from paused_until - clock_timestamp()) * 1000)::float8 as "openMs"
     from supplier_health where supplier = $1 and paused_until > clock_timestamp()`,
    [supplier],
  )
  return rows[0]?.openMs ?? 0
}

/**
 * Closes the circuit breaker after a successful call. Free when nothing was wrong; returns whether something was. Only an order that was
 * `sent` shows that there is money again.
 */
export async function noteSuccess(db: Queryable, supplier: SupplierName, { sent }: { sent: boolean }): Promise<boolean> {
  const { rowCount } = await db.query(
    `update supplier_health set failures = 0, pauses = 0, paused_until = '-infinity', reason = '', cause = ''
     where supplier = $1 and (failures, pauses, reason) <> (0, 0, '') and (cause <> 'no-money' or $2)`,
    [supplier, sent],
  )
  return (rowCount ?? 0) > 0
}

/**
 * Records a failed call. From the third failure in a row, or at once when it has a cause, the circuit breaker opens: for
 * `breakerOpenMs` at first, doubling up to `longestMs`. Returns the duration if it opened just now.
 */
export async function noteFailure(
  db: Queryable,
  supplier: SupplierName,
  { reason, cause, breakerOpenMs, longestMs }: { reason: string; cause: string; breakerOpenMs: number; longestMs: number },
): Promise<number | null> {
  const { rows } = await db.query<{ openMs: number | null }>(
    `with before as (
       insert into supplier_health (supplier) values ($1)
       on conflict (supplier) do update set supplier = excluded.supplier
       returning supplier, failures, pauses, paused_until > clock_timestamp() as resting
     )
     select case when not resting and ($2 or failures + 1 >= 3) then least($3::float8 * 2 ^ least(pauses, 20), $4::float8) end as "openMs" from before`,
    [supplier, cause !== '', breakerOpenMs, longestMs],
  )
  const openMs = rows[0]?.openMs ?? null
  await db.query(
    `update supplier_health set failures = failures + 1, reason = $2, cause = $4, failed_at = clock_timestamp(),
       pauses = pauses + case when $3::float8 is null then 0 else 1 end,
       paused_until = case when $3::float8 is null then paused_until else clock_timestamp() + $3::float8 * interval '1 millisecond' end
     where supplier = $1`,
    [supplier, reason, openMs, cause],
  )
  return openMs
}

export async function updateBalance(db: Queryable, supplier: SupplierName, pesewas: number, now: Date) {
  await db.query(
    `insert into supplier_health as kept (supplier, balance_pesewas, balance_at) values ($1, $2, $3)
     on conflict (supplier) do update set balance_pesewas = excluded.balance_pesewas, balance_at = excluded.balance_at`,
    [supplier, pesewas, now],
  )
}

export type SupplierHealth = {
  name: SupplierName
  openUntil: Date | null
  /** The breaker was opened, and no call has succeeded since. */
  isTroubled: boolean
  failures: number
  reason: string
  /** Such as `no-money`; empty when the supplier gave none. */
  cause: string
  failedAt: Date | null
  balancePesewas: number | null
  balanceAt: Date | null
}

export async function selectHealth(db: Queryable): Promise<SupplierHealth[]> {
  const { rows } = await db.query<SupplierHealth>(
    `select supplier as name, case when paused_until > clock_timestamp() then paused_until end as "openUntil", reason,
       pauses > 0 as "isTroubled", failures, cause, failed_at as "failedAt",
       balance_pesewas as "balancePesewas", balance_at as "balanceAt" from supplier_health order by supplier`,
  )
  return rows
}
