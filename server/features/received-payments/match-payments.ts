import type { MomoNetwork } from '../../../shared/message-formats.ts'
import { formatPesewas } from '../../../shared/money.ts'
import { spacedPhone } from '../../../shared/phones.ts'
import type { Agreement } from '../../../shared/received-payments.ts'
import type { RechargeStatus } from '../../../shared/recharges.ts'
import { DOUBTS, type Doubt } from '../message-formats/parse-message.ts'
import type { NumberOwner } from '../numbers/confirmed-numbers.sql.ts'

/** A payment that waits for its wallet; amounts in pesewas. */
export type WaitingPayment = {
  id: string
  network: MomoNetwork
  amountPesewas: number
  payerName: string | null
  byAgent: boolean
  payerPhone: string | null
  typedPhone: string | null
  reference: string | null
  sentAt: Date | null
  doubts: Doubt[]
  notFor: string[]
  /** The phone that sent it on; null when a person read it in. */
  forwarderId: string | null
}

/** A request that a payment may be for. */
export type CandidateRequest = {
  id: string
  rechargeId: string
  userId: string
  username: string
  phone: string
  amountPesewas: number
  status: RechargeStatus
  createdAt: Date
  decidedAt: Date | null
  /** It was credited by a received payment. */
  paid: boolean
}

/** The payer's name was credited to this user before, by this network. */
export type KnownPayer = { userId: string; network: MomoNetwork; payerName: string }

/** What crediting the payment does; see `shared/received-payments.ts`. */
export type Does = 'approve' | 'reopen' | 'note' | 'choose'

export type PaymentMatch<P extends WaitingPayment = WaitingPayment> = {
  payment: P
  state: 'certain' | 'doubtful' | 'unmatched'
  request: CandidateRequest | null
  agrees: Agreement[]
  reasons: string[]
  does: Does
}

type Via = 'reference' | 'number' | 'name'
type Candidate = { request: CandidateRequest; via: Via; others: number }

/** How far the clocks of a phone and the shop may be apart. */
const CLOCKS_APART_MS = 10 * 60_000

/**
 * Finds the request that each payment is for: by the eight digits in its reference, else by the payer's number, else by a name
 * that the same amount goes with. It is certain only when nothing speaks against it. Anybody may register with a number or choose a username:
 * a number is only believed once its account has confirmed it, a name once the same payer was credited to that customer before. The amount alone
 * is never a match.
 */
export function matchPayments<P extends WaitingPayment>(
  payments: readonly P[],
  requests: readonly CandidateRequest[],
  knownPayers: readonly KnownPayer[] = [],
  owners: readonly NumberOwner[] = [],
): PaymentMatch<P>[] {
  const known = new Set(knownPayers.map(({ userId, network, payerName }) => payerKey(userId, network, payerName)))
  const found = payments.map((payment) => ({ payment, candidate: findCandidate(payment, requests, owners) }))
  const taken = new Set<string>()
  const matched = new Map<P, PaymentMatch<P>>()
  // A reference says more than a number, so it has the first word on a request that two payments could be for.
  for (const via of ['reference', 'number', 'name'] as const) {
    for (const { payment, candidate } of found) {
      if (candidate?.via !== via) continue
      matched.set(payment, judge(payment, candidate, { requests, known, owners, isTaken: taken.has(candidate.request.id) }))
      taken.add(candidate.request.id)
    }
  }
  return found.map(({ payment }) => matched.get(payment) ?? unmatched(payment))
}

function findCandidate(payment: WaitingPayment, all: readonly CandidateRequest[], owners: readonly NumberOwner[]): Candidate | null {
  const requests = all.filter(({ id }) => !payment.notFor.includes(id))
  const references = eightDigits(payment.reference)
  const named = requests.filter(({ rechargeId }) => references.has(rechargeId))
  if (named[0]) return { request: named[0], via: 'reference', others: named.length - 1 }

  const open = requests.filter(({ status }) => status !== 'approved')
  const numbers = numbersOf(payment)
  const confirmed = open.filter(({ userId }) => isOwner(owners, userId, numbers))
  const best =
    chooseAmong(confirmed, payment.amountPesewas) ??
    chooseAmong(
      open.filter(({ phone }) => numbers.includes(phone)),
      payment.amountPesewas,
    )
  if (best) return { ...best, via: 'number' }

  if (payment.byAgent || payment.payerName === null) return null
  const ofName = open.filter(
    ({ username, amountPesewas }) => amountPesewas === payment.amountPesewas && compareNames(username, payment.payerName) === 'same',
  )
  const byName = chooseAmong(ofName, payment.amountPesewas)
  return byName && { ...byName, via: 'name' }
}

/** Pending ones of the same amount first, then pending ones, then declined ones; the oldest of equals. */
function chooseAmong(requests: readonly CandidateRequest[], amountPesewas: number): { request: CandidateRequest; others: number } | null {
  const rank = ({ status, amountPesewas: asked }: CandidateRequest) => (status === 'pending' ? 0 : 2) + (asked === amountPesewas ? 0 : 1)
  const [first, ...rest] = requests.toSorted((a, b) => rank(a) - rank(b) || a.createdAt.getTime() - b.createdAt.getTime())
  return first ? { request: first, others: rest.filter((other) => rank(other) === rank(first)).length } : null
}

/** The numbers that a payment names: the payer's, and one that the payer typed. */
export function numbersOf({ payerPhone, typedPhone }: Pick<WaitingPayment, 'payerPhone' | 'typedPhone'>): string[] {
  return [payerPhone, typedPhone].filter((phone) => phone !== null)
}

/** Whether a customer has confirmed one of these numbers. */
export function isOwner(owners: readonly NumberOwner[], userId: string, numbers: readonly string[]): boolean {
  return owners.some((owner) => owner.userId === userId && numbers.includes(owner.phone))
}

type Around = {
  requests: readonly CandidateRequest[]
  known: ReadonlySet<string>
  owners: readonly NumberOwner[]
  isTaken: boolean
}

function judge<P extends WaitingPayment>(payment: P, { request, via, others }: Candidate, around: Around): PaymentMatch<P> {
  const names = payment.byAgent ? 'unlike' : compareNames(request.username, payment.payerName)
  const isKnown = payment.payerName !== null && around.known.has(payerKey(request.userId, payment.network, payment.payerName))
  const sameAmount = request.amountPesewas === payment.amountPesewas
  const agrees: Agreement[] = []
  if (sameAmount) agrees.push('amount')
  if (via === 'reference') agrees.push('reference')
  const isConfirmed = isOwner(around.owners, request.userId, numbersOf(payment))
  if (isConfirmed || numbersOf(payment).includes(request.phone)) agrees.push('number')
  if (names === 'same' || isKnown) agrees.push('name')
  if (via !== 'reference' && others === 0) agrees.push('only request')

  const reasons = payment.doubts.map((doubt) => DOUBTS[doubt])
  if (request.status === 'approved') {
    reasons.unshift(
      request.paid
        ? `Request ${request.rechargeId} was credited already, by another payment.`
        : `Request ${request.rechargeId} was approved by hand. If it was for this payment, nothing more is due.`,
    )
  }
  if (request.status === 'declined') reasons.unshift(`Request ${request.rechargeId} was declined. Crediting it reopens the request.`)
  if (!sameAmount && request.status !== 'approved') {
    const difference = payment.amountPesewas - request.amountPesewas
    reasons.push(`¢${formatPesewas(Math.abs(difference))} ${difference < 0 ? 'less' : 'more'} than asked. The wallet gets what came in.`)
  }
  if (around.isTaken) reasons.push('Another payment seems to be for the same request.')
  if (via !== 'reference') reasons.push(...judgeWithoutReference(payment, request, { names, isKnown, isConfirmed, via, others }, around))
  if (via === 'reference' && others > 0) reasons.push('The reference names more than one request.')
  const does =
    request.status === 'pending' ? 'approve' : request.status === 'declined' ? 'reopen' : request.paid || !sameAmount ? 'choose' : 'note'
  return { payment, state: reasons.length === 0 ? 'certain' : 'doubtful', request, agrees, reasons, does }
}

type Found = { names: Likeness; isKnown: boolean; isConfirmed: boolean; via: Via; others: number }

function judgeWithoutReference(
  payment: WaitingPayment,
  request: CandidateRequest,
  { names, isKnown, isConfirmed, via, others }: Found,
  { requests, owners }: Pick<Around, 'requests' | 'owners'>,
): string[] {
  const reasons: string[] = []
  const owner = owners.find(({ phone, userId }) => numbersOf(payment).includes(phone) && userId !== request.userId)
  if (owner)
    reasons.push(`${owner.username} has confirmed the number ${spacedPhone(owner.phone)}, and this is a request of ${request.username}.`)
  else if (via === 'number' && !isConfirmed) {
    reasons.push(`${request.username} has not confirmed the number, and anybody can register with somebody else’s.`)
  }
  if (others > 0) reasons.push(`${request.username} and the amount fit ${others + 1} requests.`)
  if (via === 'name' && !isKnown) reasons.push('Only the name and the amount agree, and anybody can choose a username.')
  if (via === 'number' && names === 'other' && !isKnown) reasons.push('Same number, another name.')
  if (payment.sentAt && payment.sentAt.getTime() < request.createdAt.getTime() - CLOCKS_APART_MS) {
    reasons.push('It came before the request was made.')
  }
  // Whoever approves by hand may paste the message afterwards, when the customer has asked for the same amount again.
  const byHand = requests.find(
    (other) =>
      other.userId === request.userId && other.status === 'approved' && !other.paid && other.amountPesewas === payment.amountPesewas,
  )
  if (byHand) reasons.push(`Request ${byHand.rechargeId} for the same amount was approved by hand. Was this its payment?`)
  return reasons
}

function unmatched<P extends WaitingPayment>(payment: P): PaymentMatch<P> {
  return {
    payment,
    state: 'unmatched',
    request: null,
    agrees: [],
    reasons: payment.doubts.map((doubt) => DOUBTS[doubt]),
    does: 'choose',
  }
}

/** The groups of eight digits in a reference, also when spaces or dashes stand between the digits. */
export function eightDigits(reference: string | null): Set<string> {
  const text = reference ?? ''
  const joined = text.replace(/(?<=\d)[ .-]{1,2}(?=\d)/g, '')
  return new Set([...text.matchAll(/(?<!\d)\d{8}(?!\d)/g), ...joined.matchAll(/(?<!\d)\d{8}(?!\d)/g)].map(([digits]) => digits))
}

type Likeness = 'same' | 'other' | 'unlike'

/** Whether the username is somebody else's name than the payer's. */
export function isOtherName(username: string, payerName: string | null): boolean {
  return compareNames(username, payerName) === 'other'
}

/** `unlike` where the username is no person's name, such as a nickname, so that the names cannot be compared. */
function compareNames(username: string, payerName: string | null): Likeness {
  const [own, payer] = [words(username), words(payerName ?? '')]
  if (own.length < 2 || payer.length < 2 || /\d/.test(username)) return 'unlike'
  const [fewer, more] = own.length < payer.length ? [own, payer] : [payer, own]
  return fewer.every((word) => more.includes(word)) ? 'same' : 'other'
}

function words(name: string): string[] {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.split(/[^a-z]+/).filter((word) => word.length > 1)
}

function payerKey(userId: string, network: MomoNetwork, payerName: string): string {
  return `${userId} ${network} ${payerName.toLowerCase()}`
}
