import type { Queryable, Tx } from '../../../platform/db.ts'
import { IS_BUYER } from '../../people/users/known-users.sql.ts'

export type LinkRow = { userId: string; phone: string; linkedAt: Date | null; newsStopped: boolean }

/** Only while the account still has this number. */
export async function selectLink(db: Queryable, userId: string): Promise<LinkRow | null> {
  const { rows } = await db.query<LinkRow>(
    `select l.user_id as "userId", l.phone, l.linked_at as "linkedAt", c.stopped_at is not null as "newsStopped"
     from whatsapp_links l join users u on u.id = l.user_id and u.phone = l.phone left join whatsapp_chats c on c.phone = l.phone
     where l.user_id = $1`,
    [userId],
  )
  return rows[0] ?? null
}

/** Keeps a new code. An account that was connected with this number stays so. */
export async function upsertLinkCode(tx: Tx, code: { userId: string; phone: string; hash: Buffer; until: Date }) {
  await tx.query(
    `insert into whatsapp_links (user_id, phone, code_hash, code_until) values ($1, $2, $3, $4)
     on conflict (user_id) do update set phone = $2, code_hash = $3, code_until = $4, code_tries = 0,
       linked_at = case when whatsapp_links.phone = $2 then whatsapp_links.linked_at end`,
    [code.userId, code.phone, code.hash, code.until],
  )
}

export type WaitingCode = { userId: string; hash: Buffer; tries: number; until: Date; linkedAt: Date | null }

/** The code that waits for this number, locked until the transaction ends. */
export async function lockCode(tx: Tx, phone: string): Promise<WaitingCode | null> {
  const { rows } = await tx.query<WaitingCode>(
    `select l.user_id as "userId", l.code_hash as hash, l.code_tries as tries, l.code_until as until, l.linked_at as "linkedAt"
     from whatsapp_links l join users u on u.id = l.user_id and u.phone = l.phone and u.status = 'Active'
     where l.phone = $1 and l.code_hash is not null for update of l`,
    [phone],
  )
  return rows[0] ?? null
}

export async function countCodeTry(tx: Tx, userId: string) {
  await tx.query('update whatsapp_links set code_tries = code_tries + 1 where user_id = $1 and code_tries < 5', [userId])
}

/** The number is connected with this account, and with no other that had it before. */
export async function markLinked(tx: Tx, { userId, phone, now }: { userId: string; phone: string; now: Date }) {
  await tx.query('delete from whatsapp_links where phone = $1 and user_id <> $2 and linked_at is not null', [phone, userId])
  await tx.query(
    'update whatsapp_links set linked_at = coalesce(linked_at, $2), code_hash = null, code_until = null, code_tries = 0 where user_id = $1',
    [userId, now],
  )
}

/** Replies whether there was one. */
export async function deleteLink(tx: Tx, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query('delete from whatsapp_links where user_id = $1', [userId])
  return rowCount === 1
}

export async function isReceived(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select from whatsapp_received where id = $1', [id])
  return rowCount === 1
}

/** False when the message was answered before; waits for whoever answers it now. */
export async function insertReceived(tx: Tx, { id, phone, now }: { id: string; phone: string; now: Date }): Promise<boolean> {
  const { rowCount } = await tx.query('insert into whatsapp_received (id, phone, received_at) values ($1, $2, $3) on conflict do nothing', [
    id,
    phone,
    now,
  ])
  return rowCount === 1
}

/** `session`: where an earlier attempt to answer the message, whose process died, may have acted. */
export type MessageClaim = { id: string; by: string; session: string | null }

/** The right to answer a message until then; null while another has it, or when it was answered. */
export async function takeClaim(db: Queryable, claim: { id: string; by: string; now: Date; until: Date }): Promise<MessageClaim | null> {
  const { rows } = await db.query<MessageClaim>(
    `insert into whatsapp_claims (id, by, until) select $1, $2::uuid, $4 where not exists (select from whatsapp_received where id = $1)
     on conflict (id) do update set by = $2::uuid, until = $4 where whatsapp_claims.until <= $3
     returning id, by, session`,
    [claim.id, claim.by, claim.now, claim.until],
  )
  return rows[0] ?? null
}

/** Notes where the message is about to act. False when somebody else has taken over. */
export async function updateClaimSession(db: Queryable, { id, by }: MessageClaim, session: string): Promise<boolean> {
  const { rowCount } = await db.query('update whatsapp_claims set session = $3 where id = $1 and by = $2', [id, by, session])
  return rowCount === 1
}

/** Somebody else may answer it from now on. */
export async function endClaim(db: Queryable, { id, by }: MessageClaim, now: Date) {
  await db.query('update whatsapp_claims set until = $3 where id = $1 and by = $2', [id, by, now])
}

export async function deleteClaim(tx: Tx, id: string) {
  await tx.query('delete from whatsapp_claims where id = $1', [id])
}

/** The conversation that goes on, and the name of the list that was sent last in it. */
export type Place = { session: string | null; list: string | null }
export type ChatRow = Place & { heardAt: Date; stoppedAt: Date | null }

export async function selectChat(db: Queryable, phone: string): Promise<ChatRow | null> {
  const { rows } = await db.query<ChatRow>(
    'select heard_at as "heardAt", stopped_at as "stoppedAt", session, list from whatsapp_chats where phone = $1',
    [phone],
  )
  return rows[0] ?? null
}

/** Whether a number is linked to the account of somebody who has bought something. */
export async function selectIsOfBuyer(db: Queryable, phone: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from whatsapp_links l join users u on u.id = l.user_id and u.phone = l.phone where l.phone = $1 and l.linked_at is not null and ${IS_BUYER}`,
    [phone],
  )
  return rowCount === 1
}

/** `at`: when the customer sent the message, by WhatsApp's clock. */
export async function noteHeard(tx: Tx, phone: string, at: Date) {
  await tx.query(
    `insert into whatsapp_chats (phone, heard_at) values ($1, $2)
     on conflict (phone) do update set heard_at = greatest(whatsapp_chats.heard_at, excluded.heard_at)`,
    [phone, at],
  )
}

/** WhatsApp says that the 24 hours are over. */
export async function noteWindowClosed(db: Queryable, phone: string, heardBefore: Date) {
  await db.query('update whatsapp_chats set heard_at = least(heard_at, $2) where phone = $1', [phone, heardBefore])
}

export async function updatePlace(tx: Tx, phone: string, { session, list }: Place) {
  await tx.query('update whatsapp_chats set session = $2, list = $3 where phone = $1', [phone, session, list])
}

/** `null`: wants news again. */
export async function updateStopped(tx: Tx, phone: string, stoppedAt: Date | null) {
  await tx.query('update whatsapp_chats set stopped_at = $2 where phone = $1', [phone, stoppedAt])
}

/** Channels are off in a live shop, and on in a sandbox, until the owner has chosen. */
export async function selectIsOn(db: Queryable, onByDefault: boolean): Promise<boolean> {
  const { rows } = await db.query<{ isOn: boolean | null }>(`select is_on as "isOn" from channel_settings where channel = 'whatsapp'`)
  return rows[0]?.isOn ?? onByDefault
}

/** What came in, what was sent and what became of it, and numbers that were only heard of. */
export async function deleteOldWhatsapp(db: Queryable, before: Date) {
  await db.query('delete from whatsapp_received where received_at < $1', [before])
  await db.query('delete from whatsapp_claims where until < $1', [before])
  await db.query('delete from whatsapp_statuses where at < $1', [before])
  await db.query('delete from whatsapp_messages where created_at < $1', [before])
  await db.query('delete from whatsapp_chats where heard_at < $1 and stopped_at is null', [before])
}

/** Whose number this is, if it is connected and the account still has it. */
export async function selectLinkedUserId(db: Queryable, phone: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    'select u.id from whatsapp_links l join users u on u.id = l.user_id and u.phone = l.phone where l.phone = $1 and l.linked_at is not null',
    [phone],
  )
  return rows[0]?.id ?? null
}

/** Whether this number still speaks for the user, who is locked against a ban and the link against its end until the transaction ends. */
export async function lockLinkedUser(tx: Tx, userId: string, phone: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from users u join whatsapp_links l on l.user_id = u.id
     where u.id = $1 and u.phone = $2 and u.status = 'Active' and l.phone = $2 and l.linked_at is not null for share of u, l`,
    [userId, phone],
  )
  return rowCount === 1
}
