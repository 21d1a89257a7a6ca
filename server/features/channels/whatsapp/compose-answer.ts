import { formatCedis, formatPesewas } from '../../../../shared/money.ts'
import type { Product } from '../../../../shared/products.ts'
import type { UserLevel } from '../../../../shared/users.ts'
import type { WhatsappText } from '../../../integrations/whatsapp/whatsapp-gateway.ts'
import type { Screen } from '../conversations/take-step.ts'

const TITLE_MAX = 24

/** What the shop says in a chat. */
export const WORDS = {
  unknown: (shopName: string, url: string, phone: string) =>
    `Welcome to ${shopName}! To buy here, connect this number: sign in at ${url}, open My account, WhatsApp. New here? Register there with ${phone}. You can write PRICES to see our prices.`,
  off: (url: string) => `We don’t take orders on WhatsApp at the moment. You can buy at ${url}`,
  late: 'That message reached us late, so we did nothing with it. Write MENU to start again.',
  overtaken: 'That message reached us after a newer one, so we did nothing with it. Please answer the last question, or write MENU.',
  textOnly: 'We can only read text here. Write MENU to see what we sell.',
  oldList: 'That list is from before. Please choose from the newest one, or write MENU.',
  stopped: 'Done. We don’t send you news of your orders here any more. You can still buy; write START to have the news again.',
  started: 'Welcome back! We tell you here when an order is delivered. Write MENU to buy, STOP for no more news.',
  linked: (shopName: string, _url: string) =>
    `This number is connected with your ${shopName} account. Write MENU to buy, PRICES for our prices, STOP for no news of your orders.`,
  wrong: (_shopName: string, url: string) => `That is not the code. Look again under My account, WhatsApp, at ${url}`,
  none: (_shopName: string, url: string) =>
    `That code does not work any more. Get a new one under My account, WhatsApp, at ${url} – the phone number of the account has to be this one.`,
  deletePin: 'Afterwards, delete your message with the PIN from this chat. We never keep it.',
}

/** A screen of a conversation as a message: choices become a list, others stay text. */
export function composeScreen({ text, options, asksPin }: Pick<Screen, 'text' | 'options' | 'asksPin'>): WhatsappText {
  const said = asksPin ? `${text}\n\n${WORDS.deletePin}` : text
  if (options.length === 0) return { text: said }
  return {
    text: said,
    options: options.map(({ key, label, note }) => {
      const rest = label.length > TITLE_MAX ? [label] : []
      const description = [...rest, ...(note === undefined ? [] : [note])].join(' · ')
      return { id: key, title: label, ...(description && { description }) }
    }),
  }
}

/** All prices for this customer, as one text. What does not fit is left out, and the text says so. */
export function composePrices(products: readonly Product[], level: UserLevel): string {
  const lines = products.flatMap(({ network, packages }) =>
    packages.length === 0
      ? []
      : [
          `\n*${network}*`,
          ...packages.map((one) => `${one.offer}  ¢${formatCedis(level === 'Customer' ? one.priceCustomer : one.priceAgent)}`),
        ],
  )
  if (lines.length === 0) return 'There is nothing on sale at the moment. Please look again later.'
  const text = ['Our prices', ...lines, '\nWrite MENU to buy.'].join('\n')
  return text.length <= 4000 ? text : `${text.slice(0, text.lastIndexOf('\n', 3900))}\n\nThere is more: write MENU to see it all.`
}

type Bought = { seq: number; network: string; offer: string; receiver: string; pricePesewas: number; refundReason?: string | null }

/** News of an order, and the values of the approved message: the order's number, what was bought, and what became of it. */
export function composeNews(kind: 'delivered' | 'refunded', order: Bought): { text: string; values: string[] } {
  const what = `${order.network} ${order.offer} for ${order.receiver}`
  const price = `¢${formatPesewas(order.pricePesewas)}`
  if (kind === 'delivered') {
    const text = `Delivered: ${what}.\nOrder ${order.seq}, ${price}.\n\nThank you! Write MENU to buy again, STOP for no more news.`
    return { text, values: [String(order.seq), what, 'delivered'] }
  }
  const why = order.refundReason ? `\nWhy: ${order.refundReason}` : ''
  const text = `We could not deliver order ${order.seq}, ${what}, and refunded it to your wallet.${why}`
  return { text, values: [String(order.seq), what, 'refunded to your wallet'] }
}
