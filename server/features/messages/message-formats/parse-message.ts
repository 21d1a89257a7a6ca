import {
  compileFormat,
  MESSAGE_FORMATS,
  type MessageFormat,
  type MomoNetwork,
  type NotCountedKind,
  SENDER_IDS,
} from '../../../../shared/message-formats.ts'
import { fitWords } from '../../../../shared/message-words.ts'
import { isMobilePhone, localDigits, spacedPhone } from '../../../../shared/phones.ts'
import { pesewasIn } from '../../../../shared/readers/read-amount.ts'
import { findPhones, readPhone } from '../../../../shared/readers/read-phone.ts'
import { plainText, valueIn } from '../../../../shared/readers/reading.ts'

/**
 * One message as it was pasted. `sender` and `at` are known where the phone or the export says them. `sharesLine` when it was cut
 * out of a line with others: where one ends and the next begins may be words of a payer.
 */
export type Message = { text: string; sender: string | null; at: Date | null; sharesLine?: boolean }

/** Why a payment is not approved together with others, for the owner. */
export const DOUBTS = {
  'unknown-form': 'We don’t know this kind of message. Read it before you credit anything.',
  'unsure-form': 'We aren’t sure yet how this network writes. Compare it with the phone.',
  'several-ids': 'It can be read in more than one way, such as with two transaction IDs. Compare it with the phone.',
  'shared-line': 'It was on one line with another message. Compare it with the phone.',
  forwarded: 'It was forwarded or quoted, so anybody may have written it. Compare it with the phone.',
  'unknown-sender': 'It didn’t come from the network’s own name. Compare it with the phone.',
  balance: 'Its balance doesn’t follow from the other messages. Check that the money is on the phone.',
  changed: 'Another message with the same transaction ID said something else. Compare both with the phone.',
  'unclear-row': 'A part of its row in the statement, such as the date, can’t be read. Compare it with the phone.',
  date: 'Its date is still to come, or more than a year ago. Compare it with the phone.',
  reversal: 'A later message says that this money was taken back. Check the balance on the phone.',
  unproven:
    'Its balance doesn’t follow from the message before, or you haven’t confirmed one under Phones. A message may be missing, or this one is a fake: check the phone.',
  contradicted:
    'A phone of the shop brought this payment with another amount, payer or reference than was pasted and credited. Compare it with the phone. If it is wrong, take it back and credit what came.',
  fork: 'A later message begins at the same balance as this one: one of the two is a fake. Check the phone.',
}
export type Doubt = keyof typeof DOUBTS

/** Money that came in, or may have: `doubts` says why it might not. Amounts in pesewas. */
export type IncomingPayment = {
  kind: 'credit'
  network: MomoNetwork
  /** Without leading zeros, which a spreadsheet drops. */
  transactionId: string
  amountPesewas: number
  payerName: string | null
  /** The payer is the agent who took the cash, not the customer. */
  byAgent: boolean
  /** The number that the network names, ten digits. */
  payerPhone: string | null
  /** A number that the payer typed. */
  typedPhone: string | null
  reference: string | null
  sentAt: Date | null
  balancePesewas: number | null
  doubts: Doubt[]
  raw: string
}

/** A message that adds nothing to a wallet, and why. */
export type NotCounted = {
  kind: Exclude<NotCountedKind, 'counted' | 'repeated'>
  says: string
  transactionId: string | null
  amountPesewas: number | null
  /** Fee and tax, of money that went out. */
  feePesewas: number
  balancePesewas: number | null
  network: MomoNetwork | null
  raw: string
}

/** The same for any reason, also that the payment was counted before. */
export type Uncounted = Pick<NotCounted, 'amountPesewas' | 'transactionId' | 'raw' | 'says'> & { kind: NotCountedKind }

export type ReadMessage = IncomingPayment | NotCounted

/** Reads a text as one form, or null where it does not fit. */
type Reader = { format: MessageFormat; read: (text: string) => Fitted | null }
/** `rest` is what stands behind the form. */
type Fitted = { groups: Groups; inTwoWays: boolean; rest?: string }
/** The forms that a message is compared with, in order, and who may send it. */
export type Formats = readonly Reader[]
type Groups = Record<string, string | undefined>

const BUILT_IN = MESSAGE_FORMATS.map(toReader)

function toReader(format: MessageFormat): Reader {
  const { words } = format
  if (words) return { format, read: (text) => fitWords(words, text) }
  const expression = compileFormat(format)
  return {
    format,
    read: (text) => {
      const match = expression.exec(text)
      return match && { groups: match.groups ?? {}, inTwoWays: false, rest: text.slice(match.index + match[0].length) }
    },
  }
}

/**
 * The forms that came with the shop, but for those that the owner has switched off or written anew, and its own. What came with it goes
 * first, so that no form of its own reads a fake or money that went out as money that came in.
 */
export function readersOf(own: readonly MessageFormat[], without: readonly MessageFormat[] = []): Formats {
  if (own.length === 0 && without.length === 0) return BUILT_IN
  const kept = BUILT_IN.filter(({ format }) => !without.includes(format))
  const [sure, unsure] = [kept.filter(({ format }) => format.sure !== false), kept.filter(({ format }) => format.sure === false)]
  return [...sure, ...own.map(toReader), ...unsure]
}

/** Longer than any message: the rest is not read. */
const MOST_CHARACTERS = 2_000
const MOST_IN_A_FIELD = 120

/** Reads one mobile-money message. It never trusts more than the form says: what is unknown comes with a doubt. */
export function parseMessage(message: Message, formats: Formats = BUILT_IN): ReadMessage {
  return parseAs(message, formats).read
}

/** The same, with the form that it was read as; null for none. */
export function parseAs(message: Message, formats: Formats): { read: ReadMessage; format: MessageFormat | null } {
  const raw = message.text.trim().slice(0, MOST_CHARACTERS)
  const { text, isQuoted } = unquote(tidy(raw))
  const found = fitFirst(message, { raw, text }, formats)
  if (isQuoted && found.read.kind === 'credit') found.read.doubts.push('forwarded')
  return found
}

/** What people put before a message that they pass on: "Fwd:", a quote's sign, quotation marks. */
const QUOTED = /^(?:(?:fwd?|fw|forwarded(?: message)?) ?: ?|[>"“”'‘’«*_]+ ?)+/i

function unquote(text: string): { text: string; isQuoted: boolean } {
  const bare = text.replace(QUOTED, '')
  return bare === text ? { text, isQuoted: false } : { text: bare.replace(/[>"“”'‘’»*_]+$/, ''), isQuoted: true }
}

function fitFirst(
  message: Message,
  { raw, text }: { raw: string; text: string },
  formats: Formats,
): { read: ReadMessage; format: MessageFormat | null } {
  for (const { format, read } of formats) {
    const fit = read(text)
    if (!fit) continue
    if (format.kind !== 'credit') return { read: readUncounted(format, format.kind, fit.groups, text, raw), format }
    const credit = readCredit(format, fit.groups, text, raw)
    if (!credit) break
    if ((fit.inTwoWays || mayBeCut(message.text, fit.groups)) && !credit.doubts.includes('several-ids')) credit.doubts.push('several-ids')
    const rest = fit.rest ?? ''
    if (TAKEN_BACK.test(rest) || MARKED.test(rest)) credit.doubts.push('unknown-form')
    if (OF_A_PERSON.test(rest)) credit.doubts.push('forwarded')
    if (/^[\s,/]*\d{10,}/.test(rest)) credit.doubts.push('several-ids')
    return { read: complete(credit, message, formats, text), format }
  }
  const unknown = readUnknown(text, raw)
  return { read: unknown.kind === 'credit' ? complete(unknown, message, formats, text) : unknown, format: null }
}

/** What a network or a person would say behind a payment that is none any more. */
export const TAKEN_BACK = /\b(?:revers|cancel|refund|declin|roll(?:ed)? ?back|void)|\bfailed\b/i
/** Marks that cross words out, or quote them. */
const MARKED = /[~"“”]/

/** What a person writes behind a message that they pass on. */
const OF_A_PERSON = /\b(?:pls|plz|please (?:credit|check|confirm)|credit me|boss|i(?:['’]ve| have)? (?:sent|paid))\b/i

/** Where the services of phones cut a message: what one SMS holds, and what two to six hold that are sent as one. */
const CUTS = [160, 306, 459, 612, 765, 918]
/** White space at the cut is lost on the way. */
const LOST = 2

/** A message that is cut before its end may have lost the network's id, so that the one found is what the payer typed. */
function mayBeCut(text: string, { id = '', reference }: Groups): boolean {
  if (reference === undefined || text.lastIndexOf(id) < text.lastIndexOf(reference)) return false
  return text.length > MOST_CHARACTERS || CUTS.some((cut) => text.length <= cut && text.length > cut - LOST)
}

function complete(credit: IncomingPayment, message: Message, formats: Formats, text: string): ReadMessage {
  credit.sentAt ??= message.at
  if (message.sharesLine) credit.doubts.push('shared-line')
  return checkSender(credit, message.sender, sendersOf(formats, credit.network), text)
}

/** Names under which a network's messages come: the known ones and those of the shop's own forms. */
export function sendersOf(formats: Formats, network: MomoNetwork): string[] {
  return [...SENDER_IDS[network], ...formats.flatMap(({ format }) => (format.network === network ? (format.senders ?? []) : []))]
}

function readUncounted(format: MessageFormat, kind: NotCounted['kind'], groups: Groups, text: string, raw: string): NotCounted {
  const read = notCounted(kind, format.says ?? '', format.network, text, raw)
  if (!format.words) return read
  // Of a form that somebody wrote down, only what it names counts: nothing else of the text is known to be what it looks like.
  return {
    ...read,
    amountPesewas: toPesewas(groups.amount),
    transactionId: groups.id === undefined ? null : withoutZeros(groups.id),
    feePesewas: (toPesewas(groups.fee) ?? 0) + (toPesewas(groups.tax) ?? 0),
    balancePesewas: toPesewas(groups.balance),
  }
}

function readCredit(format: MessageFormat, groups: Groups, text: string, raw: string): IncomingPayment | null {
  const amountPesewas = toPesewas(groups.amount)
  const transactionId = withoutZeros(groups.id ?? '')
  if (!amountPesewas || transactionId === '') return null
  const network = format.network ?? 'Other'
  const { reference, payerPhone, typedPhone } = readReference(groups.reference ?? null)
  const balancePesewas = groups.balance === undefined ? null : toPesewas(groups.balance)
  const doubts: Doubt[] = []
  const isForOther = /\bon behalf of\b/i.test(groups.payer ?? '')
  if (isForOther) doubts.push('several-ids')
  if (format.sure === false) doubts.push('unsure-form')
  if (labelledIds(text).size > 1) doubts.push('several-ids')
  // Right after money came in, the balance is at least that money.
  if (balancePesewas !== null && balancePesewas < amountPesewas) doubts.push('balance')
  return {
    kind: 'credit',
    network,
    transactionId,
    amountPesewas,
    payerName: cut(groups.payer ?? groups.agent),
    byAgent: groups.agent !== undefined,
    payerPhone: valueIn(readPhone(groups.phone ?? '')) ?? payerPhone,
    typedPhone: isForOther ? null : typedPhone,
    reference,
    sentAt: groups.date && groups.time ? new Date(`${groups.date}T${groups.time}Z`) : null,
    balancePesewas,
    doubts,
    raw,
  }
}

/** Money and an id in words that no form knows: kept for a person to read. Without either it is no payment. */
function readUnknown(text: string, raw: string): ReadMessage {
  const amountPesewas = firstAmount(
    text.replace(/\b(?:balance(?: is)?|fees?(?: charged)?|tax(?: charged)?):? ?(?:GHS|GH¢|¢)?\s?\d[\d.,]*/gi, ' '),
  )
  const transactionId = findId(text)
  if (!amountPesewas || transactionId === null) {
    const isPayment =
      /^(?:payment|cash in) received for\b|\b(?:you have )?received (?:a payment of )?GH/i.test(text) ||
      (amountPesewas !== null && /\breceived from\b/i.test(text)) ||
      (transactionId !== null && /\breceived\b/i.test(text))
    const missing = transactionId === null ? 'transaction ID, so it may be cut' : 'amount in cedis that we can read'
    const says = isPayment ? `It has no ${missing}. Look for it on the phone.` : 'Not a payment message.'
    return { ...notCounted('other', says, null, text, raw), amountPesewas }
  }
  return {
    kind: 'credit',
    network: networkOfId(text, transactionId),
    transactionId: withoutZeros(transactionId),
    amountPesewas,
    ...{ payerName: null, byAgent: false, payerPhone: null, typedPhone: null, reference: null, sentAt: null, balancePesewas: null },
    doubts: ['unknown-form'],
    raw,
  }
}

function notCounted(kind: NotCounted['kind'], says: string, network: MomoNetwork | null, text: string, raw: string): NotCounted {
  const id = findId(text)
  return {
    kind,
    says,
    network,
    transactionId: id && withoutZeros(id),
    amountPesewas: firstAmount(text),
    feePesewas: sumOf(text.matchAll(/(?:Fee (?:charged|was)|charged|Tax (?:charged|was)):? ?GHS ?([\d,]+(?:\.\d{1,2})?)/gi)),
    balancePesewas: toPesewas(/(?:current|new|available|cash)? ?balance:?(?: is)? ?(?:GHS)? ?([\d,]+(?:\.\d{1,2})?)/i.exec(text)?.[1]),
    raw,
  }
}

/** A message from a person's number is a fake, whatever it says. */
function checkSender(credit: IncomingPayment, sender: string | null, right: readonly string[], text: string): ReadMessage {
  if (sender === null) return credit
  const known = Object.values(SENDER_IDS).flat()
  const isKnown = (right.length > 0 ? right : known).some((name) => name.toLowerCase() === sender.trim().toLowerCase())
  if (isKnown) return credit
  const digits = localDigits(sender.replace(/\D/g, ''))
  if (/\d{7}/.test(digits) && !/[a-z]/i.test(sender)) {
    const from = isMobilePhone(digits) ? spacedPhone(digits) : sender
    return notCounted('fake', `Came from ${from}, not from ${right[0] ?? 'the network'}.`, credit.network, text, credit.raw)
  }
  return { ...credit, doubts: [...credit.doubts, 'unknown-sender'] }
}

/**
 * What the payer typed. From another network it is "NAME ,233500000001,text from VODAFONE", where the number is that network's
 * word; any other number in it was typed by the payer.
 */
function readReference(typed: string | null): Pick<IncomingPayment, 'reference' | 'payerPhone' | 'typedPhone'> {
  const text = typed?.trim() ?? ''
  const fromOther = /^.*?,\s*(233\d{9})\s*,(.*?)\s*from (?:VODAFONE|TELECEL|AIRTELTIGO|TIGO|AIRTEL|AT|GHANAPAY)\b/is.exec(text)
  const own = fromOther ? (fromOther[2] ?? '') : text
  return {
    reference: cut(own.replace(/^[-\s.]+$/, '')),
    payerPhone: fromOther ? valueIn(readPhone(fromOther[1] ?? '')) : null,
    typedPhone: findPhones(own)[0]?.digits ?? null,
  }
}

/** Lines stay, since the Telecel reference ends with its line; all other white space is one space. */
function tidy(text: string): string {
  return text.split('\n').map(plainText).join('\n').trim()
}

/** Networks write "GHS 1,234.50". */
function toPesewas(text = ''): number | null {
  return pesewasIn(text, { decimalSign: '.' })
}

/** In cedis: an amount in another currency is none. */
function firstAmount(written: string): number | null {
  const text = written.replace(FOREIGN, ' ')
  const named = /(?:GHS|GH¢|¢)\s?(-?\d\S*)/i.exec(text)?.[1]?.replace(/[^\p{L}\d]+$/u, '')
  // Of "5O.00", "-42.00" and "1.500" nothing is shown: no part of them is the amount.
  if (named !== undefined && toPesewas(named) === null && pesewasIn(named) === null) return null
  const found = named ?? /(?<![\d.,])([\d,]+\.\d\d)(?![\d.,]*\d)/.exec(text)?.[1]
  return toPesewas(found) ?? pesewasIn(found ?? '')
}

const ABROAD = String.raw`(?:USD|EUR|GBP|NGN|XOF|CFA|US\$|naira|dollars?|euros?|pounds?|[$€£₦])`
const FOREIGN = new RegExp(String.raw`${ABROAD} ?\d[\d.,]*|\d[\d.,]* ?${ABROAD}(?!\p{L})`, 'giu')

function sumOf(matches: Iterable<RegExpMatchArray>): number {
  let sum = 0
  for (const [, amount] of matches) sum += toPesewas(amount) ?? 0
  return sum
}

function labelledIds(text: string): Set<string> {
  return new Set([...text.matchAll(/\bID:? ?(\d{10,16})(?!\d)/gi)].map(([, id]) => withoutZeros(id as string)))
}

/**
 * The network's id: the sixteen digits at the beginning, or what is called so. What stands behind "Reference:" was typed by the payer, but for the
 * last id that is called one.
 */
function findId(text: string): string | null {
  const [own = '', ...typed] = text.split(/\bRef(?:erence)?: ?/i)
  const found = [/^(\d{16})(?!\d)/.exec(own)?.[1], [...labelledIds(own)].at(-1), OF_LETTERS.exec(own)?.[1]].find(Boolean)
  const behind = typed.join(' ')
  return (
    found ??
    [...labelledIds(behind.replace(/^(?:(?:financial )?trans(?:action|\.)? )?ID\b/i, ''))].at(-1) ??
    OF_LETTERS.exec(behind)?.[1] ??
    /(?<!\d)(?!233)(\d{11,16})(?!\d)/.exec(own)?.[1] ??
    null
  )
}

/** AirtelTigo's ids begin with letters: "Trans ID: AT30000001", "Trans. ID: MP261126.1001.A00001". */
const OF_LETTERS = /(?<!of )\bTrans(?:action)?\.? ID:? ?([A-Z]{2}[A-Z0-9.]{4,26}[A-Z0-9])(?![A-Z0-9])/i

function networkOfId(text: string, id: string): MomoNetwork {
  if (/Telecel|Vodafone Cash|T-CASH/i.test(text) || /^\d{16} Confirmed/i.test(text)) return 'Telecel'
  if (/\b(?:AT Money|AirtelTigo)\b/i.test(text)) return 'AirtelTigo'
  return id.length === 11 && /^\d/.test(id) ? 'MTN' : 'Other'
}

/** A transaction's id as it is stored: spreadsheets drop the zeros it begins with. */
export function withoutZeros(id: string): string {
  return id.replace(/^0+(?=.)/, '').replace(/[.,]+$/, '')
}

function cut(text: string | undefined): string | null {
  const tidied = text?.replace(/\s+/g, ' ').trim().slice(0, MOST_IN_A_FIELD)
  return tidied ? tidied : null
}
