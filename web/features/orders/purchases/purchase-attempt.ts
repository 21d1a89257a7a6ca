import type { CheckoutItem } from '../../../../shared/orders.ts'

/** Where a purchase was begun: the cart, the BUY PAGE or an agent's list. */
export type PurchaseSource = 'cart' | 'buy' | 'bulk'

/** One attempt to buy. Every copy of the request carries its key, so it buys once even if replies are lost. */
export type PurchaseAttempt = {
  key: string
  userId: string
  source: PurchaseSource
  items: CheckoutItem[]
  startedAt: number
  /** The end of the token that it was begun with. After another sign-in the buyer is asked before it goes on. */
  session?: string
  /** The buyer has agreed to buy what is on its way already once more. */
  isAgreed?: boolean
}

/** The same purchase by the same user keeps its key until it is answered; any other gets a new one. */
export function purchaseAttemptFor(
  unanswered: PurchaseAttempt | null,
  {
    userId,
    source,
    items,
    now,
    newKey,
  }: { userId: string; source: PurchaseSource; items: CheckoutItem[]; now: number; newKey: () => string },
): PurchaseAttempt {
  if (unanswered && unanswered.userId === userId && isSamePurchase(unanswered.items, items)) return unanswered
  return { key: newKey(), userId, source, items, startedAt: now }
}

export function isSamePurchase(one: readonly CheckoutItem[], other: readonly CheckoutItem[]): boolean {
  return fingerprintOf(one) === fingerprintOf(other)
}

function fingerprintOf(items: readonly CheckoutItem[]): string {
  return JSON.stringify(items.map(({ productId, offer, phoneNumber, amount }) => [productId, offer, phoneNumber, amount]))
}

export function isPurchaseAttempt(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { key, userId, items, startedAt } = value as Partial<PurchaseAttempt>
  return typeof key === 'string' && typeof userId === 'string' && Array.isArray(items) && typeof startedAt === 'number'
}

/** Delay before asking again: short at first, at most five seconds. */
export function retryDelayMs(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, 5000)
}
