import type { PaymentNumber } from '../../../../shared/shop-settings.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { lockNotice, selectNotice } from '../notice/notice.sql.ts'
import { selectPaymentNumbers, updatePaymentNumbers } from './shop.sql.ts'

/**
 * Changes where customers' money goes, so the log keeps both old and new.
 * @throws PasswordNeeded
 */
export async function changePaymentNumbers(ctx: Ctx, numbers: PaymentNumber[]): Promise<void> {
  const notice = await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner', { movesMoney: true })
    await requirePassword(tx, ctx)
    const { momoPhoneNumber, momoAccountName } = await lockNotice(tx)
    const before = await selectPaymentNumbers(tx)
    await updatePaymentNumbers(tx, numbers, ctx.now)
    await recordAdminAction(tx, ctx, {
      action: 'shop.payment-numbers',
      subject: { type: 'shop', id: 'shop' },
      before: before.length === 0 ? { 'All networks': `${momoPhoneNumber}, ${momoAccountName}` } : factsOf(before),
      after: factsOf(numbers),
    })
    return selectNotice(tx)
  })
  ctx.realtime.announce('everyone', 'noticeUpdated', notice)
}

function factsOf(numbers: PaymentNumber[]): Record<string, string> {
  return Object.fromEntries(numbers.map(({ network, phoneNumber, accountName }) => [network, `${phoneNumber}, ${accountName}`]))
}
