import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { markEmailConfirmed, takeResetToken } from './password-resets.sql.ts'
import { DeadLink } from './reset-password.ts'

/**
 * Uses up a mailed link without a new password: whoever reads the account's mails is its owner, whose browser others' guesses shall not lock out. It
 * signs nobody in. Returns the user.
 * @throws DeadLink when the link is unknown, used or older than an hour
 */
export async function confirmBrowser(ctx: Ctx, token: string): Promise<string> {
  return transaction(ctx.db, async (tx) => {
    const userId = await takeResetToken(tx, hashToken(token), ctx.now)
    if (!userId) throw new DeadLink()
    await markEmailConfirmed(tx, userId, ctx.now)
    return userId
  })
}
