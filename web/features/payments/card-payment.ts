import { formatPesewas } from '../../../shared/money.ts'
import type { CheckoutItem } from '../../../shared/orders.ts'
import type { ConfirmPaymentReply, PaymentRequest } from '../../../shared/payments.ts'
import { isOutcomeUnknown, messageOf } from '../../lib/http.ts'
import { session, updateSessionUser, wipeAtSignOut } from '../../lib/session.ts'
import { createStore } from '../../lib/store.ts'
import { createStored } from '../../lib/stored.ts'
import { confirmAction } from '../../ui/confirm-action.ts'
import { toast } from '../../ui/toast.ts'
import { settlePurchase } from '../checkout/finish-purchase.ts'
import { type PurchaseSource, retryDelayMs } from '../checkout/intention.ts'
import { getShop } from '../shop/shop.ts'
import { changeLevel } from '../users/api.ts'
import { confirmPayment, startPayment } from './api.ts'
import { loadCardPopup } from './card-popup.ts'

export type CardPurpose = { purpose: 'order'; source: PurchaseSource; items: CheckoutItem[] } | { purpose: 'agent-upgrade' }
export type CardPhase = 'idle' | 'starting' | 'paying' | 'confirming'
export type CardOutcome =
  | { status: 'paid'; reply: ConfirmPaymentReply; stay: () => void }
  | { status: 'cancelled' }
  | { status: 'refused'; error: Error }

type OpenPayment = { reference: string; userId: string; purpose: CardPurpose; startedAt: number }

const CONFIRM_FOR_MS = 60_000
const FORGET_AFTER_MS = 30 * 60_000
const STILL_OPEN =
  'The card provider has not confirmed this payment yet. We keep asking: if you were charged, what you paid for follows by itself. See My Transactions before you pay again.'

/** A payment that was begun and whose end is not known, so that a page that was loaded again can ask about it. */
const openPayment = createStored<OpenPayment | null>('openPayment', null, isOpenPayment)
wipeAtSignOut(() => openPayment.set(null))

export const cardPhase = createStore<CardPhase>('idle')

/** Prepares the payment, lets the payer pay it, and asks the shop what came of it. Every end of it is told in a toast. */
export async function payByCard(purpose: CardPurpose, shownPesewas: number): Promise<CardOutcome> {
  const userId = session.get()?._id
  if (!userId || cardPhase.get() !== 'idle') return { status: 'cancelled' }
  cardPhase.set('starting')
  try {
    const [{ reference, accessCode, amount }, popup] = await Promise.all([startPayment(toRequest(purpose)), loadCardPopup(getShop().mode)])
    if (amount !== shownPesewas && !(await confirmOtherCharge(amount, shownPesewas))) return { status: 'cancelled' }
    openPayment.set({ reference, userId, purpose, startedAt: Date.now() })
    cardPhase.set('paying')
    const outcome = await popup.open(accessCode)
    cardPhase.set('confirming')
    if (outcome.result === 'success') {
      toast.success('Payment made successfully, please wait...')
      return await finishPayment(reference, purpose, CONFIRM_FOR_MS)
    }
    if (outcome.result === 'failed') toast.danger(outcome.message)
    return await lookAfterClosed(reference, purpose, outcome.result === 'cancelled')
  } catch (error) {
    toast.danger(messageOf(error))
    return { status: 'refused', error: error instanceof Error ? error : new Error(messageOf(error)) }
  } finally {
    cardPhase.set('idle')
  }
}

/** After a reload: asks what became of a payment that this page no longer watches. */
export async function resumePayment(): Promise<void> {
  const payment = openPayment.get()
  if (!payment || cardPhase.get() !== 'idle') return
  if (payment.userId !== session.get()?._id || Date.now() - payment.startedAt > FORGET_AFTER_MS) {
    openPayment.set(null)
    return
  }
  const reply = await askUntilSettled(payment.reference, 8000).catch(() => null)
  if (!reply || reply.payment.status === 'open') {
    toast.info('A card payment that you began is not finished. If you were charged, what you paid for follows by itself.')
    return
  }
  await tellOutcome(reply, payment.purpose)
}

async function finishPayment(reference: string, purpose: CardPurpose, forMs: number): Promise<CardOutcome> {
  const reply = await askUntilSettled(reference, forMs)
  if (!reply || reply.payment.status === 'open') {
    toast.info(STILL_OPEN)
    return { status: 'refused', error: new Error(STILL_OPEN) }
  }
  return tellOutcome(reply, purpose)
}

/** Somebody may close the pop-up after they have paid, so the shop is asked before anything is called cancelled. */
async function lookAfterClosed(reference: string, purpose: CardPurpose, cancelled: boolean): Promise<CardOutcome> {
  const reply = await confirmPayment(reference).catch(() => null)
  if (reply && (reply.payment.status === 'paid' || reply.payment.status === 'held')) return tellOutcome(reply, purpose)
  if (openPayment.get()?.reference === reference && reply) openPayment.set(null)
  if (cancelled) toast.info('Payment cancelled')
  return { status: 'cancelled' }
}

async function tellOutcome(reply: ConfirmPaymentReply, purpose: CardPurpose): Promise<CardOutcome> {
  const { status, message, reference } = reply.payment
  if (openPayment.get()?.reference === reference) openPayment.set(null)
  updateSessionUser(reply.user)
  if (status !== 'paid') {
    const text =
      message ??
      (status === 'held'
        ? 'You have paid, but the order could not be made. The money is in your wallet.'
        : 'The payment did not go through. Nothing was bought.')
    if (status === 'held') toast.info(text)
    else toast.danger(text)
    return { status: 'refused', error: new Error(text) }
  }
  if (purpose.purpose === 'agent-upgrade') {
    const user = await changeLevel(reply.user._id, 'Agent')
    toast.success(`User ${user.username} updated is now an Agent`)
    return { status: 'paid', reply, stay: () => undefined }
  }
  toast.success(purpose.source === 'cart' ? 'Orders placed successfully' : 'Your order is placed successfully')
  return { status: 'paid', reply, stay: settlePurchase(purpose.source, purpose.items) }
}

/** Null when no answer came in that time. */
async function askUntilSettled(reference: string, forMs: number): Promise<ConfirmPaymentReply | null> {
  const until = Date.now() + forMs
  let last: ConfirmPaymentReply | null = null
  for (let attempt = 0; ; attempt++) {
    try {
      last = await confirmPayment(reference)
      if (last.payment.status !== 'open') return last
    } catch (error) {
      if (!isOutcomeUnknown(error)) throw error
    }
    const delayMs = retryDelayMs(attempt)
    if (Date.now() + delayMs > until) return last
    await new Promise((resolve) => setTimeout(resolve, delayMs))
  }
}

/** The shop states what is charged; where that is not what this page has shown, the payer decides again. */
function confirmOtherCharge(amount: number, shownPesewas: number): Promise<boolean> {
  return confirmAction({
    title: 'The charge is different',
    question: `Your card will be charged ¢${formatPesewas(amount)}, not ¢${formatPesewas(shownPesewas)}. Go on?`,
    yes: `Pay ¢${formatPesewas(amount)} by card`,
    no: 'Cancel',
  })
}

function toRequest(purpose: CardPurpose): PaymentRequest {
  return purpose.purpose === 'order' ? { purpose: 'order', items: purpose.items } : { purpose: 'agent-upgrade' }
}

function isOpenPayment(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { reference, userId, purpose } = value as Partial<OpenPayment>
  return typeof reference === 'string' && typeof userId === 'string' && typeof purpose === 'object'
}
