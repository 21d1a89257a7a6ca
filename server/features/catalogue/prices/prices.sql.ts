import type { Queryable, Tx } from '../../../platform/db.ts'
import type { ProductRow } from '../products/products.sql.ts'

/** One package's change as it is stored; prices in pesewas. */
export type ChangeRow = {
  productId: string
  offer: string
  network: string
  priceCustomerPesewas?: { from: number; to: number } | undefined
  priceAgentPesewas?: { from: number; to: number } | undefined
  hidden?: { from: boolean; to: boolean } | undefined
}

export type ScheduleRow = { id: string; changes: ChangeRow[]; liveAt: Date; createdAt: Date; createdBy: string; by: string }
export type EndedRow = { id: string; liveAt: Date; by: string; outcome: 'published' | 'refused'; leftOut: ChangeRow[] }
export type PublicationRow = {
  id: string
  changes: ChangeRow[]
  publishedAt: Date
  by: string
  scheduleId: string | null
  undoes: string | null
}

/** Publications come one after the other, so that "the newest" is the same for all of them. */
export async function lockPublications(tx: Tx) {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('price-publications', 0))`)
}

type NewPrices = Pick<ProductRow['packages'][number], 'offer' | 'priceCustomerPesewas' | 'priceAgentPesewas' | 'hidden'>

/** Sets the prices of packages of locked products, and whether they are hidden. */
export async function updatePackages(tx: Tx, packages: (NewPrices & { productId: string })[]) {
  await tx.query(
    `update packages k set price_customer_pesewas = line."priceCustomerPesewas", price_agent_pesewas = line."priceAgentPesewas", hidden = line.hidden
     from jsonb_to_recordset($1::jsonb)
       as line("productId" uuid, offer text, "priceCustomerPesewas" bigint, "priceAgentPesewas" bigint, hidden boolean)
     where k.product_id = line."productId" and k.offer = line.offer`,
    [JSON.stringify(packages)],
  )
}

type NewPublication = { changes: ChangeRow[]; now: Date; by: string; scheduleId?: string; undoes?: string }

export async function insertPublication(tx: Tx, { changes, now, by, scheduleId, undoes }: NewPublication) {
  await tx.query('insert into price_publications (changes, published_at, published_by, schedule_id, undoes) values ($1, $2, $3, $4, $5)', [
    JSON.stringify(changes),
    now,
    by,
    scheduleId ?? null,
    undoes ?? null,
  ])
}

export async function selectNewestPublication(db: Queryable): Promise<PublicationRow | null> {
  const { rows } = await db.query<PublicationRow>(
    `select p.id, p.changes, p.published_at as "publishedAt", u.username as by, p.schedule_id as "scheduleId", p.undoes
     from price_publications p join users u on u.id = p.published_by order by p.seq desc limit 1`,
  )
  return rows[0] ?? null
}

export async function isPublication(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select from price_publications where id = $1', [id])
  return rowCount === 1
}

export async function insertSchedule(tx: Tx, { changes, liveAt, now, by }: { changes: ChangeRow[]; liveAt: Date; now: Date; by: string }) {
  await tx.query('insert into price_schedules (changes, live_at, created_at, created_by) values ($1, $2, $3, $4)', [
    JSON.stringify(changes),
    liveAt,
    now,
    by,
  ])
}

const SCHEDULE = `s.id, s.changes, s.live_at as "liveAt", s.created_at as "createdAt", s.created_by as "createdBy", u.username as by`

export async function selectWaitingSchedules(db: Queryable): Promise<ScheduleRow[]> {
  const { rows } = await db.query<ScheduleRow>(
    `select ${SCHEDULE} from price_schedules s join users u on u.id = s.created_by where s.ended_at is null order by s.live_at, s.id`,
  )
  return rows
}

export async function selectDueSchedules(db: Queryable, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'due-price-schedules',
    text: 'select id from price_schedules where ended_at is null and live_at <= $1 order by live_at, id limit 20',
    values: [now],
  })
  return rows.map(({ id }) => id)
}

/** A schedule that has not ended, locked until the transaction ends; null when it has, or never was. */
export async function lockWaitingSchedule(tx: Tx, id: string): Promise<ScheduleRow | null> {
  const { rowCount } = await tx.query('select from price_schedules where id = $1 and ended_at is null for update', [id])
  if (rowCount === 0) return null
  const { rows } = await tx.query<ScheduleRow>(
    `select ${SCHEDULE} from price_schedules s join users u on u.id = s.created_by where s.id = $1`,
    [id],
  )
  return rows[0] ?? null
}

export async function isSchedule(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select from price_schedules where id = $1', [id])
  return rowCount === 1
}

type Ending = { outcome: 'published' | 'cancelled' | 'refused'; leftOut: ChangeRow[]; now: Date }

export async function endSchedule(tx: Tx, id: string, { outcome, leftOut, now }: Ending) {
  await tx.query('update price_schedules set ended_at = $2, outcome = $3, left_out = $4 where id = $1', [
    id,
    now,
    outcome,
    JSON.stringify(leftOut),
  ])
}

/** Schedules that ended since then with something left out. */
export async function selectIncompleteSchedules(db: Queryable, since: Date): Promise<EndedRow[]> {
  const { rows } = await db.query<EndedRow>(
    `select s.id, s.live_at as "liveAt", u.username as by, s.outcome, s.left_out as "leftOut"
     from price_schedules s join users u on u.id = s.created_by
     where s.ended_at > $1 and s.outcome <> 'cancelled' and s.left_out <> '[]' order by s.ended_at desc limit 10`,
    [since],
  )
  return rows
}
