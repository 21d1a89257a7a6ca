import { toCedis } from '../../../../shared/money.ts'
import type { ConfirmPaymentReply, OwnPayment, PaymentProgress } from '../../../../shared/payments.ts'
import { callList } from '../../../lib/api.ts'
import { RefusedError } from '../../../lib/http.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { ofUser, session } from '../../../lib/session.ts'
import { updateSessionUser } from '../../../lib/session-change.ts'
import { createStore } from '../../../lib/store.ts'
import { createStored } from '../../../lib/stored.ts'
import { paymentTexts } from '../../../texts/payments.ts'
import { moneyText } from '../../../ui/money.tsx'
import { toast } from '../../../ui/toast.ts'
import { knownProducts, refreshCatalogue } from '../../catalogue/products/api.ts'
import { announcePurchase } from '../../orders/purchases/announce-purchase.ts'
import { confirmPayment } from './api.ts'
import { type BegunPayment, begunPayments } from './begun-payments.ts'

/** A card payment that has come to its end, shown until it is dismissed. */
export type EndedPayment = {
  userId: string
  payment: OwnPayment
  status: Exclude<OwnPayment['status'], 'open'>
  message: string | null
  /** Where this browser began it, and the lines of the cart that go once it is paid after all. */
  begun: Pick<BegunPayment, 'source' | 'cartIds'> | null
}
type Waiting = { userId: string; payments: readonly OwnPayment[] }

const ENDED_KEPT = 3
const NO_ENDED: readonly EndedPayment[] = []
const NO_REFERENCES: readonly string[] = []

/** The user's open card payments as the shop last listed them, the same in every tab and after a reload. */
const waiting = ofUser(createStored<Waiting | null>('waitingPayments', null, isWaiting), null)
const ended = ofUser(createStored<readonly EndedPayment[]>('endedPayments', NO_ENDED, isEndedList), NO_ENDED)
/** References of unfinished payments that the user does not want to be reminded of. */
const hidden = ofUser(createStored<readonly string[]>('hiddenPayments', NO_REFERENCES, Array.isArray), NO_REFERENCES)

/** The payment whose pop-up this tab has open, or whose end it is finding out; that flow tells its outcome. */
const claimedPayment = createStore<string | null>(null)
/** True while the shop cannot be asked how the payments stand. */
export const isOutOfReach = createStore(false)

/** Makes the caller, in any tab, responsible for showing a payment's outcome; returns how to hand it back. */
export function claimPayment(reference: string): () => void {
  claimedPayment.set(reference)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  navigator.locks?.request(lockOf(reference), () => held).catch(() => undefined)
  return () => {
    claimedPayment.set(null)
    release()
  }
}

/** A tab that is closed or loaded again lets go of its lock by itself. */
async function isClaimed(reference: string): Promise<boolean> {
  const locks = await navigator.locks?.query()
  return locks?.held?.some(({ name }) => name === lockOf(reference)) ?? false
}

function lockOf(reference: string): string {
  return `card-payment:${reference}`
}

export function waitingPayments(): readonly OwnPayment[] {
  return own(waiting.get(), session.get()?._id, claimedPayment.get())
}

/** Waiting payments, newest first, without unfinished ones that were dismissed. */
export function useWaitingPayments(): readonly OwnPayment[] {
  const dismissed = hidden.use()
  return own(waiting.use(), session.use()?._id, claimedPayment.use()).filter((payment) => !dismissed.includes(payment.reference))
}

export function useEndedPayments(): readonly EndedPayment[] {
  const userId = session.use()?._id
  return ended.use().filter((one) => one.userId === userId)
}

/** True for a payment that was found to be paid and whose notice nobody has dismissed yet. */
export function wasPaid(reference: string): boolean {
  return ended.get().some(({ payment, status }) => payment.reference === reference && (status === 'paid' || status === 'held'))
}

/** The shop announces that a payment has come to its end: of interest where it was waiting, or was taken for closed. */
export function notePaymentChange(payment: OwnPayment): void {
  const userId = session.get()?._id
  if (!userId || payment.status === 'open') return
  if (isWatched(payment.reference, userId)) void askAbout(payment)
}

/** False once the outcome has been shown, possibly while it is being asked for here. */
function isWatched(reference: string, userId: string): boolean {
  return [...ownKnown(userId), ...begunBy(userId), ...closedPayments()].some((one) => one.reference === reference)
}

/** Payments that were closed unpaid; money may still come for them, which then buys what it was meant for. */
export function closedPayments(): readonly OwnPayment[] {
  const userId = session.get()?._id
  return ended
    .get()
    .filter((one) => one.userId === userId && one.status === 'expired')
    .map(({ payment }) => payment)
}

export function hidePayment(reference: string): void {
  hidden.set([reference, ...hidden.get()].slice(0, 20))
}

export function dismissEnded(reference: string): void {
  const rest = ended.get().filter(({ payment }) => payment.reference !== reference)
  ended.set(rest.length === 0 ? NO_ENDED : rest)
}

/** The next purchase begins: what was paid before is no news of it. */
export function dismissPaid(): void {
  const rest = ended.get().filter(({ status }) => status !== 'paid')
  ended.set(rest.length === 0 ? NO_ENDED : rest)
}

/** Shows a payment as waiting before the shop has listed it. */
export function noteBegun(begun: BegunPayment): void {
  const others = ownKnown(begun.userId).filter(({ reference }) => reference !== begun.reference)
  waiting.set({ userId: begun.userId, payments: [toOwnPayment(begun), ...others] })
}

export function noteProgress(reference: string, progress: PaymentProgress | null): void {
  const at = waiting.get()
  if (!at || progress === null) return
  waiting.set({ ...at, payments: at.payments.map((one) => (one.reference === reference ? { ...one, progress } : one)) })
}

/** Removes a payment that no longer waits. */
export function forgetPayment(reference: string): void {
  const at = waiting.get()
  const rest = at?.payments.filter((one) => one.reference !== reference) ?? []
  waiting.set(at && rest.length > 0 ? { ...at, payments: rest } : null)
  begunPayments.set(begunPayments.get().filter((one) => one.reference !== reference))
}

let refreshing: Promise<void> | null = null

/** Reads from the shop which payments are open, and finds out what became of those that are not any more. Never rejects. */
export function refreshWaitingPayments(): Promise<void> {
  refreshing ??= refresh()
    .then(
      () => isOutOfReach.set(false),
      (error: unknown) => isOutOfReach.set(!(error instanceof RefusedError)),
    )
    .finally(() => {
      refreshing = null
    })
  return refreshing
}

async function refresh(): Promise<void> {
  const userId = session.get()?._id
  if (!userId) return
  waiting.reread()
  begunPayments.reread()
  const before = [...new Map([...begunBy(userId).map(toOwnPayment), ...ownKnown(userId)].map((one) => [one.reference, one])).values()]
  const { rows } = await callList('GET /payment/mine', { query: { open: '1' }, timeoutMs: 10_000 })
  if (session.get()?._id !== userId) return
  const open = new Set(rows.map(({ reference }) => reference))
  const gone = before.filter(({ reference }) => !open.has(reference) && isWatched(reference, userId))
  // Payments with an unknown outcome stay until it is known.
  const payments = [...rows, ...gone]
  waiting.set(payments.length > 0 ? { userId, payments } : null)
  await Promise.all(gone.map(askAbout))
}

/** Asks what became of each payment that waits; for a return to the page, where the provider may know more than the shop. */
export async function askAboutWaiting(payments: readonly OwnPayment[] = waitingPayments()): Promise<void> {
  await Promise.all(payments.slice(0, 5).map(askAbout))
}

const asking = new Set<string>()

async function askAbout(payment: OwnPayment): Promise<void> {
  const { reference } = payment
  if (asking.has(reference)) return
  asking.add(reference)
  const userId = session.get()?._id
  try {
    if (await isClaimed(reference)) return
    const reply = await confirmPayment(reference)
    if (!userId || session.get()?._id !== userId || (await isClaimed(reference)) || !isWatched(reference, userId)) return
    if (reply.payment.status === 'open') noteProgress(reference, reply.payment.progress)
    else conclude(payment, reply)
  } catch (error) {
    if (error instanceof RefusedError && error.status === 404) forgetPayment(reference)
  } finally {
    asking.delete(reference)
  }
}

/** A waiting payment has an outcome: removes what was bought from the cart, refreshes the screens, and shows a message. */
function conclude(payment: OwnPayment, reply: ConfirmPaymentReply): void {
  const { status, message } = reply.payment
  const earlier = ended.get().find((one) => one.payment.reference === payment.reference)
  if (status === 'open' || earlier?.status === status) return
  const begun = begunPayments.get().find(({ reference }) => reference === payment.reference) ?? earlier?.begun ?? null
  const progress = ownKnown(reply.user._id).find(({ reference }) => reference === payment.reference)?.progress ?? null
  forgetPayment(payment.reference)
  const others = ended.get().filter((one) => one.payment.reference !== payment.reference)
  const kept = begun && { source: begun.source, cartIds: begun.cartIds }
  ended.set([{ userId: reply.user._id, payment, status, message, begun: kept }, ...others].slice(0, ENDED_KEPT))
  updateSessionUser(reply.user)

  if (status === 'paid' && payment.purpose === 'agent-upgrade') {
    toast.success(paymentTexts.nowAgent(reply.user.username))
    refreshCatalogue()
    return
  }
  if (status === 'paid' && payment.purpose === 'top-up' && payment.items.length === 0) {
    toast.success(message ?? paymentTexts.inWallet(moneyText(payment.price)))
    return
  }
  if (status === 'paid' && begun?.source) announcePurchase({ source: begun.source, items: payment.items, cartIds: begun.cartIds })
  else void queryClient.invalidateQueries({ queryKey: ['orders'] })
  if (status === 'paid') {
    toast.success(begun?.source === 'buy' ? paymentTexts.orderPlaced : paymentTexts.ordersPlaced)
  } else if (status === 'held') toast.info(message ?? paymentTexts.paidInWallet)
  // No news about a payment that was closed before any attempt to pay.
  else if (progress !== 'unfinished') toast.danger(message ?? paymentTexts.cardNotThrough)
}

function ownKnown(userId: string): readonly OwnPayment[] {
  const at = waiting.get()
  return at?.userId === userId ? at.payments : []
}

function begunBy(userId: string): readonly BegunPayment[] {
  return begunPayments.get().filter((one) => one.userId === userId)
}

function own(at: Waiting | null, userId: string | undefined, atHand: string | null): readonly OwnPayment[] {
  return at && at.userId === userId ? at.payments.filter(({ reference }) => reference !== atHand) : []
}

function toOwnPayment({ reference, purpose, items, pricePesewas, totalPesewas, startedAt }: BegunPayment): OwnPayment {
  const networkOf = (productId: string) => knownProducts()?.find((product) => product._id === productId)?.network ?? ''
  return {
    reference,
    purpose,
    status: 'open',
    message: null,
    progress: null,
    items: items.map((item) => ({ ...item, network: networkOf(item.productId) })),
    price: toCedis(pricePesewas),
    surcharge: toCedis(totalPesewas - pricePesewas),
    total: toCedis(totalPesewas),
    createdAt: new Date(startedAt).toISOString(),
    settledAt: null,
  }
}

function isPayment(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { reference, items, total, createdAt } = value as Partial<OwnPayment>
  return typeof reference === 'string' && Array.isArray(items) && typeof total === 'number' && typeof createdAt === 'string'
}

function isWaiting(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { userId, payments } = value as Partial<Waiting>
  return typeof userId === 'string' && Array.isArray(payments) && payments.every(isPayment)
}

function isEndedList(value: unknown): boolean {
  return Array.isArray(value) && value.every((one: Partial<EndedPayment>) => typeof one?.userId === 'string' && isPayment(one.payment))
}
