import type { FormatKind, FormatNetwork } from '../../../../shared/message-format-endpoints.ts'
import type { MomoNetwork } from '../../../../shared/message-formats.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

/** One version of a form, as somebody has written it down. `words` null: as it came with the shop. */
export type FormatRow = {
  network: FormatNetwork
  name: string
  version: number
  isOn: boolean
  kind: FormatKind
  words: string | null
  senders: string[]
  samples: string[]
  changedAt: Date
  changedBy: string
}

const FORMAT = `f.network, f.name, f.version, f.is_on as "isOn", f.kind, f.words, f.senders, f.samples, f.changed_at as "changedAt",
  by.username as "changedBy"`
const FROM = 'message_formats f join users by on by.id = f.changed_by'

/** The newest version of each form that was ever changed or written. */
export async function selectFormats(db: Queryable): Promise<FormatRow[]> {
  const { rows } = await db.query<FormatRow>(
    `select distinct on (f.network, f.name) ${FORMAT} from ${FROM} order by f.network, f.name, f.version desc`,
  )
  return rows
}

export async function selectVersions(db: Queryable, network: FormatNetwork, name: string, limit: number): Promise<FormatRow[]> {
  const { rows } = await db.query<FormatRow>(
    `select ${FORMAT} from ${FROM} where f.network = $1 and f.name = $2 order by f.version desc limit $3`,
    [network, name, limit],
  )
  return rows
}

/** Who changes a form next waits until this transaction ends: each change is tried against all the others. */
export async function lockFormats(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('message formats', 0))`)
}

export type NewVersion = Omit<FormatRow, 'changedAt' | 'changedBy'> & { by: string; now: Date }

/** False when this version is there already. */
export async function insertVersion(tx: Tx, made: NewVersion): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into message_formats (network, name, version, is_on, kind, words, senders, samples, changed_by, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (network, name, version) do nothing`,
    [made.network, made.name, made.version, made.isOn, made.kind, made.words, made.senders, made.samples, made.by, made.now],
  )
  return rowCount === 1
}

export type UnreadRow = { id: string; text: string; network: MomoNetwork; receivedAt: Date; waiting: boolean }

/** The newest messages with money and an id that no form knew when they were read. */
export async function selectUnread(db: Queryable, since: Date, limit: number): Promise<UnreadRow[]> {
  const { rows } = await db.query<UnreadRow>(
    `select id, raw as text, network, received_at as "receivedAt", status = 'waiting' as waiting from received_payments
     where doubts @> array['unknown-form'] and received_at >= $1 order by seq desc limit $2`,
    [since, limit],
  )
  return rows
}
