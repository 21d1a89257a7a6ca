import type { Order, Report } from '../../../shared/orders.ts'
import { spacedPhone } from '../../../shared/phones.ts'
import { orderTexts, reportTexts } from '../../texts/orders.ts'
import { moneyText } from '../../ui/money.tsx'
import { toast } from '../../ui/toast.ts'
import { totalPaid } from './total-paid.ts'

type Stage = 'sent' | 'delivered' | 'completed' | 'refunded'

/** What the buyer was told of each order, so that the same change, announced again, is not told again. */
const told = new Map<string, Stage>()
const LATER: Record<Stage, number> = { sent: 1, completed: 2, delivered: 2, refunded: 3 }

/** Tells the buyer that an order was sent, delivered, completed or refunded, once each. */
export function tellOrderNews(order: Order): void {
  const stage = stageOf(order)
  const before = told.get(order._id)
  if (stage === null || (before !== undefined && LATER[stage] <= LATER[before])) return
  told.set(order._id, stage)
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

/** Tells the customer what the shop said, and the shop what a customer said. Whoever wrote the newest line knows it. */
export function tellReportNews({ number, status, messages }: Report, isShop: boolean): void {
  const isFromShop = messages.at(-1)?.from === 'shop'
  if (isShop && status === 'open' && !isFromShop) toast.info(reportTexts.newForShop(number))
  if (!isShop && isFromShop) toast.info(reportTexts.news[status](number))
}
