import { formatPesewas, toPesewas } from '../../../shared/money.ts'
import type { CheckoutItem } from '../../../shared/orders.ts'
import type { ConfirmPaymentReply, PaymentProgress, PaymentRequest } from '../../../shared/payments.ts'
import { isOutcomeUnknown, messageOf } from '../../lib/http.ts'
import { session } from '../../lib/session.ts'
import { updateSessionUser } from '../../lib/session-change.ts'
import { createStore } from '../../lib/store.ts'
import { confirmAction } from '../../ui/confirm-action.ts'
import { toast } from '../../ui/toast.ts'
import { finishQuietly } from '../checkout/finish-purchase.ts'
import { type PurchaseSource, retryDelayMs } from '../checkout/purchase-attempt.ts'
import { getShop } from '../shop/api.ts'
import { changeLevel } from '../users/api.ts'
import { agreeToPayAgain } from './agree-to-pay-again.tsx'
import { confirmPayment, startPayment } from './api.ts'
import { type BegunPayment, findBegun, rememberBegun } from './begun-payments.ts'
import { loadCardPopup } from './load-card-popup.ts'
import { claimPayment, forgetPayment, noteBegun, noteProgress, refreshWaitingPayments, waitingPayments } from './waiting-payments.ts'

export type CardPurpose =
  /** `cartIds`: the cart lines that it pays for, which go when it is paid. */
  { purpose: 'order'; source: PurchaseSource; items: CheckoutItem[]; cartIds: readonly string[] } | { purpose: 'agent-upgrade' }
export type CardPhase = 'idle' | 'starting' | 'paying' | 'confirming'
export type CardOutcome =
  | { status: 'paid'; reply: ConfirmPaymentReply; stay: () => void }
  /** The pop-up was closed before payment. The payment may still succeed, so it is shown until it is settled or closed. */
  | { status: 'waiting' }
  | { status: 'cancelled' }
  | { status: 'refused'; error: Error }

const CONFIRM_FOR_MS = 60_000
const ASK_EVERY_MS = 3_200
const WAITING = 'Your payment is waiting for your approval. Approve it on your phone and we’ll do the rest.'

export const cardPhase = createStore<CardPhase>('idle')

/** Prepares the payment, opens the pop-up, and asks the shop for the outcome, which is shown in a toast. */
export async function payByCard(purpose: CardPurpose, shownPesewas: number): Promise<CardOutcome> {
  const userId = session.get()?._id
  if (!userId || cardPhase.get() !== 'idle') return { status: 'cancelled' }
  cardPhase.set('starting')
  let letGo = () => {}
  try {
    const resumable = () => findResumable(purpose, userId, shownPesewas)
    if (!(await agreeToPayAgain(purpose, ({ reference }) => reference === resumable()?.reference))) return { status: 'cancelled' }
    const again = resumable()
    const [{ reference, accessCode, totalPesewas }, popup] = await Promise.all([
      again ?? begin(purpose, userId, shownPesewas),
      loadCardPopup(getShop().mode),
    ])
    letGo = claimPayment(reference)
    if (totalPesewas !== shownPesewas && !(await confirmOtherCharge(totalPesewas, shownPesewas))) return { status: 'cancelled' }
    cardPhase.set('paying')
    const openedAt = Date.now()
    const outcome = await popup.open(accessCode)
    cardPhase.set('confirming')
    // The shop asks the provider about one payment once in three seconds, and did so before it was opened again.
    if (again) await new Promise((resolve) => setTimeout(resolve, openedAt + ASK_EVERY_MS - Date.now()))
    if (outcome.result === 'success') {
      toast.success('Payment made successfully, please wait...')
      return await finishPayment(reference, purpose)
    }
    if (outcome.result === 'failed') toast.danger(outcome.message)
    return await lookAfterClosed(reference, purpose, outcome.result === 'cancelled')
  } catch (error) {
    toast.danger(messageOf(error))
    return { status: 'refused', error: error instanceof Error ? error : new Error(messageOf(error)) }
  } finally {
    letGo()
    cardPhase.set('idle')
    void refreshWaitingPayments()
  }
}

async function begin(purpose: CardPurpose, userId: string, shownPesewas: number): Promise<BegunPayment> {
  const startedAt = Date.now()
  const { reference, accessCode, amount } = await startPayment(toRequest(purpose))
  const order = purpose.purpose === 'order' ? purpose : null
  const begun: BegunPayment = {
    reference,
    accessCode,
    userId,
    purpose: purpose.purpose,
    source: order?.source ?? null,
    items: order?.items ?? [],
    cartIds: order?.cartIds ?? [],
    pricePesewas: order && amount === shownPesewas ? order.items.reduce((sum, item) => sum + toPesewas(item.amount), 0) : amount,
    totalPesewas: amount,
    startedAt,
  }
  rememberBegun(begun)
  noteBegun(begun)
  return begun
}

/** The payment of this very purchase that was closed before anything was tried: opened again it can't be paid twice. */
function findResumable(purpose: CardPurpose, userId: string, shownPesewas: number): BegunPayment | null {
  const items = purpose.purpose === 'order' ? purpose.items : []
  const begun = findBegun({ userId, purpose: purpose.purpose, items })
  if (!begun || begun.totalPesewas !== shownPesewas) return null
  const progress = waitingPayments().find(({ reference }) => reference === begun.reference)?.progress
  return progress === 'unfinished' || progress === 'declined' ? begun : null
}

async function finishPayment(reference: string, purpose: CardPurpose): Promise<CardOutcome> {
  const reply = await askUntilSettled(reference, CONFIRM_FOR_MS)
  if (reply && reply.payment.status !== 'open') return tellOutcome(reply, purpose)
  // The pop-up reported a payment, so the payer must not try again, even if the provider does not confirm it yet.
  noteProgress(reference, 'under-way')
  toast.info('We haven’t heard from the card provider yet. We’ll keep checking: if you were charged, you’ll get what you paid for.')
  return { status: 'waiting' }
}

/** A payer may close the pop-up after paying, or approve later on their phone, so ask the shop before giving up. */
async function lookAfterClosed(reference: string, purpose: CardPurpose, cancelled: boolean): Promise<CardOutcome> {
  const reply = await confirmPayment(reference).catch(() => null)
  if (reply && (reply.payment.status === 'paid' || reply.payment.status === 'held')) return tellOutcome(reply, purpose)
  if (reply && reply.payment.status !== 'open') forgetPayment(reference)
  else noteProgress(reference, reply?.payment.progress ?? null)
  if (reply && isCalledOff(reply.payment)) {
    if (cancelled) toast.info('Payment cancelled')
    return { status: 'cancelled' }
  }
  toast.info(WAITING)
  return { status: 'waiting' }
}

function isCalledOff({ status, progress }: { status: string; progress: PaymentProgress | null }): boolean {
  return status !== 'open' || progress === 'unfinished' || progress === 'declined'
}

async function tellOutcome(reply: ConfirmPaymentReply, purpose: CardPurpose): Promise<CardOutcome> {
  const { status, message, reference } = reply.payment
  forgetPayment(reference)
  updateSessionUser(reply.user)
  if (status !== 'paid') {
    const text =
      message ??
      (status === 'held'
        ? 'You paid, but we couldn’t place the order. The money is in your wallet.'
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
  return { status: 'paid', reply, stay: finishQuietly(purpose.source, purpose.items) }
}

/** Null when no answer came in time. */
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
