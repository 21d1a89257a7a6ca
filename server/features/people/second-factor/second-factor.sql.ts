import type { Queryable, Tx } from '../../../platform/db.ts'

export async function upsertSecret(tx: Tx, factor: { userId: string; secret: Buffer; now: Date }) {
  await tx.query(
    `insert into second_factors (user_id, kind, secret, created_at) values ($1, 'totp', $2, $3)
     on conflict (user_id, kind) do update set secret = excluded.secret, created_at = excluded.created_at, last_step = 0
       where second_factors.confirmed_at is null`,
    [factor.userId, factor.secret, factor.now],
  )
}

export type SecondFactor = { secret: Buffer; confirmedAt: Date | null }

export async function selectSecondFactor(db: Queryable, userId: string): Promise<SecondFactor | null> {
  const { rows } = await db.query<SecondFactor>(
    `select secret, confirmed_at as "confirmedAt" from second_factors where user_id = $1 and kind = 'totp'`,
    [userId],
  )
  return rows[0] ?? null
}

/** Takes a time step for good. Of several who send one code at once, one gets true. */
export async function takeStep(db: Queryable, { userId, step }: { userId: string; step: number }): Promise<boolean> {
  const { rowCount } = await db.query(`update second_factors set last_step = $2 where user_id = $1 and kind = 'totp' and last_step < $2`, [
    userId,
    step,
  ])
  return rowCount === 1
}

export async function markConfirmed(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update second_factors set confirmed_at = $2 where user_id = $1 and kind = 'totp' and confirmed_at is null`,
    [userId, now],
  )
  return rowCount === 1
}

/** With its recovery codes. False when there was none. */
export async function deleteSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  await tx.query('delete from recovery_codes where user_id = $1', [userId])
  const { rowCount } = await tx.query('delete from second_factors where user_id = $1', [userId])
  return (rowCount ?? 0) > 0
}

export async function replaceRecoveryCodes(tx: Tx, codes: { userId: string; hashes: Buffer[]; now: Date }) {
  await tx.query('delete from recovery_codes where user_id = $1', [codes.userId])
  await tx.query('insert into recovery_codes (hash, user_id, created_at) select unnest($1::bytea[]), $2, $3', [
    codes.hashes,
    codes.userId,
    codes.now,
  ])
}

/** Uses a recovery code up. Of several who send one at once, one gets true. */
export async function takeRecoveryCode(db: Queryable, code: { userId: string; hash: Buffer; now: Date }): Promise<boolean> {
  const { rowCount } = await db.query('update recovery_codes set used_at = $3 where hash = $1 and user_id = $2 and used_at is null', [
    code.hash,
    code.userId,
    code.now,
  ])
  return rowCount === 1
}

export async function countRecoveryCodes(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    'select count(*) as total from recovery_codes where user_id = $1 and used_at is null',
    [userId],
  )
  return rows[0]?.total ?? 0
}

export async function isSecondFactorRequired(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ required: boolean | null }>('select second_factor_required as required from staff_rules')
  return rows[0]?.required ?? false
}

/** A live shop asks for it unless its owner has decided otherwise; a sandbox does not. */
export async function ensureSecondFactorRule(db: Queryable, isLive: boolean) {
  await db.query('update staff_rules set second_factor_required = $1 where second_factor_required is null', [isLive])
}
