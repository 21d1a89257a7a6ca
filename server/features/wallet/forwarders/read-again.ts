import type { MessageFormat } from '../../../../shared/message-formats.ts'
import { askerOf, callAside } from '../../../platform/aside.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { selectFormats } from '../../messages/message-formats/formats.sql.ts'
import { readUnknown } from '../received-payments/read-messages.ts'
import { lockUnknown, selectUnknown, takeReadingTurn } from '../received-payments/received-payments.sql.ts'
import { recordLocked } from '../received-payments/record-payments.ts'
import { type ForwarderRow, lockForwarders } from './forwarders.sql.ts'
import { recordRead } from './receive-forwarded.ts'
import { updateEarlierLeftOut } from './wallets.sql.ts'

const UNKNOWN_READER = new URL('../received-payments/read-messages.ts', import.meta.url)

/**
 * Reads once more what waits because no form knew it, with the forms that count now. Nothing that was decided changes; what is
 * understood now is as unproven as on the day it came. Returns how many were looked at, and understood.
 * @throws PasswordNeeded
 */
export async function readAgain(ctx: Ctx, ofServer: readonly MessageFormat[]): Promise<{ read: number; understood: number }> {
  const [unknown, rows] = [await selectUnknown(ctx.db), await selectFormats(ctx.db)]
  const messages = unknown.map(({ raw, sentAt }) => ({ text: raw, sender: null, at: sentAt }))
  const readings = await callAside(askerOf(ctx), UNKNOWN_READER, readUnknown, { messages, rows, ofServer })
  const readingOf = new Map(unknown.map(({ id, raw }, at) => [`${id} ${raw}`, readings[at] ?? null]))
  return transaction(ctx.db, async (tx) => {
    const owner = await requireStaff(tx, ctx, 'owner', { movesMoney: true })
    await requirePassword(tx, ctx)
    // In the order of a message that arrives: the phone, then the turn to read.
    const forwarders = new Map<string, ForwarderRow>((await lockForwarders(tx)).map((row) => [row.id, row]))
    await takeReadingTurn(tx)
    const waiting = await lockUnknown(tx)
    let understood = 0
    for (const { id, transactionId, raw, forwarderId } of waiting) {
      const item = readingOf.get(`${id} ${raw}`) ?? null
      // Under another id it would be another payment: that is for a person.
      if (item === null || (item.transactionId !== null && item.transactionId !== transactionId)) continue
      understood++
      const forwarder = forwarderId === null ? null : forwarders.get(forwarderId)
      if (forwarder) await recordRead(tx, ctx, forwarder, item, owner.id)
      else {
        const source = forwarderId === null ? 'message' : 'phone'
        await recordLocked(tx, ctx, [item], { source, by: owner.id, adminId: owner.id, forwarderId })
      }
    }
    await updateEarlierLeftOut(tx, ctx.now)
    await recordAdminAction(tx, ctx, {
      action: 'message-format.read-again',
      subject: { type: 'payments', id: 'unread' },
      after: { read: waiting.length, understood },
    })
    return { read: waiting.length, understood }
  })
}
