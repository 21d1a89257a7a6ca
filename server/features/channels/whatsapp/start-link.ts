import { randomInt } from 'node:crypto'
import { LINK_CODE_MINUTES } from '../../../../shared/whatsapp-rules.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { selectIsOn, upsertLinkCode } from './whatsapp.sql.ts'

/**
 * Makes a code that connects the caller's own phone number, once it is sent from there.
 * @throws AppError (CONFLICT) while the shop does not answer on WhatsApp.
 */
export async function startLink(ctx: Ctx, { onByDefault }: { onByDefault: boolean | null }): Promise<{ code: string; expiresAt: Date }> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const expiresAt = new Date(ctx.now.getTime() + LINK_CODE_MINUTES * 60_000)
  await transaction(ctx.db, async (tx) => {
    const { id: userId } = await lockActor(tx, ctx)
    if (onByDefault === null || !(await selectIsOn(tx, onByDefault)))
      throw new AppError('CONFLICT', 'We don’t answer on WhatsApp at the moment.')
    const { rows } = await tx.query<{ phone: string }>('select phone from users where id = $1', [userId])
    const phone = rows[0]?.phone as string
    await upsertLinkCode(tx, { userId, phone, hash: hashLinkCode(userId, code), until: expiresAt })
  })
  return { code, expiresAt }
}

export function hashLinkCode(userId: string, code: string): Buffer {
  return hashToken(`whatsapp code of ${userId}: ${code}`)
}
