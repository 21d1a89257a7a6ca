import type { ConfirmPaymentReply, ListPaymentRequest } from '../../../../../shared/payments.ts'
import { isOutcomeUnknown, messageOf } from '../../../../lib/http.ts'
import { queryClient } from '../../../../lib/query-client.ts'
import { ofUser, session } from '../../../../lib/session.ts'
import { updateSessionUser } from '../../../../lib/session-change.ts'
import { createStored } from '../../../../lib/stored.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { confirmPayment } from '../../../card/payments/api.ts'
import { loadCardPopup } from '../../../card/payments/load-card-popup.ts'
import { cardPhase } from '../../../card/payments/pay-by-card.ts'
import { claimPayment, refreshWaitingPayments } from '../../../card/payments/waiting-payments.ts'
import { getShop } from '../../../shop/shop/api.ts'
import { retryDelayMs } from '../../purchases/purchase-attempt.ts'
import { startListPayment } from './api.ts'

/** A card payment for a list that this browser began. The shop places the list as soon as it is paid, also when the page is gone. */
export type ListPayment = { reference: string; accessCode: string; userId: string; request: ListPaymentRequest; totalPesewas: number }
export type ListPaymentOutcome =
  | { status: 'paid'; listId: string }
  /** It may still be paid: the page goes on asking. */
  | { status: 'waiting' }
  | { status: 'cancelled' }
  | { status: 'refused'; error: Error }

/** The payment whose outcome this browser doesn't know yet, also after the page was loaded again. */
export const openListPayment = ofUser(createStored<ListPayment | null>('listPayment', null, isListPayment), null)

const CONFIRM_FOR_MS = 60_000

/** Prepares the payment, opens the pop-up and asks what became of it. The same list again opens the same payment, which can't be paid twice. */
export async function payListByCard(request: ListPaymentRequest, shownPesewas: number): Promise<ListPaymentOutcome> {
  const userId = session.get()?._id
  if (!userId || cardPhase.get() !== 'idle') return { status: 'cancelled' }
  cardPhase.set('starting')
  let letGo = () => {}
  try {
    const earlier = openListPayment.get()
    const stands = earlier && isSame(earlier.request, request) ? await askAboutList() : null
    if (stands && stands.status !== 'cancelled') return stands
    const payment = stands && earlier ? earlier : await begin(request, userId)
    if (payment.totalPesewas !== shownPesewas) return { status: 'refused', error: new Error(bulkTexts.otherCharge) }
    const popup = await loadCardPopup(getShop().mode)
    letGo = claimPayment(payment.reference)
    cardPhase.set('paying')
    const outcome = await popup.open(payment.accessCode)
    cardPhase.set('confirming')
    if (outcome.result === 'failed') return { status: 'refused', error: new Error(outcome.message) }
    return await askAboutList(outcome.result === 'success' ? CONFIRM_FOR_MS : 0)
  } catch (error) {
    return { status: 'refused', error: error instanceof Error ? error : new Error(messageOf(error)) }
  } finally {
    letGo()
    cardPhase.set('idle')
    void refreshWaitingPayments()
  }
}

async function begin(request: ListPaymentRequest, userId: string): Promise<ListPayment> {
  const { reference, accessCode, amount } = await startListPayment(request)
  const payment = { reference, accessCode, userId, request, totalPesewas: amount }
  openListPayment.set(payment)
  return payment
}

/** What became of the open payment: asks until it is settled, for so long. `cancelled`: it was closed before anything was tried. */
export async function askAboutList(forMs = 0): Promise<ListPaymentOutcome> {
  const payment = openListPayment.get()
  if (!payment) return { status: 'cancelled' }
  const until = Date.now() + forMs
  for (let attempt = 0; ; attempt++) {
    const reply = await confirmPayment(payment.reference).catch((error: unknown) => {
      if (isOutcomeUnknown(error)) return null
      throw error
    })
    if (reply && reply.payment.status !== 'open') return conclude(reply)
    const delayMs = retryDelayMs(attempt)
    if (Date.now() + delayMs > until) {
      const progress = reply?.payment.progress
      return { status: forMs === 0 && (progress === 'unfinished' || progress === 'declined') ? 'cancelled' : 'waiting' }
    }
    await new Promise((resolve) => setTimeout(resolve, delayMs))
  }
}

function conclude({ payment: { status, message }, list, user }: ConfirmPaymentReply): ListPaymentOutcome {
  openListPayment.set(null)
  updateSessionUser(user)
  for (const known of [['bulk'], ['bulk-schedules'], ['orders']]) void queryClient.invalidateQueries({ queryKey: known })
  return status === 'paid' && list
    ? { status: 'paid', listId: list }
    : { status: 'refused', error: new Error(message ?? bulkTexts.notPaid) }
}

function isSame(one: ListPaymentRequest, other: ListPaymentRequest): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isListPayment(value: unknown): boolean {
  if (value === null) return true
  if (typeof value !== 'object') return false
  const { reference, accessCode, userId, request, totalPesewas } = value as Partial<ListPayment>
  return (
    [reference, accessCode, userId].every((text) => typeof text === 'string') &&
    typeof totalPesewas === 'number' &&
    Array.isArray(request?.lines)
  )
}
