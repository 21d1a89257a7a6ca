import { timingSafeEqual } from 'node:crypto'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { AppError, Invalid } from '../../../platform/errors.ts'
import { type CodePlace, countWrongCodes, lockLiveCodes, markUsed, markWrong, type NewcomersPlace } from './number-codes.sql.ts'
import { hashNumberCode } from './send-number-code.ts'

const DAY_MS = 24 * 3_600_000
const MOST_WRONG = 5
/** In a day, over all codes of an account: with six digits that meets one in 66,000 times. */
const MOST_WRONG_A_DAY = 15

/**
 * Uses up the code of a place. The caller has locked the account, so that tries are counted one after the other. A wrong one is counted and
 * returned, to be thrown after the commit that keeps the count.
 * @throws 409 CONFLICT when no code works any more. `instead` is the sentence for whoever gets no further.
 */
export async function takeNumberCode(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  place: CodePlace | NewcomersPlace,
  { code, instead }: { code: string; instead: string },
): Promise<{ codeId: string } | WrongCode> {
  const dayBefore = new Date(ctx.now.getTime() - DAY_MS)
  const left = MOST_WRONG_A_DAY - (await countWrongCodes(tx, place.userId, dayBefore))
  if (left <= 0) throw new AppError('CONFLICT', `That was wrong too often for today. ${instead}`)
  const codes = await lockLiveCodes(tx, place, { now: ctx.now, mostWrong: MOST_WRONG })
  const right = codes.find(({ id, hash }) => timingSafeEqual(hash, hashNumberCode(id, code)))
  const [newest] = codes
  if (!newest) throw new AppError('CONFLICT', 'That code has ended. Have a new one sent.')
  if (!right) {
    const ids = codes.map(({ id }) => id)
    await markWrong(tx, ids)
    return new WrongCode(Math.min(MOST_WRONG - newest.wrong - 1, left - ids.length))
  }
  await markUsed(tx, right.id, ctx.now)
  return { codeId: right.id }
}

export class WrongCode extends Invalid {
  constructor(left: number) {
    const tries = left <= 0 ? 'Have a new one sent.' : left === 1 ? 'You have 1 more try.' : `You have ${left} more tries.`
    super([{ path: 'code', message: `That is not the code. ${tries}` }])
  }
}
