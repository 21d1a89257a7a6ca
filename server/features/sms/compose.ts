import { formatPesewas } from '../../../shared/money.ts'
import { DELIVERY_WORDS, type DeliveryStatus } from '../../../shared/suppliers.ts'
import { countSeptets, plainWord, SEGMENT_SEPTETS } from '../../integrations/sms/gsm-text.ts'

/** What a message says of an order. The network is one of ours; offer and buyer are words that somebody typed. */
export type OrderFacts = {
  seq: number
  network: string
  offer: string
  receiver: string
  pricePesewas: number
  username: string
  delivery: DeliveryStatus | null
}

const BY_HAND = 'Please process it by hand.'

/** To the operator: what to do about a new order. */
export function composeForOperator({ seq, network, offer, receiver, pricePesewas, username, delivery }: OrderFacts): string {
  const what = `New order ${seq}: ${network} ${plainWord(offer, 18)} to ${receiver}`
  const price = `GHS ${formatPesewas(pricePesewas).replaceAll(',', '')}`
  return oneSegment(`${what}, ${price}, from ${plainWord(username, 16)}. ${whatToDo(delivery)}`)
}

function whatToDo(delivery: DeliveryStatus | null): string {
  switch (delivery) {
    case null:
      return BY_HAND
    case 'rejected':
    case 'failed':
      return `Supplier refused it. ${BY_HAND}`
    default:
      return `Supplier: ${DELIVERY_WORDS[delivery]}.`
  }
}

/** To the buyer: it is done. */
export function composeForBuyer({ seq, network, offer, receiver }: OrderFacts, shopName: string): string {
  const name = plainWord(shopName, 30)
  return oneSegment(`${name}: your ${network} ${plainWord(offer, 20)} for ${receiver} is done. Order ${seq}. Thank you for buying from us.`)
}

/** To the operator, for many orders at once. */
export function composeDigest(counts: { network: string; orders: number }[], pesewas: number, shopName: string): string {
  const orders = counts.reduce((sum, count) => sum + count.orders, 0)
  const head = `${plainWord(shopName, 30)}: ${orders} more new orders, GHS ${formatPesewas(pesewas).replaceAll(',', '')}`
  const most = [...counts].sort((one, other) => other.orders - one.orders)
  const each = most.map((count) => `${count.network} ${count.orders}`).join(', ')
  const full = `${head}: ${each}. Please look at them.`
  return oneSegment(full.length <= SEGMENT_SEPTETS ? full : `${head}. Please look at them.`)
}

/** A message that would be cut, or sent in the dear alphabet, is a fault of ours. */
function oneSegment(text: string): string {
  const septets = countSeptets(text)
  if (septets === null || septets > SEGMENT_SEPTETS) throw new Error(`a message of ${septets} septets does not fit one segment: ${text}`)
  return text
}
