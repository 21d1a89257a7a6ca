import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { hashLinkCode } from './start-link.ts'
import { countCodeTry, lockCode, markLinked } from './whatsapp.sql.ts'

const MOST_CODE_TRIES = 5

/**
 * Connects the number that sent this code with the account that the code was made for, which has the same number.
 * A code is wrong at most five times.
 */
export async function confirmLink(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  { phone, code }: { phone: string; code: string },
): Promise<'linked' | 'wrong' | 'none'> {
  const waiting = await lockCode(tx, phone)
  if (!waiting || waiting.until < ctx.now || waiting.tries >= MOST_CODE_TRIES) return 'none'
  if (!hashLinkCode(waiting.userId, code).equals(waiting.hash)) {
    await countCodeTry(tx, waiting.userId)
    return 'wrong'
  }
  await markLinked(tx, { userId: waiting.userId, phone, now: ctx.now })
  return 'linked'
}
