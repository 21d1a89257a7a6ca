import type { DaySheet } from '../../../../shared/day-close.ts'
import { RESERVATIONS } from '../../../ledger/accounts.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export type Range = { from: Date; until: Date }
export type Movement = { accountId: number; code: string; kind: string; postings: number; pesewas: number }

/** What moved on the house's accounts in a range, without what was set aside of wallets, which counts as theirs; whole days from their totals, the hours at its ends from the entries. */
export async function selectMovements(db: Queryable, { from, until }: Range): Promise<Movement[]> {
  const { rows } = await db.query<Movement>({
    name: 'account-movements',
    text: `select m.account_id as "accountId", a.code, m.kind, m.postings, m.pesewas
      from account_movements($1, $2) m join accounts a on a.id = m.account_id where m.account_id <> ${RESERVATIONS} order by m.account_id, m.kind`,
    values: [from, until],
  })
  return rows
}

/** What all wallets held at a time, with what was set aside of them, in pesewas: what they hold now without what moved since. */
export async function selectWalletsAt(db: Queryable, at: Date): Promise<number> {
  const { rows } = await db.query<{ pesewas: number }>({
    name: 'wallets-at',
    text: `select ((select coalesce(sum(pesewas), 0) from account_movements($1, 'infinity') where account_id <> ${RESERVATIONS})
        - (select coalesce(sum(pesewas), 0) from house_balances where account_id <> ${RESERVATIONS}))::bigint as pesewas`,
    values: [at],
  })
  return rows[0]?.pesewas ?? 0
}

/** What the shop has read at each supplier, and entered of the portals that are used by hand, newest first. */
export async function selectReadings(db: Queryable): Promise<{ supplier: string; pesewas: number | null; readAt: Date | null }[]> {
  const { rows } = await db.query<{ supplier: string; pesewas: number | null; readAt: Date | null }>({
    name: 'supplier-readings',
    text: `select substr(a.code, 10) as supplier, sum(newest.amount)::bigint as pesewas, max(newest.read_at) as "readAt"
      from accounts a left join lateral (
        select distinct on (float_key) amount, read_at from float_readings
        where float_key = substr(a.code, 10) or (a.code = 'supplier:by-hand' and float_key like 'by-hand:%')
        order by float_key, read_at desc, id desc
      ) newest on true
      where a.id between 100 and 999 group by a.id, a.code order by a.id`,
  })
  return rows
}

export type StoredCounted = {
  key: string
  name: string
  expectedPesewas: number | null
  movedPesewas: number
  countedPesewas: number
  note: string
  /** Missing in closes of before payment numbers were counted one by one. */
  parts?: { key: string; name: string; countedPesewas: number }[]
}
export type CloseRow = {
  id: number
  from: Date
  until: Date
  openingPesewas: number
  closingPesewas: number
  profit: number
  note: string
  signedBy: string
  signedAt: Date
  corrects: number | null
  correctedBy: number | null
}

const CLOSE = `c.id, c.from_at as "from", c.until_at as until, c.opening_pesewas as "openingPesewas", c.closing_pesewas as "closingPesewas",
  (c.sheet #>> '{earned,profit}')::float8 as profit, c.note, u.username as "signedBy", c.signed_at as "signedAt", c.corrects,
  (select later.id from day_closes later where later.corrects = c.id) as "correctedBy"`

/** The newest closes, corrections among them. */
export async function selectCloses(db: Queryable, limit: number): Promise<CloseRow[]> {
  const { rows } = await db.query<CloseRow>({
    name: 'day-closes',
    text: `select ${CLOSE} from day_closes c join users u on u.id = c.signed_by order by c.until_at desc, c.id desc limit $1`,
    values: [limit],
  })
  return rows
}

export async function selectClose(db: Queryable, id: number): Promise<(CloseRow & { sheet: DaySheet; counted: StoredCounted[] }) | null> {
  const { rows } = await db.query<CloseRow & { sheet: DaySheet; counted: StoredCounted[] }>(
    `select ${CLOSE}, c.sheet, c.counted from day_closes c join users u on u.id = c.signed_by where c.id = $1`,
    [id],
  )
  return rows[0] ?? null
}

/** What was counted at the close that ended then, as it stands after its corrections. */
export async function selectCountedAt(db: Queryable, at: Date): Promise<StoredCounted[]> {
  const { rows } = await db.query<{ counted: StoredCounted[] }>({
    name: 'counted-at',
    text: 'select counted from day_closes where until_at = $1 order by id desc limit 1',
    values: [at],
  })
  return rows[0]?.counted ?? []
}

/** Where the last close ended; null before the first. */
export async function selectClosedUntil(db: Queryable): Promise<Date | null> {
  const { rows } = await db.query<{ until: Date | null }>({ name: 'closed-until', text: 'select max(until_at) as until from day_closes' })
  return rows[0]?.until ?? null
}

/** When the newest entry was made; null in an empty ledger. */
export async function selectLastMovement(db: Queryable): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date }>({
    name: 'last-movement',
    text: 'select created_at as at from journal_entries order by id desc limit 1',
  })
  return rows[0]?.at ?? null
}

/** Keeps new entries out until the transaction ends, after those that are being written. */
export async function lockLedger(tx: Tx) {
  await tx.query('select lock_ledger()')
}

export async function insertClose(
  tx: Tx,
  close: Range & {
    openingPesewas: number
    closingPesewas: number
    sheet: DaySheet
    counted: StoredCounted[]
    note: string
    corrects: number | null
    signedBy: string
    now: Date
  },
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into day_closes (from_at, until_at, corrects, opening_pesewas, closing_pesewas, sheet, counted, note, signed_by, signed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [
      close.from,
      close.until,
      close.corrects,
      close.openingPesewas,
      close.closingPesewas,
      JSON.stringify(close.sheet),
      JSON.stringify(close.counted),
      close.note,
      close.signedBy,
      close.now,
    ],
  )
  return (rows[0] as { id: number }).id
}

/** The account of what the shop owes a supplier. */
export async function selectSupplierAccount(tx: Tx, supplier: string): Promise<number> {
  const { rows } = await tx.query<{ id: number }>('select supplier_account($1) as id', [supplier])
  return (rows[0] as { id: number }).id
}
