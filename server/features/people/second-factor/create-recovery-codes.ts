import { randomInt } from 'node:crypto'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { type CodeChecks, hashRecoveryCode } from './check-code.ts'
import { requireOwnCode } from './require-own-code.ts'
import { replaceRecoveryCodes } from './second-factor.sql.ts'

const CODES = 10
/** Without letters and digits that look alike; 16 of them are 79 bits, so a plain hash is enough. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 16

/**
 * Ten new recovery codes, by a code; the old ones stop working.
 * @throws what `requireOwnCode` throws; PasswordNeeded, Forbidden.
 */
export async function createRecoveryCodes(ctx: Ctx, checks: CodeChecks, code: string): Promise<string[]> {
  return transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'staff')
    await requirePassword(tx, ctx)
    await requireOwnCode(tx, ctx, checks, code)
    await recordAdminAction(tx, ctx, { action: 'staff.recovery-codes', subject: { type: 'user', id: actor.id } })
    return renewRecoveryCodes(tx, ctx, actor.id)
  })
}

export async function renewRecoveryCodes(tx: Tx, ctx: Ctx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, makeCode)
  await replaceRecoveryCodes(tx, { userId, hashes: codes.map((code) => hashRecoveryCode(code.replaceAll('-', ''))), now: ctx.now })
  return codes
}

/** Such as ABCD-EFGH-JKLM-NPQR. */
function makeCode(): string {
  const signs = Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')
  return signs.replaceAll(/(.{4})(?!$)/g, '$1-')
}
