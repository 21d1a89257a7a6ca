import { useEffect } from 'react'
import { bundleName } from '../../../../shared/bundle-name.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import type { Product } from '../../../../shared/products.ts'
import { cartTexts } from '../../../texts/cart.ts'
import { checkoutTexts } from '../../../texts/checkout.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { type BoughtItem, goToHistory } from '../../orders/purchases/finish-purchase.ts'
import { PlacedFrame } from '../../orders/purchases/placed-frame.tsx'

type Props = { items: readonly BoughtItem[]; products: readonly Product[] | undefined; onClose: () => void }

/** The orders of a cart are placed. Leads on to My Transactions, unless somebody touches it first. */
export function CartPlaced({ items, products, onClose }: Props) {
  const networkOf = (productId: string) => products?.find(({ _id }) => _id === productId)?.network
  useEffect(() => {
    const cancel = goToHistory()
    for (const kind of TOUCHES) addEventListener(kind, cancel, true)
    return () => {
      cancel()
      for (const kind of TOUCHES) removeEventListener(kind, cancel, true)
    }
  }, [])
  return (
    <PlacedFrame title={cartTexts.placed} heading={checkoutTexts.ordersPlaced} onClose={onClose}>
      <ul className="flex max-h-72 flex-col divide-y divide-line overflow-y-auto overscroll-contain rounded-box border border-line bg-surface px-4 text-left text-ink">
        {items.map(({ productId, offer, phoneNumber }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a cart may hold the same twice, and this list never changes.
          <li key={`${productId} ${at}`} className="flex flex-wrap items-baseline justify-between gap-x-3 py-2">
            <b className="break-words">{bundleName(networkOf(productId), offer)}</b>
            <span className="tabular whitespace-nowrap">{spacedPhone(phoneNumber)}</span>
          </li>
        ))}
      </ul>
      <ButtonLink block size="large" href="/user/history">
        {cartTexts.myTransactions}
      </ButtonLink>
    </PlacedFrame>
  )
}

const TOUCHES = ['pointerdown', 'keydown', 'wheel'] as const
