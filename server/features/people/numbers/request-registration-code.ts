import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { PAYOUT_CODE_QUEUE } from '../../../platform/queues.ts'
import { composeRegistrationCode } from '../../messages/sms/compose-message.ts'
import { selectHolder } from './holders.sql.ts'
import { sendNewcomersCode } from './send-number-code.ts'

export const CALL_US = 'Please call us: we find out whose number it is.'

/**
 * Sends a code to a number with which somebody without an account wants to register, though an account has it. What becomes of that account is
 * said to whoever types the code. `claim` is what the code is typed with.
 * @throws 409 CONFLICT where no account has it, nothing can be sent, or was sent too often.
 */
export async function requestRegistrationCode(ctx: Ctx, sms: SmsGateway, phone: string): Promise<{ claim: string; waitMs: number }> {
  const { codeId, waitMs } = await transaction(ctx.db, async (tx) => {
    if (!(await selectHolder(tx, phone))) throw new AppError('CONFLICT', 'That number has no account. Please press Register again.')
    return sendNewcomersCode(tx, ctx, sms, phone, { body: composeRegistrationCode(sms.shopName), instead: CALL_US })
  })
  ctx.jobs.wake(PAYOUT_CODE_QUEUE)
  return { claim: codeId, waitMs }
}
