import type { MomoNetwork } from '../../../../shared/message-formats.ts'
import { formatPesewas } from '../../../../shared/money.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import type { Agreement } from '../../../../shared/received-payments.ts'
import type { RechargeStatus } from '../../../../shared/recharges.ts'
import { DOUBTS, type Doubt } from '../../messages/message-formats/parse-message.ts'
import type { NumberOwner } from '../../people/numbers/confirmed-numbers.sql.ts'

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
 * that the same amount goes with. It is certain only when nothing speaks against it. Without a reference that takes the number that the
 * network names as the payer's, confirmed by the account that asks: names are shared, and numbers are mistyped. The amount alone is never a match.
 */
export function matchPayments<P extends WaitingPayment>(
  payments: readonly P[],
  requests: readonly CandidateRequest[],
  knownPayers: readonly KnownPayer[] = [],
  owners: readonly NumberOwner[] = [],
): PaymentMatch<P>[] {
  const index = indexOf(requests, owners, knownPayers)
  const found = payments.map((payment) => ({ payment, candidate: findCandidate(payment, index) }))
  const taken = new Set<string>()
  const matched = new Map<P, PaymentMatch<P>>()
  // A reference says more than a number, so it has the first word on a request that two payments could be for.
  for (const via of ['reference', 'number', 'name'] as const) {
    for (const { payment, candidate } of found) {
      if (candidate?.via !== via) continue
      matched.set(payment, judge(payment, candidate, { index, isTaken: taken.has(candidate.request.id) }))
      taken.add(candidate.request.id)
    }
  }
  return found.map(({ payment }) => matched.get(payment) ?? unmatched(payment))
}

/** A request with its customer's name as it is compared: null where the username is no person's name. */
type Named = { request: CandidateRequest; name: readonly string[] | null }

/** Requests by what a payment may say of them, so that many payments are matched with many requests in one go. */
type Index = {
  owners: ReadonlyMap<string, readonly NumberOwner[]>
  byRechargeId: ReadonlyMap<string, readonly CandidateRequest[]>
  byUser: ReadonlyMap<string, readonly CandidateRequest[]>
  byPhone: ReadonlyMap<string, readonly CandidateRequest[]>
  /** By each two words of their customers' names: names that are the same share two words at least, and one word is shared by many. */
  byWords: ReadonlyMap<string, readonly Named[]>
  /** Pending ones of customers whose username is no person's name. */
  nameless: ReadonlyMap<number, readonly CandidateRequest[]>
  /** Customers by the payer who was credited to them before. */
  known: ReadonlyMap<string, ReadonlySet<string>>
}

function indexOf(requests: readonly CandidateRequest[], owners: readonly NumberOwner[], knownPayers: readonly KnownPayer[]): Index {
  const named = requests.map((request): Named => ({ request, name: nameIn(request.username) }))
  const byWords = new Map<string, Named[]>()
  for (const one of named) {
    for (const pair of pairsOf(one.name ?? [])) {
      const list = byWords.get(pair)
      if (list) list.push(one)
      else byWords.set(pair, [one])
    }
  }
  const nameless = named.flatMap(({ request, name }) => (name === null && request.status === 'pending' ? [request] : []))
  return {
    owners: Map.groupBy(owners, ({ phone }) => phone),
    byRechargeId: Map.groupBy(requests, ({ rechargeId }) => rechargeId),
    byUser: Map.groupBy(requests, ({ userId }) => userId),
    byPhone: Map.groupBy(requests, ({ phone }) => phone),
    byWords,
    nameless: Map.groupBy(nameless, ({ amountPesewas }) => amountPesewas),
    known: new Map(
      [...Map.groupBy(knownPayers, ({ network, payerName }) => payerKey(network, payerName))].map(([payer, users]) => [
        payer,
        new Set(users.map(({ userId }) => userId)),
      ]),
    ),
  }
}

function findCandidate(payment: WaitingPayment, index: Index): Candidate | null {
  const isOpen = ({ id, status }: CandidateRequest) => status !== 'approved' && !payment.notFor.includes(id)
  const named = [...eightDigits(payment.reference)]
    .flatMap((digits) => index.byRechargeId.get(digits) ?? [])
    .filter(({ id }) => !payment.notFor.includes(id))
  const oldest = named.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  if (oldest[0]) return { request: oldest[0], via: 'reference', others: named.length - 1 }

  const numbers = [...new Set(numbersOf(payment))]
  const ownerIds = new Set(ownersOf(index, numbers).map(({ userId }) => userId))
  const confirmed = [...ownerIds].flatMap((userId) => index.byUser.get(userId) ?? []).filter(isOpen)
  const typed = numbers.flatMap((phone) => index.byPhone.get(phone) ?? []).filter(isOpen)
  const best = chooseAmong(confirmed, payment.amountPesewas) ?? chooseAmong(typed, payment.amountPesewas)
  if (best) return { ...best, via: 'number' }

  if (payment.byAgent || payment.payerName === null) return null
  const isLikely = (request: CandidateRequest) => request.amountPesewas === payment.amountPesewas && isOpen(request)
  const ofKnown = [...knownBy(payment, index)].flatMap((userId) => index.byUser.get(userId) ?? []).filter(isLikely)
  const ofName = namesakesOf(payment.payerName, index).filter(isLikely)
  const byName = chooseAmong(ofKnown, payment.amountPesewas) ?? chooseAmong(ofName, payment.amountPesewas)
  return byName && { ...byName, via: 'name' }
}

const NOBODY: ReadonlySet<string> = new Set()

/** The customers to whom this payer's name was credited before. */
function knownBy({ network, payerName, byAgent }: WaitingPayment, { known }: Index): ReadonlySet<string> {
  return byAgent || payerName === null ? NOBODY : (known.get(payerKey(network, payerName)) ?? NOBODY)
}

/** Nobody has more names. */
const MOST_WORDS = 12

function pairsOf(name: readonly string[]): string[] {
  const sorted = [...new Set(name)].slice(0, MOST_WORDS).sort()
  return sorted.flatMap((word, at) => sorted.slice(at + 1).map((other) => `${word} ${other}`))
}

function ownersOf({ owners }: Index, numbers: readonly string[]): NumberOwner[] {
  return numbers.flatMap((phone) => owners.get(phone) ?? [])
}

/** The requests of customers with a payer's name. */
function namesakesOf(payerName: string, { byWords }: Index): CandidateRequest[] {
  const payer = words(payerName)
  if (payer.length < 2) return []
  const some = new Set(pairsOf(payer).flatMap((pair) => byWords.get(pair) ?? []))
  return [...some].flatMap(({ request, name }) => (name && isSameName(name, payer) ? [request] : []))
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

type Around = { index: Index; isTaken: boolean }

function judge<P extends WaitingPayment>(payment: P, { request, via, others }: Candidate, around: Around): PaymentMatch<P> {
  const names = payment.byAgent ? 'unlike' : compareNames(request.username, payment.payerName)
  const isKnown = knownBy(payment, around.index).has(request.userId)
  const sameAmount = request.amountPesewas === payment.amountPesewas
  const agrees: Agreement[] = []
  if (sameAmount) agrees.push('amount')
  if (via === 'reference') agrees.push('reference')
  const isConfirmed = isOwner(ownersOf(around.index, numbersOf(payment)), request.userId, numbersOf(payment))
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
  if (via !== 'reference')
    reasons.push(...judgeWithoutReference(payment, request, { names, isKnown, isConfirmed, via, others }, around.index))
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
  index: Index,
): string[] {
  const reasons: string[] = []
  const owner = ownersOf(index, numbersOf(payment)).find(({ userId }) => userId !== request.userId)
  if (owner)
    reasons.push(`${owner.username} has confirmed the number ${spacedPhone(owner.phone)}, and this is a request of ${request.username}.`)
  else if (via === 'number' && !isConfirmed) {
    reasons.push(`${request.username} has not confirmed the number, and anybody can register with somebody else’s.`)
  }
  if (others > 0) reasons.push(`${request.username} and the amount fit ${others + 1} requests.`)
  const namesake = via === 'name' ? findNamesake(payment, request, index) : undefined
  if (namesake) reasons.push(`It could be ${namesake.username}’s as well, who asks for a top-up too. Ask who paid.`)
  if (via === 'number' && isConfirmed && !isPayers(index, payment, request)) {
    reasons.push('The payer typed this number, and the network does not name theirs. Anybody can type a number.')
  }
  if (via === 'name') {
    reasons.push(
      isKnown
        ? `Only the name and the amount agree. ${payment.payerName} has paid for ${request.username} before, but names are shared.`
        : 'Only the name and the amount agree, and anybody can choose a username.',
    )
  }
  if (via === 'number' && names === 'other' && !isKnown) reasons.push('Same number, another name.')
  if (payment.sentAt && payment.sentAt.getTime() < request.createdAt.getTime() - CLOCKS_APART_MS) {
    reasons.push('It came before the request was made.')
  }
  // Whoever approves by hand may paste the message afterwards, when the customer has asked for the same amount again.
  const byHand = index.byUser
    .get(request.userId)
    ?.find((other) => other.status === 'approved' && !other.paid && other.amountPesewas === payment.amountPesewas)
  if (byHand) reasons.push(`Request ${byHand.rechargeId} for the same amount was approved by hand. Was this its payment?`)
  return reasons
}

function isPayers(index: Index, { payerPhone }: WaitingPayment, { userId }: CandidateRequest): boolean {
  return payerPhone !== null && isOwner(ownersOf(index, [payerPhone]), userId, [payerPhone])
}

/**
 * Somebody else who may have paid: a customer with the payer's name, or one who waits for the same amount under a name that says nothing
 * about who they are.
 */
function findNamesake(payment: WaitingPayment, request: CandidateRequest, index: Index): CandidateRequest | undefined {
  const isOther = ({ userId }: CandidateRequest) => userId !== request.userId
  return namesakesOf(payment.payerName ?? '', index).find(isOther) ?? index.nameless.get(payment.amountPesewas)?.find(isOther)
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
  const [own, payer] = [nameIn(username), words(payerName ?? '')]
  if (own === null || payer.length < 2) return 'unlike'
  return isSameName(own, payer) ? 'same' : 'other'
}

/** The words of a username that may be a person's name. */
function nameIn(username: string): string[] | null {
  const own = words(username)
  return own.length < 2 || /\d/.test(username) ? null : own
}

function isSameName(own: readonly string[], payer: readonly string[]): boolean {
  const [fewer, more] = own.length < payer.length ? [own, payer] : [payer, own]
  return fewer.every((word) => more.includes(word))
}

function words(name: string): string[] {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.split(/[^a-z]+/).filter((word) => word.length > 1)
}

function payerKey(network: MomoNetwork, payerName: string): string {
  return `${network} ${payerName.toLowerCase()}`
}
