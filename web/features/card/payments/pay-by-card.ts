import { toCedis, toPesewas } from '../../../../shared/money.ts'
import type { CheckoutItem } from '../../../../shared/orders.ts'
import type { ConfirmPaymentReply, PaymentProgress, PaymentRequest } from '../../../../shared/payments.ts'
import { isOutcomeUnknown, messageOf } from '../../../lib/http.ts'
import { session } from '../../../lib/session.ts'
import { updateSessionUser } from '../../../lib/session-change.ts'
import { createStore } from '../../../lib/store.ts'
import { paymentTexts } from '../../../texts/payments.ts'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { moneyText } from '../../../ui/money.tsx'
import { dismissToast, toast } from '../../../ui/toast.ts'
import { finishPurchase } from '../../orders/purchases/finish-purchase.ts'
import { type PurchaseSource, retryDelayMs } from '../../orders/purchases/purchase-attempt.ts'
import { changeLevel } from '../../people/users/api.ts'
import { agentFeePesewas, getShop } from '../../shop/shop/api.ts'
import { agreeToPayAgain, type Wanted } from './agree-to-pay-again.tsx'
import { confirmPayment, startPayment } from './api.ts'
import { type BegunPayment, findBegun, rememberBegun } from './begun-payments.ts'
import { loadCardPopup } from './load-card-popup.ts'
import {
  claimPayment,
  dismissPaid,
  forgetPayment,
  noteBegun,
  noteProgress,
  refreshWaitingPayments,
  waitingPayments,
} from './waiting-payments.ts'

export type CardPurpose =
  /** `cartIds`: the cart lines that it pays for, which go when it is paid. */
  | { purpose: 'order'; source: PurchaseSource; items: CheckoutItem[]; cartIds: readonly string[] }
  | { purpose: 'agent-upgrade' }
  /** Into the wallet, in cedis; `buy` is what it pays for as soon as it is there. */
  | { purpose: 'top-up'; amount: number; buy: { source: PurchaseSource; items: CheckoutItem[]; cartIds: readonly string[] } | null }
export type CardPhase = 'idle' | 'starting' | 'paying' | 'confirming'
export type CardOutcome =
  | { status: 'paid'; reply: ConfirmPaymentReply }
  /** The pop-up was closed before payment. The payment may still succeed, so it is shown until it is settled or closed. */
  | { status: 'waiting' }
  | { status: 'cancelled' }
  | { status: 'refused'; error: Error }

const CONFIRM_FOR_MS = 60_000
const ASK_EVERY_MS = 3_200

export const cardPhase = createStore<CardPhase>('idle')

/** Prepares the payment, opens the pop-up, and asks the shop for the outcome, which is shown in a toast; the caller tells a refusal. */
export async function payByCard(purpose: CardPurpose, shownPesewas: number): Promise<CardOutcome> {
  const userId = session.get()?._id
  if (!userId || cardPhase.get() !== 'idle') return { status: 'cancelled' }
  dismissPaid()
  cardPhase.set('starting')
  let letGo = () => {}
  try {
    const resumable = () => findResumable(purpose, userId, shownPesewas)
    if (!(await agreeToPayAgain(toWanted(purpose), ({ reference }) => reference === resumable()?.reference))) return { status: 'cancelled' }
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
      const waiting = toast.success(paymentTexts.madeWait)
      return await finishPayment(reference, purpose).finally(() => dismissToast(waiting))
    }
    if (outcome.result === 'failed') toast.danger(outcome.message)
    return await lookAfterClosed(reference, purpose, outcome.result === 'cancelled')
  } catch (error) {
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
  const purchase = purchaseOf(purpose)
  const begun: BegunPayment = {
    reference,
    accessCode,
    userId,
    purpose: purpose.purpose,
    source: purchase?.source ?? null,
    items: purchase?.items ?? [],
    cartIds: purchase?.cartIds ?? [],
    pricePesewas: amount === shownPesewas ? pricePesewasOf(purpose) : amount,
    totalPesewas: amount,
    startedAt,
  }
  rememberBegun(begun)
  noteBegun(begun)
  return begun
}

/** The payment of this very purchase that was closed before anything was tried: opened again it can't be paid twice. */
function findResumable(purpose: CardPurpose, userId: string, shownPesewas: number): BegunPayment | null {
  const items = purchaseOf(purpose)?.items ?? []
  const begun = findBegun({ userId, purpose: purpose.purpose, items, totalPesewas: shownPesewas })
  if (!begun) return null
  const progress = waitingPayments().find(({ reference }) => reference === begun.reference)?.progress
  return progress === 'unfinished' || progress === 'declined' ? begun : null
}

async function finishPayment(reference: string, purpose: CardPurpose): Promise<CardOutcome> {
  const reply = await askUntilSettled(reference, CONFIRM_FOR_MS)
  if (reply && reply.payment.status !== 'open') return tellOutcome(reply, purpose)
  // The pop-up reported a payment, so the payer must not try again, even if the provider does not confirm it yet.
  noteProgress(reference, 'under-way')
  toast.info(paymentTexts.notHeard)
  return { status: 'waiting' }
}

/** A payer may close the pop-up after paying, or approve later on their phone, so ask the shop before giving up. */
async function lookAfterClosed(reference: string, purpose: CardPurpose, cancelled: boolean): Promise<CardOutcome> {
  const reply = await confirmPayment(reference).catch(() => null)
  if (reply && (reply.payment.status === 'paid' || reply.payment.status === 'held')) return tellOutcome(reply, purpose)
  if (reply && reply.payment.status !== 'open') forgetPayment(reference)
  else noteProgress(reference, reply?.payment.progress ?? null)
  if (reply && isCalledOff(reply.payment)) {
    if (cancelled) toast.info(paymentTexts.cancelled)
    return { status: 'cancelled' }
  }
  toast.info(paymentTexts.waitsForApproval)
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
    const text = message ?? (status === 'held' ? paymentTexts.heldNoOrder : paymentTexts.notThrough)
    return { status: 'refused', error: new Error(text) }
  }
  if (purpose.purpose === 'agent-upgrade') {
    const user = await changeLevel(reply.user._id, 'Agent')
    toast.success(paymentTexts.nowAgent(user.username))
    return { status: 'paid', reply }
  }
  const purchase = purchaseOf(purpose)
  if (!purchase) {
    toast.success(message ?? paymentTexts.inWallet(moneyText(toCedis(pricePesewasOf(purpose)))))
    return { status: 'paid', reply }
  }
  finishPurchase(purchase.source, purchase.items)
  return { status: 'paid', reply }
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
    title: paymentTexts.otherCharge,
    question: paymentTexts.otherChargeQuestion(moneyText(toCedis(amount)), moneyText(toCedis(shownPesewas))),
    yes: paymentTexts.pay(moneyText(toCedis(amount))),
  })
}

/** What it buys; null for the upgrade and for a top-up alone. */
function purchaseOf(purpose: CardPurpose) {
  return purpose.purpose === 'order' ? purpose : purpose.purpose === 'top-up' ? purpose.buy : null
}

function pricePesewasOf(purpose: CardPurpose): number {
  if (purpose.purpose === 'agent-upgrade') return agentFeePesewas(getShop())
  if (purpose.purpose === 'top-up') return toPesewas(purpose.amount)
  return purpose.items.reduce((sum, item) => sum + toPesewas(item.amount), 0)
}

function toWanted(purpose: CardPurpose): Wanted {
  return purpose.purpose === 'top-up' ? { purpose: 'top-up', amount: purpose.amount, items: purpose.buy?.items ?? [] } : purpose
}

function toRequest(purpose: CardPurpose): PaymentRequest {
  if (purpose.purpose === 'agent-upgrade') return { purpose: 'agent-upgrade' }
  if (purpose.purpose === 'order') return { purpose: 'order', items: purpose.items }
  const { amount, buy } = purpose
  return { purpose: 'top-up', amount, ...(buy && { items: buy.items }) }
}
