import { randomBytes } from 'node:crypto'
import type { Queryable, Tx } from '../../../platform/db.ts'

/** Five wrong PINs lock it for the first of these; each further five for the next, until a day has passed without. */
const LOCKS = ['15 minutes', '1 hour', '4 hours', '1 day']

export type PinRow = {
  atCheckout: boolean
  changedAt: Date
  lockedUntil: Date | null
  resetAskedAt: Date | null
  resets: number
  /** When phone number, e-mail address or password were last changed; long ago if never. */
  loginChangedAt: Date
  /** Whether only a code that was sent allows a new PIN, however long ago it was asked for. */
  hasCode: boolean
}

const PIN = `at_checkout as "atCheckout", changed_at as "changedAt", locked_until as "lockedUntil", reset_asked_at as "resetAskedAt", resets,
  reset_hash is not null as "hasCode",
  (select coalesce(u.login_changed_at, u.created_at - interval '1 day') from users u where u.id = user_id) as "loginChangedAt"`

export async function selectPin(db: Queryable, userId: string): Promise<PinRow | null> {
  const { rows } = await db.query<PinRow>(`select ${PIN} from transaction_pins where user_id = $1`, [userId])
  return rows[0] ?? null
}

export async function lockPin(tx: Tx, userId: string): Promise<PinRow | null> {
  const { rows } = await tx.query<PinRow>(`select ${PIN} from transaction_pins where user_id = $1 for update`, [userId])
  return rows[0] ?? null
}

/** `pin` is the sealed hash; `tries` are those used up, this one included; `lockedUntil`: this try has locked it. */
export type PinTry = { pin: Buffer; tries: number; lockedUntil: Date | null }

/** Counts a try before the PIN is looked at, so that no more than five are under way at once. Null without a PIN, or while it is locked. */
export async function takePinTry(db: Queryable, userId: string, now: Date): Promise<PinTry | null> {
  const { rows } = await db.query<PinTry>(
    `with counted as (
       select user_id, case when locked_until < $2::timestamptz - interval '1 day' then 0 else locks end as locks
       from transaction_pins where user_id = $1 for update
     )
     update transaction_pins p set
       tries = case when p.tries < 4 then p.tries + 1 else 0 end,
       locks = case when p.tries < 4 then p.locks else c.locks + 1 end,
       locked_until = case when p.tries < 4 then p.locked_until else $2 + ($3::interval[])[least(c.locks + 1, cardinality($3::interval[]))] end
     from counted c where p.user_id = c.user_id and (p.locked_until is null or p.locked_until <= $2)
     returning p.pin, p.tries, case when p.tries = 0 then p.locked_until end as "lockedUntil"`,
    [userId, now, LOCKS],
  )
  return rows[0] ?? null
}

/** The PIN of a try was right: the wrong ones before it are forgotten, and the lock that the try itself may have set. */
export async function forgiveTries(db: Queryable, userId: string, { pin, lockedUntil }: PinTry, now: Date) {
  await db.query(
    `update transaction_pins set tries = 0, locks = locks - $3, locked_until = case when $3 = 1 then $4 else locked_until end
     where user_id = $1 and pin = $2`,
    [userId, pin, lockedUntil ? 1 : 0, now],
  )
}

/** The PIN of a try was not looked at. */
export async function giveBackTry(db: Queryable, userId: string, { pin, lockedUntil }: PinTry, now: Date) {
  await db.query(
    `update transaction_pins set tries = case when $3 = 1 then 4 else greatest(tries - 1, 0) end, locks = locks - $3,
       locked_until = case when $3 = 1 then $4 else locked_until end
     where user_id = $1 and pin = $2`,
    [userId, pin, lockedUntil ? 1 : 0, now],
  )
}

/** False when there is one already. */
export async function insertPin(tx: Tx, pin: { userId: string; pin: Buffer; atCheckout: boolean; now: Date }): Promise<boolean> {
  const { rowCount } = await tx.query(
    'insert into transaction_pins (user_id, pin, at_checkout, changed_at) values ($1, $2, $3, $4) on conflict do nothing',
    [pin.userId, pin.pin, pin.atCheckout, pin.now],
  )
  return rowCount === 1
}

/** False when the PIN is no longer the one that was checked. A new PIN that somebody has asked for can no longer be set. */
export async function updatePin(
  tx: Tx,
  change: { userId: string; from: Buffer; to: Buffer | null; atCheckout: boolean | null; now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update transaction_pins set pin = coalesce($3, pin), at_checkout = coalesce($4, at_checkout), changed_at = $5,
       reset_hash = case when reset_asked_at is not null then $6::bytea end, reset_message_id = null
     where user_id = $1 and pin = $2`,
    [change.userId, change.from, change.to, change.atCheckout, change.now, codeOfNobody()],
  )
  if (rowCount === 1 && change.to) await deleteProofs(tx, change.userId)
  return rowCount === 1
}

/** False when the PIN is no longer the one that was checked. */
export async function deletePin(tx: Tx, userId: string, from: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query('delete from transaction_pins where user_id = $1 and pin = $2', [userId, from])
  return rowCount === 1
}

async function deleteProofs(tx: Tx, userId: string) {
  await tx.query('delete from pin_proofs where user_id = $1', [userId])
}

/** False when the PIN is no longer the one that was checked: its row is locked, so that a change waits for this or is seen. */
export async function insertProof(
  tx: Tx,
  proof: { userId: string; pin: Buffer; hash: Buffer; now: Date; expiresAt: Date },
): Promise<boolean> {
  await tx.query('delete from pin_proofs where user_id = $1 and expires_at <= $2', [proof.userId, proof.now])
  const { rowCount } = await tx.query(
    `insert into pin_proofs (hash, user_id, expires_at)
     select $3, user_id, $4 from transaction_pins where user_id = $1 and pin = $2 for share`,
    [proof.userId, proof.pin, proof.hash, proof.expiresAt],
  )
  return rowCount === 1
}

/** Uses a proof up; without one, true for who is not asked. */
export async function takeProof(tx: Tx, userId: string, hash: Buffer | null, now: Date): Promise<boolean> {
  const { rows } = await tx.query<{ taken: boolean }>('select take_pin_proof($1, $2, $3) as taken', [userId, hash, now])
  return rows[0]?.taken ?? false
}

/** Leaves a proof for what the database itself guards in this transaction, such as a withdrawal. */
export async function noteProof(tx: Tx, hash: Buffer) {
  await tx.query(`select set_config('shop.pin_proof', $1, true)`, [hash.toString('hex')])
}

/** Then a new PIN takes the code of this message, which has not been sent yet, or a wait. A code asked for before is worth nothing. */
export async function noteResetAsked(tx: Tx, userId: string, { messageId, now }: { messageId: string | null; now: Date }) {
  await tx.query(
    `update transaction_pins set reset_asked_at = $2, resets = resets + 1, reset_hash = $3, reset_tries = 0, reset_message_id = $4
     where user_id = $1`,
    [userId, now, messageId === null ? null : codeOfNobody(), messageId],
  )
}

/** In the place of a code's hash where no code is right, and waiting does not help either. */
function codeOfNobody(): Buffer {
  return randomBytes(32)
}

/** Whether the message of the asking went to the number that the account has now: numbers change hands. */
const TO_ITS_NUMBER = `exists (
  select from sms_messages m join users u on u.phone = m.receiver where m.id = p.reset_message_id and u.id = p.user_id
)`

/** Keeps the code of a message that is being sent, for the account whose last asking it answers. False when there is none. */
export async function updateResetCode(tx: Tx, code: { messageId: string; hash: Buffer; askedSince: Date }): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update transaction_pins p set reset_hash = $2, reset_tries = 0
     where p.reset_message_id = $1 and p.reset_hash is not null and p.reset_asked_at >= $3 and ${TO_ITS_NUMBER}`,
    [code.messageId, code.hash, code.askedSince],
  )
  return rowCount === 1
}

/** Counts a try of the code before it is compared; null when none was sent since then to the account's number, or five were wrong. */
export async function takeResetTry(db: Queryable, userId: string, askedSince: Date): Promise<Buffer | null> {
  const { rows } = await db.query<{ hash: Buffer }>(
    `update transaction_pins p set reset_tries = reset_tries + 1
     where p.user_id = $1 and p.reset_hash is not null and p.reset_tries < 5 and p.reset_asked_at >= $2 and ${TO_ITS_NUMBER}
     returning p.reset_hash as hash`,
    [userId, askedSince],
  )
  return rows[0]?.hash ?? null
}

/** A new PIN, which ends a lock and every proof. */
export async function replacePin(tx: Tx, change: { userId: string; to: Buffer; now: Date }) {
  await tx.query(
    `update transaction_pins set pin = $2, changed_at = $3, tries = 0, locks = 0, locked_until = null, reset_hash = null, reset_asked_at = null,
       resets = 0, reset_tries = 0, reset_message_id = null
     where user_id = $1`,
    [change.userId, change.to, change.now],
  )
  await deleteProofs(tx, change.userId)
}
