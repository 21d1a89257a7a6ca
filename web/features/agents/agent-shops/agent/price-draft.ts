import type { OwnShopOffer } from '../../../../../shared/agent-shops.ts'
import { formatPesewas, toCedis, toPesewas } from '../../../../../shared/money.ts'
import { pesewasIn, readAmount } from '../../../../../shared/readers/read-amount.ts'
import { myShopTexts as texts } from '../../../../texts/my-shop.ts'

/** A price as typed, null for the house's. */
type Typed = { text: string | null; hidden: boolean }
/** A package with its bounds and what it sells for unless the agent says something else. */
export type PricedOffer = Pick<
  OwnShopOffer,
  'productId' | 'network' | 'offer' | 'cost' | 'lowest' | 'highest' | 'housePrice' | 'price' | 'own' | 'state'
>
/** What an agent has changed and not saved yet, by offer. */
export type PriceDraft = Record<string, Typed>

export function keyOf({ productId, offer }: Pick<OwnShopOffer, 'productId' | 'offer'>): string {
  return `${productId} ${offer}`
}

/** One offer as the fields show it. `keep` in pesewas, below zero for a loss; null while the price is no amount. */
export type PriceLine = Typed & {
  key: string
  offer: PricedOffer
  pesewas: number | null
  keep: number | null
  problem: string | null
  changed: boolean
}

export function readLine(offer: PricedOffer, draft: PriceDraft): PriceLine {
  const key = keyOf(offer)
  const stored = storedOf(offer)
  const { text, hidden } = draft[key] ?? stored
  const pesewas = text === null ? houseOf(offer) : pesewasIn(text)
  const isSame =
    hidden === stored.hidden && (text === null || stored.text === null ? text === stored.text : pesewas === pesewasIn(stored.text))
  const problem = hidden || text === null ? null : problemOf(offer, pesewas, text)
  return { key, offer, text, hidden, pesewas, keep: pesewas === null ? null : pesewas - toPesewas(offer.cost), problem, changed: !isSame }
}

/** The draft with all prices moved: back to the house's, or up by pesewas or percent, each within its bounds. */
export function movePrices(
  offers: readonly PricedOffer[],
  draft: PriceDraft,
  by: 'house' | { pesewas: number } | { percent: number },
): { draft: PriceDraft; atHighest: number } {
  let atHighest = 0
  const moved = offers.map((offer): [string, Typed] => {
    const { key, hidden, pesewas } = readLine(offer, draft)
    if (by === 'house') return [key, { text: null, hidden }]
    const now = pesewas ?? houseOf(offer)
    // To the nearest ten pesewas, which is what people pay with.
    const wanted = 'pesewas' in by ? now + by.pesewas : Math.round((now * (100 + by.percent)) / 1000) * 10
    const highest = toPesewas(offer.highest)
    if (wanted > highest) atHighest++
    return [key, { text: formatPesewas(Math.max(toPesewas(offer.lowest), Math.min(highest, wanted))), hidden }]
  })
  return { draft: Object.fromEntries(moved), atHighest }
}

/** What to send for the lines that differ from what is stored. */
export function toPriceRequest(lines: readonly PriceLine[]) {
  return lines.map(({ offer: { productId, offer }, text, pesewas, hidden }) => {
    return { productId, offer, price: text === null || pesewas === null ? null : toCedis(pesewas), hidden }
  })
}

function storedOf({ own, price, state }: PricedOffer): Typed {
  return { text: own ? price.toFixed(2) : null, hidden: state === 'hidden' }
}

function houseOf({ housePrice, lowest }: PricedOffer): number {
  return toPesewas(Math.max(housePrice, lowest))
}

function problemOf({ cost, lowest, highest }: PricedOffer, pesewas: number | null, text: string): string | null {
  if (pesewas === null) {
    const reading = readAmount(text)
    return reading.kind === 'doubtful' ? (reading.reasons[0] ?? texts.noAmount) : texts.noAmount
  }
  const least = `¢${lowest.toFixed(2)}`
  if (pesewas <= toPesewas(cost)) return texts.belowCost(`¢${cost.toFixed(2)}`, least)
  if (pesewas < toPesewas(lowest)) return texts.tooClose(least)
  return pesewas > toPesewas(highest) ? texts.tooHigh(`¢${highest.toFixed(2)}`) : null
}
