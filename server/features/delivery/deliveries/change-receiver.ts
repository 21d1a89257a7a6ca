import { isoDay } from '../../../../shared/dates.ts'
import type { CorrectReceiverRequest } from '../../../../shared/deliveries.ts'
import { formatPesewas } from '../../../../shared/money.ts'
import { hasRole } from '../../../../shared/staff-rules.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AlreadyDecided, AppError, Invalid, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { SMS_QUEUE, smsJob } from '../../../platform/queues.ts'
import { composeNewReceiver, senderName } from '../../messages/sms/compose-message.ts'
import { insertMessage } from '../../messages/sms/messages.sql.ts'
import { MOBILE } from '../../messages/sms/queries.ts'
import { lockDelivery } from '../../orders/orders/deliveries.sql.ts'
import { announceDelivery } from '../../orders/orders/events.ts'
import { type OrderRow, selectOrder } from '../../orders/orders/orders.sql.ts'
import { OwnGain, refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { selectStaffRules, takeLimitTurn } from '../../people/second-factor/staff-rules.sql.ts'
import { correctOrder, hasUsedNumber, selectCorrectedAlone } from './deliveries.sql.ts'
import { findCorrectionRefusal } from './find-refusal.ts'

/** What one person who is no owner corrects in a day; the owner's limit for a second person counts too where it is lower. */
const ALONE = { orders: 5, pesewas: 100_00 }

/**
 * Corrects the receiver of a pending order with the buyer's consent, which is kept with it and shown to the buyer, who is told. Only before it
 * was sent, or once its supplier has refused it. Who is no owner corrects a few a day, and never to a number of their own circle.
 * @throws NotFound, AlreadyDecided, OwnGain, OwnerNeeded, NotNow, and Invalid for the number that it has.
 */
export async function changeReceiver(
  ctx: Ctx,
  sms: SmsGateway,
  { orderId, receiver, seen, agreedBy, consent }: CorrectReceiverRequest & { orderId: string },
): Promise<void> {
  requireActor(ctx)
  await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'orders')
    const delivery = await lockDelivery(tx, orderId)
    const order = await selectOrder(tx, orderId)
    if (!order) throw new NotFound('order')
    if (order.status !== 'pending') throw new AlreadyDecided('order', order.status)
    await refuseOwnGain(tx, ctx, 'orders', { users: [order.userId], phones: [receiver] })
    if (order.receiver !== seen) throw new NotNow('Somebody has corrected that number meanwhile. Look at it again.')
    if (order.receiver === receiver) throw new Invalid([{ path: 'receiver', message: 'That is the number it has.' }])
    const refusal = findCorrectionRefusal({ ...order, standing: delivery?.status ?? null, notFound: 0, isResent: false })
    if (refusal !== null) throw new NotNow(refusal)
    if (!hasRole(admin, 'owner')) await limitAlone(tx, ctx, { actorId: admin.id, order, receiver })
    await correctOrder(tx, { orderId, from: seen, to: receiver, agreedBy, consent, by: admin.id, now: ctx.now })
    await recordAdminAction(tx, ctx, {
      action: 'order.receiver',
      subject: { type: 'order', id: orderId },
      before: { receiver: seen },
      after: { receiver },
      note: `${agreedBy} agreed (${consent})`,
    })
    await addNews(tx, ctx, sms, { order, receiver })
  })
  ctx.jobs.wake(SMS_QUEUE)
  await announceDelivery(ctx, orderId)
}

type Correcting = { actorId: string; order: OrderRow; receiver: string }

/** @throws OwnGain, OwnerNeeded */
async function limitAlone(tx: Tx, ctx: Ctx, { actorId, order, receiver }: Correcting) {
  if (await hasUsedNumber(tx, { actorId, phone: receiver, buyerId: order.userId })) throw new OwnGain()
  const { secondPersonAbovePesewas: limit } = await selectStaffRules(tx)
  const most = { ...ALONE, pesewas: Math.min(ALONE.pesewas, limit ?? ALONE.pesewas) }
  await takeLimitTurn(tx, 'corrected', actorId)
  const before = await selectCorrectedAlone(tx, actorId, new Date(isoDay(ctx.now)))
  if (before.orders >= most.orders || before.pesewas + order.pricePesewas > most.pesewas) throw new OwnerNeeded(most)
}

/** Also to a buyer who wants no other news: if they did not agree, somebody else gets what they paid for. */
async function addNews(tx: Tx, ctx: Ctx, sms: SmsGateway, { order, receiver }: Pick<Correcting, 'order' | 'receiver'>) {
  const phone = order.buyerPhone
  if (!sms.sender || !phone || !MOBILE.test(phone)) return
  const body = composeNewReceiver({ ...order, receiver }, { ...sms, shopName: senderName(order.soldBy, sms.shopName) })
  // Each correction is told, so it is no message of its order, which has one of a kind.
  const about = { kind: 'payout-number' as const, orderId: null, reportMessageId: null }
  const id = await insertMessage(tx, { ...about, receiver: phone, body, status: 'waiting', now: ctx.now })
  if (id !== null) await ctx.jobs.enqueue(tx, SMS_QUEUE, [smsJob(id)])
}

class OwnerNeeded extends AppError {
  constructor({ orders, pesewas }: typeof ALONE) {
    const most = `${orders} orders a day, worth GHS ${formatPesewas(pesewas)} in all`
    super('SECOND_PERSON_NEEDED', `One person corrects the numbers of ${most}. Ask an owner to correct this one. Nothing was changed.`)
  }
}

class NotNow extends AppError {
  constructor(message: string) {
    super('CONFLICT', message)
  }
}
