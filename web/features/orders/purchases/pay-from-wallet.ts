import { bundleName } from '../../../../shared/bundle-name.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../../../shared/limits.ts'
import { toCedis, toPesewas } from '../../../../shared/money.ts'
import type { CheckoutItem, CheckoutReply } from '../../../../shared/orders.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { call } from '../../../lib/api.ts'
import { isOutcomeUnknown, RefusedError } from '../../../lib/http.ts'
import { ofUser, session } from '../../../lib/session.ts'
import { createStore } from '../../../lib/store.ts'
import { createStored } from '../../../lib/stored.ts'
import type { Subject } from '../../../lib/subject.ts'
import { checkoutTexts } from '../../../texts/checkout.ts'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { moneyText } from '../../../ui/money.tsx'
import { knownProducts } from '../../catalogue/products/api.ts'
import { finishPurchase, goToHistory, reportRefusal, tellPlaced } from './finish-purchase.ts'
import {
  isPurchaseAttempt,
  isSamePurchase,
  type PurchaseAttempt,
  type PurchaseSource,
  purchaseAttemptFor,
  retryDelayMs,
} from './purchase-attempt.ts'
import { sendAsking } from './send-asking.ts'

export type CheckoutPhase = { phase: 'idle' } | { phase: 'sending' | 'checking'; source: PurchaseSource; since: number }
export type CheckoutOutcome = { status: 'placed'; reply: CheckoutReply } | { status: 'refused'; error: Error }

/** A purchase older than this continues only if the buyer confirms it again. */
const FRESH_MS = 5 * 60_000
const ATTEMPT_TIMEOUT_MS = 12_000
const IDLE: CheckoutPhase = { phase: 'idle' }
const NO_NAMES: readonly string[] = []
const NAMES_KEPT = 20
/** Held by the tab whose purchase has no answer yet. */
const LOCK = 'wallet-checkout'

// The stored name never changes: a purchase still unanswered when the shop is upgraded must keep its key.
const unanswered = ofUser(createStored<PurchaseAttempt | null>('checkoutIntention', null, isPurchaseAttempt), null)

/** What the wallet checkout is doing, for every screen that shows a purchase button. */
export const checkoutPhase = createStore<CheckoutPhase>(IDLE)

/** The names of purchases that the shop refused: it would refuse them again under the same name. */
const refusedNames = ofUser(createStored<readonly string[]>('refusedPurchases', NO_NAMES, Array.isArray), NO_NAMES)

/** `about`: what is bought; nothing is sent once it has changed. `name` is the same for the same purchase in every tab. */
type How = { about?: Subject; name?: string | null }

type Running = { attempt: PurchaseAttempt; outcome: Promise<CheckoutOutcome> }
let running: Running | null = null
const runningPurchase = (): Running | null => running

/**
 * Pays for the items from the wallet, once, however often it is called or the page is loaded again before the answer.
 * Answers only with what the shop decided: without a reply it asks again with the same key until there is one.
 */
export function payFromWallet(items: CheckoutItem[], source: PurchaseSource, { about, name }: How = {}): Promise<CheckoutOutcome> {
  const userId = session.get()?._id
  if (!userId) return Promise.resolve({ status: 'refused', error: new Error(checkoutTexts.logInFirst) })
  const earlier = running?.attempt ?? unanswered.get()
  if (earlier && earlier.userId === userId && !isSamePurchase(earlier.items, items)) {
    void resumeCheckout()
    const error = new Error(checkoutTexts.earlierUnknown)
    return Promise.resolve({ status: 'refused', error })
  }
  if (running) return running.outcome
  const changed = about?.changed() ?? null
  if (changed !== null) return Promise.resolve({ status: 'refused', error: new Error(changed) })
  const newKey = () => (name ? keyOf(name) : crypto.randomUUID())
  return begin(purchaseAttemptFor(unanswered.get(), { userId, source, items, now: Date.now(), newKey }), about)
}

function keyOf(name: string): string {
  const refused = new Set(refusedNames.get())
  let tries = 0
  while (refused.has(`${name}-${tries}`)) tries++
  return `${name}-${tries}`
}

function noteRefused(key: string): void {
  refusedNames.update((names) => [key, ...names].slice(0, NAMES_KEPT))
}

/** After a reload: finds out what became of a purchase whose answer never came, and says so. What another tab is buying it leaves to that tab. */
export function resumeCheckout(): Promise<void> {
  return running ? Promise.resolve() : inTurn(resume)
}

async function resume(): Promise<void> {
  unanswered.reread()
  const attempt = unanswered.get()
  if (!attempt || running) return
  if (attempt.userId !== session.get()?._id) {
    unanswered.set(null)
    return
  }
  const mayGoOn = attempt.session === sessionMark() && Date.now() - attempt.startedAt <= FRESH_MS
  if (!mayGoOn && !(await askToGoOn(attempt))) {
    if (!runningPurchase()) unanswered.set(null)
    return
  }
  const outcome = await (runningPurchase()?.outcome ?? begin(attempt))
  if (outcome.status === 'refused') {
    reportRefusal(outcome.error)
    return
  }
  finishPurchase(attempt.source, attempt.items)
  // The BUY PAGE that would have shown it went with the page that was loaded again.
  if (attempt.source === 'buy') {
    tellPlaced()
    goToHistory()
  }
}

/** Lets a resumed purchase wait for the tab that is making it. Without such locks in an old browser, each tab looks after it. */
async function inTurn(run: () => Promise<void>): Promise<void> {
  if (navigator.locks) await navigator.locks.request(LOCK, run)
  else await run()
}

/** Holds the turn of `inTurn` while a purchase of this tab has no answer; returns how to hand it on. */
function claim(): () => void {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  navigator.locks?.request(LOCK, () => held).catch(() => undefined)
  return letGo
}

function begin(attempt: PurchaseAttempt, about?: Subject): Promise<CheckoutOutcome> {
  remember(attempt)
  checkoutPhase.set({ phase: 'sending', source: attempt.source, since: Date.now() })
  const letGo = claim()
  const outcome = sendUntilAnswered(attempt, about).finally(() => {
    letGo()
    running = null
    if (unanswered.get()?.key === attempt.key) unanswered.set(null)
    checkoutPhase.set(IDLE)
  })
  running = { attempt, outcome }
  return outcome
}

function remember(attempt: PurchaseAttempt): void {
  unanswered.set({ ...attempt, session: sessionMark() })
}

async function sendUntilAnswered(purchase: PurchaseAttempt, about?: Subject): Promise<CheckoutOutcome> {
  const { key, userId, items, source, startedAt, isAgreed = false } = purchase
  const ask = sendAsking({
    isAgreed,
    about,
    // Whoever leaves the page over the question has not said yes, and is not asked on the next one.
    onQuestion: () => unanswered.set(null),
    onAgreed: () => remember({ ...purchase, isAgreed: true }),
  })
  for (let attempt = 0; ; attempt++) {
    if (session.get()?._id !== userId) return { status: 'refused', error: new Error(checkoutTexts.loggedOut) }
    try {
      const reply = await ask((asking) => {
        const headers = { [IDEMPOTENCY_KEY_HEADER]: key, ...asking }
        // Refused until the PIN is there, it is not uncertain: whoever leaves the page over it has bought nothing.
        const onPin = (is: 'asked' | 'right') => (is === 'asked' ? unanswered.set(null) : remember(purchase))
        return call('POST /order/checkout', { body: { items }, headers, timeoutMs: ATTEMPT_TIMEOUT_MS, onPin })
      })
      return { status: 'placed', reply }
    } catch (error) {
      if (!isOutcomeUnknown(error)) {
        if (!(error instanceof RefusedError)) return { status: 'refused', error: new Error(String(error)) }
        if (source === 'cart') noteRefused(key)
        return { status: 'refused', error }
      }
      checkoutPhase.set({ phase: 'checking', source, since: startedAt })
      await connectionOr(retryDelayMs(attempt))
    }
  }
}

/** Waits for `ms`, or until the browser is online again. */
function connectionOr(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, delayMs)
    window.addEventListener('online', done)
  })
}

function sessionMark(): string {
  return session.get()?.token.slice(-8) ?? ''
}

function askToGoOn({ key, items }: PurchaseAttempt): Promise<boolean> {
  return confirmAction({
    about: { on: [unanswered], changed: () => (unanswered.get()?.key === key ? null : checkoutTexts.knownMeanwhile) },
    title: checkoutTexts.unfinished,
    question: checkoutTexts.unfinishedQuestion(listed(items), moneyText(sumOf(items))),
    yes: checkoutTexts.goOn,
    no: checkoutTexts.leaveIt,
  })
}

/** "MTN 1GB to 055 123 4567", or how many. */
function listed(items: readonly CheckoutItem[]): string {
  const [only] = items
  if (!only || items.length > 1) return checkoutTexts.bundles(items.length)
  const network = knownProducts()?.find(({ _id }) => _id === only.productId)?.network
  return checkoutTexts.bundleTo(bundleName(network, only.offer), spacedPhone(only.phoneNumber))
}

function sumOf(items: readonly CheckoutItem[]): number {
  return toCedis(items.reduce((sum, { amount }) => sum + toPesewas(amount), 0))
}
