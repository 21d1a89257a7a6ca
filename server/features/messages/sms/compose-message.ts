import { formatPesewas } from '../../../../shared/money.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import { DELIVERY_WORDS, type DeliveryStatus } from '../../../../shared/suppliers.ts'
import { countSeptets, plainWord, SEGMENT_SEPTETS } from '../../../integrations/sms/gsm-text.ts'

/** An order's facts for a message. The network is ours; offer and buyer are user input. */
export type OrderFacts = {
  seq: number
  network: string
  offer: string
  receiver: string
  pricePesewas: number
  username: string
  delivery: DeliveryStatus | null
  status?: OrderStatus
}

/** The name that a buyer is written to under: that of the agent's shop where they bought, as far as an SMS can show it, or the house's. */
export function senderName(soldBy: string | null, house: string): string {
  return soldBy !== null && plainWord(soldBy, 20).length > 1 ? soldBy : house
}

const BY_HAND = 'Please process it by hand.'

/** For the operator: what to do about a new order, or about a list of `many` of which this is the first. */
export function composeForOperator(
  { seq, network, offer, receiver, pricePesewas, username, delivery, status }: OrderFacts,
  many = 1,
): string {
  if (many > 1)
    return oneSegment(
      `New list of ${many} orders from ${plainWord(username, 16)}, from order ${seq} on. Please look which of them wait for you.`,
    )
  const what = `New order ${seq}: ${network} ${plainWord(offer, 18)} to ${receiver}`
  const price = `GHS ${formatPesewas(pricePesewas).replaceAll(',', '')}`
  return oneSegment(`${what}, ${price}, from ${plainWord(username, 16)}. ${whatToDo(delivery, status)}`)
}

function whatToDo(delivery: DeliveryStatus | null, status: OrderStatus | undefined): string {
  switch (delivery) {
    case null:
      // A checker from the stock, or an order that somebody was quick to decide.
      return status === 'completed' ? 'It is done.' : BY_HAND
    case 'rejected':
    case 'failed':
      return `Supplier refused it. ${BY_HAND}`
    default:
      return `Supplier: ${DELIVERY_WORDS[delivery]}.`
  }
}

/** For the buyer: the order is completed. */
export function composeForBuyer({ seq, network, offer, receiver }: OrderFacts, shopName: string): string {
  const name = plainWord(shopName, 30)
  return oneSegment(`${name}: your ${network} ${plainWord(offer, 20)} for ${receiver} is done. Order ${seq}. Thank you for buying from us.`)
}

type Bought = Pick<OrderFacts, 'seq' | 'network' | 'offer' | 'receiver'>

/** For the buyer: the order is refunded, and why, as far as it fits. How much went where stands on the order's page. */
export function composeRefund(
  { seq, network, offer, receiver, refundReason }: Bought & { refundReason?: string | null },
  shopName: string,
): string {
  const name = plainWord(shopName, 30)
  const what = `${network} ${plainWord(offer, 20)} for ${receiver}`
  const reasoned = `${name}: we refunded order ${seq}, ${what}.`
  const reason = plainWord(refundReason ?? '', SEGMENT_SEPTETS - reasoned.length - 2)
  if (reason !== '') return oneSegment(`${reasoned} ${reason}.`)
  return oneSegment(`${name}: we could not deliver your ${what}, so we refunded it. Order ${seq}.`)
}

/** For a guest: the order is not delivered. That their money is on its way, and how, they are told once it is. */
export function composeGuestRefund(
  { seq, network, offer, receiver, refundReason }: Bought & { refundReason?: string | null },
  shopName: string,
): string {
  const what = `order ${seq}, ${network} ${plainWord(offer, 18)} for ${receiver}`
  const said = `${plainWord(shopName, 20)}: we could not deliver ${what}. You get your money back; we text you when it is sent.`
  const reason = plainWord(refundReason ?? '', SEGMENT_SEPTETS - said.length - 2)
  return oneSegment(reason === '' ? said : `${said} ${reason}.`)
}

/** For the buyer: the network checks the number first, for at most about so many days. */
export function composeVerifying({ seq, network, offer, receiver, days }: Bought & { days: number }, shopName: string): string {
  const what = `${plainWord(offer, 18)} for ${receiver}`
  const wait = days === 1 ? '1 day' : `${days} days`
  return oneSegment(
    `${plainWord(shopName, 20)}: ${network} checks new numbers first, so ${what} can take up to ${wait}. You need do nothing. Order ${seq}.`,
  )
}

type Returned = { amountPesewas: number; orderSeq: number | null }

/** For a guest: their money is on its way back, or back. */
export function composeRefundNews(
  { status, amountPesewas, orderSeq, byHand, phone }: Returned & { status: 'accepted' | 'paid'; byHand: boolean; phone: string },
  shopName: string,
): string {
  const sum = `${plainWord(shopName, 30)}: GHS ${formatPesewas(amountPesewas)}${orderSeq === null ? '' : ` for order ${orderSeq}`}`
  if (byHand) return oneSegment(`${sum} was sent back to ${phone} by mobile money.`)
  if (status === 'paid') return oneSegment(`${sum} is back on the card or phone that you paid with.`)
  return oneSegment(`${sum} is on its way back to the card or phone that you paid with. We text you when it is there.`)
}

/** Where a code stands once the message is sent; the code itself is not stored. */
export const CODE_GAP = 'xxxx-xxxx-xxxx'

/** For a guest: what could not go back the way it came waits as a code. */
export function composeRefundCode(
  { amountPesewas, soldBy }: Pick<Returned, 'amountPesewas'> & { soldBy: string | null },
  house: string,
): string {
  const sum = `GHS ${formatPesewas(amountPesewas)}`
  const shop = plainWord(senderName(soldBy, house), 20)
  // The wallet is the house's, which the guest of an agent's shop may not know.
  return oneSegment(
    `${shop}: ${sum} could not go back the way you paid. Your code: ${CODE_GAP}. Type it at ${plainWord(house, 16)} under My Wallet. Keep it secret.`,
  )
}

/** Where the code for a new PIN stands once the message is sent. */
export const PIN_CODE_GAP = 'xxxxxx'

/** For who forgot their PIN. */
export function composePinCode(shopName: string): string {
  return oneSegment(
    `${plainWord(shopName, 30)}: ${PIN_CODE_GAP} is your code for a new PIN. It works for 10 minutes. Nobody from the shop asks for it.`,
  )
}

/** Where the digits stand once the message is sent; they are not stored. */
export const NUMBER_CODE_GAP = 'xxxxxx'

/** For a number that an agent wants to be paid on. It may be somebody else's, who must not pass the code on. */
export function composePayoutCode(shopName: string): string {
  return oneSegment(
    `${NUMBER_CODE_GAP} is your ${plainWord(shopName, 20)} code, to be paid your earnings on this number. It works for 10 minutes. We never ask you for it.`,
  )
}

/** For a number that somebody says they pay from. It may be somebody else's, who must not pass the code on. */
export function composeNumberCode(shopName: string): string {
  return oneSegment(
    `${NUMBER_CODE_GAP} is your ${plainWord(shopName, 20)} code: payments from this number go to the wallet where you type it. Tell nobody. It works for 10 minutes.`,
  )
}

/** For a number with which somebody registers, though an account has it. */
export function composeRegistrationCode(shopName: string): string {
  return oneSegment(
    `${NUMBER_CODE_GAP} is your ${plainWord(shopName, 20)} code: it opens a new account with this number. Tell nobody. It works for 10 minutes.`,
  )
}

/** For the account's own phone: another number was confirmed for its earnings. */
export function composePayoutNumber(
  { phone }: { phone: string },
  { shopName, shopPhone }: { shopName: string; shopPhone: string },
): string {
  return oneSegment(
    `${plainWord(shopName, 20)}: earnings of your shop can now be sent to ${phone}. If that was not you, change your password and call us: ${plainWord(shopPhone, 14)}`,
  )
}

/** For the buyer: their order goes to another number, as somebody says that they agreed. */
export function composeNewReceiver(
  { seq, receiver }: Pick<OrderFacts, 'seq' | 'receiver'>,
  { shopName, shopPhone }: { shopName: string; shopPhone: string },
): string {
  return oneSegment(
    `${plainWord(shopName, 20)}: the number of your order ${seq} is now ${receiver}, as you agreed with us. If you did not, call us at once: ${plainWord(shopPhone, 14)}`,
  )
}

/** Where serial and PIN stand once the message is sent; they are not stored. */
export const CODE_GAPS = { serial: 'xxxx-xxxx', pin: 'xxxx-xxxx-xxxx' }

type CheckerFacts = { seq: number; name: string; portal: string; serial: string; pin: string }

/** For whoever a checker was bought for. The portal is left out where it would take a second segment. */
export function composeChecker({ seq, name, portal, serial, pin }: CheckerFacts, shopName: string): string {
  const text = `${plainWord(shopName, 20)}: ${plainWord(name, 30)} checker, order ${seq}. Serial: ${serial} PIN: ${pin}`
  const whole = `${text} Use it at ${portal.replace(/^https:\/\/|\/$/g, '')}`
  return oneSegment(portal !== '' && (countSeptets(whole) ?? Number.POSITIVE_INFINITY) <= SEGMENT_SEPTETS ? whole : text)
}

/** For the owner: few checkers of a kind are left. */
export function composeLowStock({ name, left }: { name: string; left: number }, shopName: string): string {
  const what = `${plainWord(name, 30)} checkers`
  const said = left === 0 ? `your ${what} are sold out` : `only ${left} ${what} left`
  return oneSegment(`${plainWord(shopName, 30)}: ${said}. Import more under Checkers.`)
}

/** For the buyer: the shop answered their report. */
export function composeAnswer({ seq, network, offer, receiver }: Bought, shopName: string): string {
  const name = plainWord(shopName, 30)
  return oneSegment(`${name}: we answered your report about ${network} ${plainWord(offer, 20)} for ${receiver}. Please see order ${seq}.`)
}

type DigestLine = Pick<OrderFacts, 'network' | 'offer' | 'receiver' | 'delivery'>

/**
 * For the operator, about many orders: receiver, offer, network and delivery status of each, in as few one-segment messages
 * as possible.
 */
export function composeDigests<O extends DigestLine>(
  orders: readonly O[],
  shopName: string,
  most = Number.POSITIVE_INFINITY,
): { body: string; orders: O[] }[] {
  const head = `${plainWord(shopName, 30)}:`
  const digests: { body: string; orders: O[] }[] = []
  for (const order of orders) {
    const line = `${order.receiver} ${plainWord(order.offer, 18)} ${order.network}${atSupplier(order.delivery)}`
    const last = digests.at(-1)
    const longer = last && `${last.body}, ${line}`
    if (longer && (countSeptets(longer) ?? Number.POSITIVE_INFINITY) <= SEGMENT_SEPTETS)
      Object.assign(last, { body: longer, orders: [...last.orders, order] })
    else digests.push({ body: oneSegment(`${head} ${line}`), orders: [order] })
  }
  if (digests.length <= most) return digests
  const rest = digests.splice(most - 1).flatMap((digest) => digest.orders)
  return [...digests, { body: oneSegment(`${head} ${rest.length} more new orders. They are in the list of orders.`), orders: rest }]
}

function atSupplier(delivery: DeliveryStatus | null): string {
  if (delivery === null) return ''
  return delivery === 'rejected' || delivery === 'failed' ? ' (supplier refused it)' : ` (${DELIVERY_WORDS[delivery]})`
}

/**
 * A longer text, or one outside GSM-7, would cost more or be cut: that is a bug.
 * @throws Error
 */
function oneSegment(text: string): string {
  const septets = countSeptets(text)
  if (septets === null || septets > SEGMENT_SEPTETS) throw new Error(`a message of ${septets} septets does not fit one segment: ${text}`)
  return text
}
