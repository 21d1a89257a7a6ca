import type { ForwardedMessage, ForwarderApp, WalletNetwork } from '../../../../shared/forwarders.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export type ForwarderRow = {
  id: string
  name: string
  app: ForwarderApp
  networks: WalletNetwork[]
  phone: string | null
  createdAt: Date
  createdBy: string
  createdById: string
  seenAt: Date | null
  messageAt: Date | null
  problem: string | null
  battery: number | null
  silentSince: Date | null
  oldKeyUntil: Date | null
}

const FORWARDER = `f.id, f.name, f.app, f.networks, f.phone, f.created_at as "createdAt", by.username as "createdBy",
  f.created_by as "createdById", f.seen_at as "seenAt", f.message_at as "messageAt", f.problem, f.battery_percent as battery,
  f.silent_since as "silentSince", f.old_key_until as "oldKeyUntil"`
const FROM = 'forwarders f join users by on by.id = f.created_by'

/** All phones that were not taken away, the oldest first. */
export async function selectForwarders(db: Queryable): Promise<ForwarderRow[]> {
  const { rows } = await db.query<ForwarderRow>(`select ${FORWARDER} from ${FROM} where f.ended_at is null order by f.created_at, f.id`)
  return rows
}

export async function selectForwarder(db: Queryable, id: string): Promise<ForwarderRow | null> {
  const { rows } = await db.query<ForwarderRow>(`select ${FORWARDER} from ${FROM} where f.id = $1 and f.ended_at is null`, [id])
  return rows[0] ?? null
}

/** A phone that was not taken away, locked until the transaction ends: its messages are read one after the other. */
export async function lockForwarder(tx: Tx, id: string): Promise<ForwarderRow | null> {
  const { rows } = await tx.query<ForwarderRow>(
    `select ${FORWARDER} from ${FROM} where f.id = $1 and f.ended_at is null for no key update of f`,
    [id],
  )
  return rows[0] ?? null
}

/** All phones that were not taken away, locked until the transaction ends. */
export async function lockForwarders(tx: Tx): Promise<ForwarderRow[]> {
  const { rows } = await tx.query<ForwarderRow>(
    `select ${FORWARDER} from ${FROM} where f.ended_at is null order by f.id for no key update of f`,
  )
  return rows
}

export type ForwarderKeys = { app: ForwarderApp; key: Buffer; oldKey: Buffer | null }

/** The sealed keys that a call may prove itself by. */
export async function selectKeys(db: Queryable, id: string, now: Date): Promise<ForwarderKeys | null> {
  const { rows } = await db.query<ForwarderKeys>(
    `select app, key, case when old_key_until > $2 then old_key end as "oldKey" from forwarders where id = $1 and ended_at is null`,
    [id, now],
  )
  return rows[0] ?? null
}

/** Phones that are added at the same moment wait for one another, so that their count holds. */
export async function countForwarders(tx: Tx): Promise<number> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('forwarders', 0))`)
  const { rows } = await tx.query<{ count: number }>('select count(*) as count from forwarders where ended_at is null')
  return rows[0]?.count ?? 0
}

export type NewForwarder = Pick<ForwarderRow, 'name' | 'app' | 'networks' | 'phone'> & { key: Buffer; by: string; now: Date }

export async function insertForwarder(tx: Tx, made: NewForwarder): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `with made as (
       insert into forwarders (name, app, networks, phone, key, created_by, created_at) values ($1, $2, $3, $4, $5, $6, $7) returning id, networks
     ), wallets as (insert into momo_wallets (forwarder_id, network) select id, unnest(networks) from made)
     select id from made`,
    [made.name, made.app, made.networks, made.phone, made.key, made.by, made.now],
  )
  return (rows[0] as { id: string }).id
}

export async function updateKey(tx: Tx, id: string, { key, oldUntil }: { key: Buffer; oldUntil: Date }) {
  await tx.query('update forwarders set old_key = key, old_key_until = $3, key = $2 where id = $1', [id, key, oldUntil])
}

export async function updateEnded(tx: Tx, id: string, now: Date) {
  await tx.query('update forwarders set ended_at = $2, old_key = null, old_key_until = null where id = $1', [id, now])
}

/** Notes a call with the right key. A problem stays until a call has none. */
export async function updateSeen(
  db: Queryable,
  id: string,
  {
    now,
    isMessage = false,
    battery = null,
    problem = null,
  }: { now: Date; isMessage?: boolean; battery?: number | null; problem?: string | null },
) {
  await db.query(
    `update forwarders set seen_at = greatest(seen_at, $2), message_at = case when $3 then greatest(message_at, $2) else message_at end,
       battery_percent = coalesce($4, battery_percent), problem = $5, silent_since = null where id = $1 and ended_at is null`,
    [id, now, isMessage, battery, problem],
  )
}

/** Notes why a call was refused. That the phone was heard of it does not say: anybody may send an old call again. */
export async function updateProblem(db: Queryable, id: string, problem: string) {
  await db.query('update forwarders set problem = $2 where id = $1 and ended_at is null', [id, problem])
}

/** False when it was told of already, or has said something meanwhile. */
export async function updateSilent(tx: Tx, id: string, { seenAt, now }: { seenAt: Date | null; now: Date }): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update forwarders set silent_since = $3 where id = $1 and silent_since is null and seen_at is not distinct from $2 and ended_at is null',
    [id, seenAt, now],
  )
  return rowCount === 1
}

export type MessageOutcome = ForwardedMessage['outcome']
export type MessageRow = {
  receivedAt: Date
  outcome: MessageOutcome
  network: string
  amountPesewas: number | null
  transactionId: string | null
  says: string
}

/** False, and nothing added, when the same message was received before. */
export async function insertMessage(tx: Tx, forwarderId: string, keyHash: Buffer, row: MessageRow): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into forwarded_messages (forwarder_id, key_hash, received_at, outcome, network, amount_pesewas, transaction_id, says)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (forwarder_id, key_hash) do nothing`,
    [forwarderId, keyHash, row.receivedAt, row.outcome, row.network, row.amountPesewas, row.transactionId, row.says],
  )
  return rowCount === 1
}

export async function hasMessage(tx: Tx, forwarderId: string, keyHash: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query('select from forwarded_messages where forwarder_id = $1 and key_hash = $2', [forwarderId, keyHash])
  return rowCount !== 0
}

export async function selectMessages(db: Queryable, forwarderId: string, limit: number): Promise<MessageRow[]> {
  const { rows } = await db.query<MessageRow>(
    `select received_at as "receivedAt", outcome, network, amount_pesewas as "amountPesewas", transaction_id as "transactionId", says
     from forwarded_messages where forwarder_id = $1 order by seq desc limit $2`,
    [forwarderId, limit],
  )
  return rows
}

/** Payments stay; what else was received is forgotten after a while. */
export async function deleteOldMessages(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from forwarded_messages where received_at < $1', [before])
}
