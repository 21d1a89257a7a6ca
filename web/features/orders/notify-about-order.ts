import type { Order, Report } from '../../../shared/orders.ts'
import { spacedPhone } from '../../../shared/phones.ts'
import { orderTexts, reportTexts } from '../../texts/orders.ts'
import { moneyText } from '../../ui/money.tsx'
import { toast } from '../../ui/toast.ts'
import { totalPaid } from './total-paid.ts'

type Stage = 'sent' | 'delivered' | 'completed' | 'refunded'

/** The last stage shown for each order, so that a change that is announced twice is shown once. */
const shown = new Map<string, Stage>()
const LATER: Record<Stage, number> = { sent: 1, completed: 2, delivered: 2, refunded: 3 }

/** Shows the buyer that an order was sent, delivered, completed or refunded, once each. */
export function notifyAboutOrder(order: Order): void {
  const stage = stageOf(order)
  const before = shown.get(order._id)
  if (stage === null || (before !== undefined && LATER[stage] <= LATER[before])) return
  shown.set(order._id, stage)
  const { offer, network, number } = order
  const message = orderTexts.news[stage]({
    number,
    offer,
    network,
    receiver: spacedPhone(order.receiver),
    amount: moneyText(totalPaid(order)),
  })
  if (stage === 'refunded') toast.danger(message)
  else toast.success(message)
}

function stageOf({ status, supplierStatus }: Order): Stage | null {
  if (status === 'rejected') return 'refunded'
  if (supplierStatus === 'Delivered') return 'delivered'
  if (status === 'completed') return 'completed'
  return supplierStatus === 'Sent to network' ? 'sent' : null
}

/** Shows the customer a new line of the shop, and the shop a new line of a customer; never one's own. */
export function notifyAboutReport({ number, status, messages }: Report, isShop: boolean): void {
  const isFromShop = messages.at(-1)?.from === 'shop'
  if (isShop && status === 'open' && !isFromShop) toast.info(reportTexts.newForShop(number))
  if (!isShop && isFromShop) toast.info(reportTexts.news[status](number))
}
