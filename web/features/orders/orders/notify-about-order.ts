import { toCedis, toPesewas } from '../../../../shared/money.ts'
import type { Order, Report } from '../../../../shared/orders.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { call } from '../../../lib/api.ts'
import { shopNow } from '../../../lib/clock.ts'
import { createStore } from '../../../lib/store.ts'
import { afaTexts } from '../../../texts/afa.ts'
import { orderNewsTexts } from '../../../texts/order-news.ts'
import { orderTexts, reportTexts } from '../../../texts/orders.ts'
import { moneyText } from '../../../ui/money.tsx'
import { toast } from '../../../ui/toast.ts'
import { totalPaid } from './total-paid.ts'

type Stage = 'sent' | 'delivered' | 'completed' | 'refunded'

/** The newest change of an order, for screens that follow many. */
export const orderNews = createStore<Order | null>(null)

/** The last stage shown for each order, so that a change that is announced twice is shown once. */
const shown = new Map<string, Stage>()
const LATER: Record<Stage, number> = { sent: 1, completed: 2, delivered: 2, refunded: 3 }

/** AFA orders whose buyer was asked for the details. */
const asked = new Set<string>()
const JUST_BOUGHT_MS = 60_000

/** Once so many orders have news without such a pause, the news of further ones are told together at the next pause. */
const PAUSE_MS = 20_000
const TOLD_ALONE = 2
/** The orders told about since the last pause, and the final changes of further ones. */
const told = new Set<string>()
const gathered = new Map<string, Order>()
let pause: ReturnType<typeof setTimeout> | undefined

/** Lists with news since the last pause, and those whose end was told. */
const moved = new Set<string>()
const ended = new Set<string>()

/**
 * Shows the buyer that an order was sent, delivered, completed or refunded, once each; of many at a time, how many were. The orders of a list
 * are told in one sentence, once none is open any more; what comes after that is told like that of any order.
 */
export function notifyAboutOrder(order: Order): void {
  orderNews.set(order)
  askForAfa(order)
  const stage = stageOf(order)
  const before = shown.get(order._id)
  if (stage === null || (before !== undefined && LATER[stage] <= LATER[before])) return
  shown.set(order._id, stage)
  clearTimeout(pause)
  pause = setTimeout(endRush, PAUSE_MS)
  if (order.list !== undefined && !ended.has(order.list)) moved.add(order.list)
  else if (told.has(order._id) || told.size < TOLD_ALONE) {
    told.add(order._id)
    notifyOfStage(order, stage)
  } else if (stage !== 'sent') gathered.set(order._id, order)
}

/** Told about once, right after buying; an older order says so on its page. */
function askForAfa({ _id, needsDetails, number, createdAt }: Order): void {
  if (!needsDetails || asked.has(_id) || shopNow().getTime() - Date.parse(createdAt) > JUST_BOUGHT_MS) return
  asked.add(_id)
  toast.info(afaTexts.news(number))
}

function endRush(): void {
  for (const id of moved) tellOfList(id).catch(() => undefined)
  moved.clear()
  told.clear()
  const orders = [...gathered.values()]
  gathered.clear()
  if (orders.length === 0) return
  const refunded = orders.filter(({ status }) => status === 'rejected')
  const amount = toCedis(refunded.reduce((sum, order) => sum + toPesewas(totalPaid(order)), 0))
  const message = orderNewsTexts.many(orders.length - refunded.length, refunded.length, moneyText(amount))
  if (refunded.length > 0) toast.danger(message)
  else toast.success(message)
}

/** Nothing is said while orders of the list are open: its page shows how they stand, and the next news asks again. */
async function tellOfList(id: string): Promise<void> {
  const { job } = await call('GET /bulk/:id', { params: { id }, query: { cursor: undefined, state: 'left-out' } })
  if (job.pending > 0 || ended.has(id)) return
  ended.add(id)
  const message = orderNewsTexts.list(job.name, job.completed, job.rejected, moneyText(job.refunded))
  if (job.rejected > 0) toast.danger(message)
  else toast.success(message)
}

function notifyOfStage(order: Order, stage: Stage) {
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
