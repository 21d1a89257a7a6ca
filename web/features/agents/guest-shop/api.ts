import type { GuestPurchase, GuestRequest, PublicShop, ShopFace } from '../../../../shared/agent-shops.ts'
import { call } from '../../../lib/api.ts'
import { isOutcomeUnknown } from '../../../lib/http.ts'
import { readPageData } from '../../../lib/page-data.ts'
import { createStored } from '../../../lib/stored.ts'
import { sendAsking } from '../../orders/purchases/send-asking.ts'
import { getShop } from '../../shop/shop/api.ts'

/** The newest purchase in each shop on this phone, so that a guest who reloads finds it again. */
export const lastPurchases = createStored<Record<string, string>>(
  'guestPurchases',
  {},
  (value) => typeof value === 'object' && value !== null,
)

let inPage = readPageData<PublicShop>('agent-shop')
/** Whose page the guest saw last, so that the next one stands under that name from its first moment. */
let seen: ShopFace | undefined = inPage ?? readPageData<ShopFace>('shop-face')

/** The shop that the server sent inside the page. */
export function shopInPage(slug: string): PublicShop | null {
  return inPage?.slug === slug ? inPage : null
}

/** Whoever comes back to the shop later sees it as it is by then. */
export function forgetShopInPage(): void {
  inPage = undefined
}

/** The shop that is known already: that of a slug, or, for an order's link, whose page it most likely is. */
export function faceSeen(slug: string | null): ShopFace | undefined {
  return slug === null || seen?.slug === slug ? seen : undefined
}

/** An agent's own host name has no other shop. */
export function shopPath(slug: string): string {
  return getShop().agentShop === undefined ? `/s/${slug}` : '/'
}

export function trackerPath(slug: string): string {
  return getShop().agentShop === undefined ? `/track?shop=${slug}` : '/track'
}

export async function readShop(slug: string): Promise<PublicShop> {
  const { shop } = await call('GET /shops/:slug', { params: { slug }, withToken: false })
  seen = shop
  return shop
}

export function startGuestPayment(slug: string, request: GuestRequest) {
  const body = { ...request, before: lastPurchases.get()[slug] }
  return sendAsking()((headers) => call('POST /shops/:slug/payment', { params: { slug }, headers, body, withToken: false }))
}

export function confirmGuestPayment(reference: string): Promise<GuestPurchase> {
  return call('POST /shops/payment/:reference/confirm', { params: { reference }, withToken: false })
}

export async function showRefundCodes(reference: string) {
  return (await call('POST /shops/payment/:reference/refund-codes', { params: { reference }, withToken: false })).codes
}

const ASK_EVERY_MS = 3_200
const ASK_FOR_MS = 60_000

/** Asks until the payment is settled, for a minute; null when the shop never answered. */
export async function askUntilSettled(reference: string): Promise<GuestPurchase | null> {
  const until = Date.now() + ASK_FOR_MS
  let last: GuestPurchase | null = null
  do {
    try {
      last = await confirmGuestPayment(reference)
      if (last.payment.status !== 'open') return last
    } catch (error) {
      if (!isOutcomeUnknown(error)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  } while (Date.now() < until)
  return last
}
