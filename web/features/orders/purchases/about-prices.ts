import { toCedis, toPesewas, topUpFor } from '../../../../shared/money.ts'
import type { CheckoutItem } from '../../../../shared/orders.ts'
import { session } from '../../../lib/session.ts'
import type { Subject } from '../../../lib/subject.ts'
import { checkoutTexts } from '../../../texts/checkout.ts'
import { moneyText } from '../../../ui/money.tsx'
import { catalogue, knownProducts } from '../../catalogue/products/api.ts'
import { priceFor } from '../../catalogue/products/price-for.ts'

type Priced = Pick<CheckoutItem, 'productId' | 'offer' | 'amount'>

/** These items are still for sale at the prices that the buyer was shown. The shop decides; this says it before. */
export function aboutPrices(items: readonly Priced[]): Subject {
  return {
    on: [catalogue, session],
    changed() {
      const products = knownProducts()
      if (!products) return null
      for (const { productId, offer, amount } of items) {
        const product = products.find(({ _id }) => _id === productId)
        const lines = product?.packages.filter((line) => line.offer === offer && !line.soldOut) ?? []
        const prices = lines.map((line) => priceFor(line, session.get()?.userLevel))
        const [now] = prices
        if (product?.status !== 'available' || now === undefined) return checkoutTexts.goneMeanwhile(offer)
        if (!prices.includes(amount)) return checkoutTexts.priceMeanwhile(offer, moneyText(amount), moneyText(now))
      }
      return null
    },
  }
}

/** The wallet still has so much. */
export function aboutWallet(pesewas: number): Subject {
  return {
    on: [session],
    changed() {
      const balance = session.get()?.balance ?? 0
      return toPesewas(balance) < pesewas ? checkoutTexts.walletMeanwhile(moneyText(balance), moneyText(toCedis(pesewas))) : null
    },
  }
}

/** The wallet still lacks just so much for this price. */
export function aboutTopUp(pricePesewas: number, topUpPesewas: number): Subject {
  return {
    on: [session],
    changed() {
      const balance = session.get()?.balance ?? 0
      return topUpFor(pricePesewas, toPesewas(balance)) === topUpPesewas ? null : checkoutTexts.balanceMeanwhile(moneyText(balance))
    },
  }
}
