import { BULK_NETWORKS, type BulkNetwork, isKnownWord, isSizeAlone, isTalk, type ReadLine, readLine } from './bulk-line.ts'
import { offerVolumeMb } from './offers.ts'
import { operatorOfNumber, spacedPhone } from './phones.ts'
import type { Product } from './products.ts'
import { meantByBinary, SIZES } from './readers/read-volume.ts'
import type { UserLevel } from './users.ts'

/** Something that the agent may choose for a line; `cedis` is what it then costs. */
export type LineChoice = { label: string; cedis: number; network: BulkNetwork; decision: Decision }

/** What an agent decided about a line, or the shop knows of it. `name`: of the receiver, also where the line has none or other words. */
export type Decision = { skip?: true; send?: true; network?: BulkNetwork; offer?: string; receiver?: string; name?: string }

export type BulkItem = { productId: string; network: BulkNetwork; offer: string; receiver: string; cedis: number }

export type CheckedLine = {
  /** Its place in the list, from 1. */
  number: number
  /** As written, with the size that stands alone on the line below. */
  text: string
  state: 'ready' | 'doubtful' | 'wrong' | 'skipped'
  network: BulkNetwork | null
  name: string
  receiver: string | null
  offer: string | null
  /** What would be bought, where that is clear. */
  item: BulkItem | null
  /** Why it is doubtful or wrong, in a few words beside the line, and as a sentence. */
  short: string
  why: string
  choices: readonly LineChoice[]
  /** All that is doubtful about it is whether a word is a name. */
  isName?: true
  /** The lines to write instead, where one says more than one thing. */
  split?: readonly string[]
}

type Offer = { productId: string; offer: string; volumeMb: number; cedis: number }
export type BulkShelf = Record<BulkNetwork, readonly Offer[]>
/** Orders of this agent that a line may repeat: pending, or delivered a short while ago. `at`: when it was bought or delivered. */
export type InFlight = { receiver: string; offer: string; network: string; number: string; delivered: boolean; at: string }

/** What can be bought in bulk, smallest first, at the prices of a level. */
export function stockShelf(products: readonly Product[], level: UserLevel): BulkShelf {
  const offersOf = (network: BulkNetwork): Offer[] =>
    products
      .filter((product) => product.network === network && product.status === 'available')
      .flatMap(({ _id, packages }) =>
        packages.flatMap((line) => {
          const volumeMb = offerVolumeMb(line.offer)
          return volumeMb === null
            ? []
            : [{ productId: _id, offer: line.offer, volumeMb, cedis: level === 'Customer' ? line.priceCustomer : line.priceAgent }]
        }),
      )
      .sort((one, other) => one.volumeMb - other.volumeMb || one.cedis - other.cedis)
  return { MTN: offersOf('MTN'), Telecel: offersOf('Telecel'), AirtelTigo: offersOf('AirtelTigo') }
}

/**
 * Every line that is not empty, with what it would buy. In time proportional to the number of lines: repeated lines and numbers are
 * looked up. `decisions` are kept by line number and text, so that a line that is written anew is looked at anew;
 * `known` has the lines that were read before, for a list that is being written.
 */
export function checkLines(
  text: string,
  shelf: BulkShelf,
  inFlight: readonly InFlight[] = [],
  decisions: ReadonlyMap<string, Decision> = new Map(),
  known = new Map<string, ReadLine>(),
): CheckedLine[] {
  const pending = new Map(inFlight.filter(({ delivered }) => !delivered).map((order) => [order.receiver, order]))
  const delivered = new Map(inFlight.filter((order) => order.delivered).map((order) => [packageKey(order), order]))
  const firstOf = new Map<string, CheckedLine>()
  const lines: CheckedLine[] = []
  const rows = text.split('\n').map((row) => row.replace(/\r$/, ''))
  const readRow = (row: string) => {
    const read = known.get(row) ?? readLine(row)
    known.set(row, read)
    return read
  }
  const below = sizesBelow(rows, readRow)
  const isOfMoney = MONEY_HEADING.test(rows[0] ?? '') && !SIZE_HEADING.test(rows[0] ?? '') && !/\d/.test(rows[0] ?? '')
  const isMatrix =
    (rows[0]?.slice(0, MOST_OF_A_HEADING).replace(/[,;|]/g, ' ').match(SIZES)?.length ?? 0) > 1 && readRow(rows[0] ?? '').receiver === null
  const taken = rows.map((row, index) => (below.has(index) ? '' : below.has(index + 1) ? `${row} ${rows[index + 1]}` : row))
  const common = commonWords(taken.filter((line) => line.trim() !== '').map(readRow))
  taken.forEach((line, index) => {
    if (line.trim() === '') return
    const known = readRow(line)
    const doubt = isMatrix && known.isBare ? 'The first line has several sizes. Which of them is this?' : null
    const read =
      isOfMoney && known.isBare && known.volumeMb !== null
        ? { ...known, doubt: `${rows[0]?.trim()}: is that a size in GB?` }
        : {
            ...known,
            doubt: known.doubt ?? doubt,
            unknown: known.unknown || (known.name.split(' ').find((word) => common.has(word.toLowerCase())) ?? ''),
          }
    // A heading of a spreadsheet says neither a number nor a size.
    if (index === 0 && read.volumeMb === null && read.receiver === null && !/\p{N}/u.test(line)) return
    const decision = decisions.get(decisionKey(index + 1, line)) ?? {}
    const checked = checkLine({ number: index + 1, text: line, read, decision, shelf, firstOf, pending, delivered })
    if (checked.receiver && checked.state !== 'skipped' && !firstOf.has(checked.receiver)) firstOf.set(checked.receiver, checked)
    lines.push(checked)
  })
  return lines
}

/** Words that nobody knows on three numbers and a quarter of the lines: a state, perhaps, and seldom a name. */
function commonWords(lines: readonly ReadLine[]): ReadonlySet<string> {
  const numbers = new Map<string, Set<string>>()
  for (const { receiver, name } of lines)
    for (const word of receiver ? name.toLowerCase().split(' ') : [])
      if (!isKnownWord(word)) numbers.set(word, (numbers.get(word) ?? new Set()).add(receiver as string))
  return new Set([...numbers].filter(([, { size }]) => size >= Math.max(3, lines.length / 4)).map(([word]) => word))
}

/** Characters. Sizes are looked for in quadratic time, and a client may send a line of a megabyte. */
const MOST_OF_A_HEADING = 400
const MONEY_HEADING = /\b(?:amounts?|prices?|costs?|ghs|cedis|paid|totals?|fees?|value)\b/i
const SIZE_HEADING = /\b(?:data|bundles?|packages?|offers?|sizes?|volumes?|plans?|gb|gigs?|mb)\b/i

/**
 * The rows that are the size of the number above them. None where a size stands below anything else: then it may be that of the number below it.
 */
function sizesBelow(rows: readonly string[], read: (row: string) => ReadLine): ReadonlySet<number> {
  const below = new Set<number>()
  for (const [index, row] of rows.entries()) {
    if (!isSizeAlone(row)) continue
    const above = index > 0 && rows[index - 1]?.trim() ? read(rows[index - 1] as string) : null
    if (!above?.receiver || above.volumeMb !== null || above.sizeProblem) return new Set()
    below.add(index)
  }
  return below
}

/** What stands at a line that nobody could mean as an order: it is left out by itself, and can't be brought back. */
export const NO_ORDER = 'Left out: no number, no size'

export function decisionKey(number: number, text: string): string {
  return `${number} ${text}`
}

type Context = {
  number: number
  text: string
  read: ReadLine
  decision: Decision
  shelf: BulkShelf
  firstOf: ReadonlyMap<string, CheckedLine>
  pending: ReadonlyMap<string, InFlight>
  delivered: ReadonlyMap<string, InFlight>
}

function packageKey({ receiver, network, offer }: { receiver: string; network: string; offer: string }): string {
  return `${receiver} ${network} ${offer}`
}

function checkLine({ number, text, read, decision, shelf, firstOf, pending, delivered }: Context): CheckedLine {
  const receiver = decision.receiver ?? read.receiver
  const operator = receiver ? toBulkNetwork(operatorOfNumber(receiver)) : null
  const network = decision.network ?? read.saidNetwork ?? operator
  const base = { number, text, name: decision.name ?? read.name, receiver, network, offer: null, item: null }
  const wrong = (short: string, why: string, choices: readonly LineChoice[] = []): CheckedLine => {
    const split = read.split && !decision.receiver && { split: read.split }
    return { ...base, ...split, state: decision.skip ? 'skipped' : 'wrong', short, why, choices }
  }

  if (receiver === null) {
    if (isTalk(text)) return { ...base, state: 'skipped', short: NO_ORDER, why: `${NO_ORDER}.`, choices: [] }
    const { meant, problem } = read
    const meantNetwork = meant ? (read.saidNetwork ?? toBulkNetwork(operatorOfNumber(meant))) : null
    const offer = meantNetwork && findOffer(shelf, meantNetwork, read.volumeMb)
    const choices = meant && meantNetwork && offer ? [toChoice(meantNetwork, offer, { receiver: meant }, `Use ${spacedPhone(meant)}`)] : []
    return wrong(problem ?? '', `${problem?.replace(/[.?]$/, '')}${problem?.endsWith('?') ? '?' : '.'}`, choices)
  }
  if (network === null) return wrong('Which network is it?', `We don’t sell data for ${receiver.slice(0, 3)} numbers.`)
  if (read.volumeMb === null && decision.offer === undefined)
    return wrong(
      'Which size?',
      read.sizeProblem ?? 'There is no size on this line, like 5 or 5GB.',
      read.meantMb.length > 0
        ? read.meantMb.flatMap((volumeMb) => nearest(shelf, network, volumeMb, decision)).slice(0, 2)
        : nearest(shelf, network, 1000, decision),
    )
  const offer = decision.offer ? shelf[network].find((one) => one.offer === decision.offer) : findOffer(shelf, network, read.volumeMb)
  if (!offer) {
    const volumeMb = read.volumeMb ?? 0
    const hasNo = `${network} has no ${sizeText(volumeMb)}`
    const meant =
      findOffer(shelf, network, meantByBinary(volumeMb)) ?? (read.isBare ? findOffer(shelf, network, volumeMb / 1000) : undefined)
    if (meant) return wrong(hasNo, `${hasNo}. Do you mean ${meant.offer}?`, [toOfferChoice(network, meant, decision)])
    if (shelf[network].length === 0) return wrong(`${network} is out of stock`, `${network} is out of stock right now.`)
    return wrong(hasNo, `${hasNo}. The nearest:`, nearest(shelf, network, volumeMb, decision))
  }
  const item: BulkItem = { productId: offer.productId, network, offer: offer.offer, receiver, cedis: offer.cedis }
  const inFull = (state: CheckedLine['state'], short = '', why = '', choices: readonly LineChoice[] = []): CheckedLine => {
    return { ...base, offer: offer.offer, item, state, short, why, choices }
  }
  if (decision.skip) return inFull('skipped')
  const asItIs = [toOfferChoice(network, offer, decision)]
  if (read.doubt && !decision.offer) return inFull('doubtful', read.doubt, read.doubt, asItIs)
  if (read.unknown && !decision.offer) {
    const question = `Is “${read.unknown}” a name?`
    return { ...inFull('doubtful', question, question, asItIs), isName: true }
  }
  if (read.saidNetwork && operator && read.saidNetwork !== operator && !decision.network) {
    const other = findOffer(shelf, operator, offer.volumeMb)
    const prefix = receiver.slice(0, 3)
    return inFull(
      'doubtful',
      `You say ${network}, ${prefix} is ${operator}`,
      `You say ${network}, but ${prefix} is a ${operator} number.`,
      [
        ...(other ? [toChoice(operator, other, { ...decision, network: operator }, operator)] : []),
        toChoice(network, offer, { ...decision, network }, network),
      ],
    )
  }
  const again = repeatIn(item, firstOf.get(receiver), pending.get(receiver), delivered.get(packageKey(item)))
  if (!again || decision.send) return inFull('ready')
  const [short, why, label] = again
  return inFull('doubtful', short, why, [toChoice(network, offer, { ...decision, send: true }, label)])
}

/** What an order may repeat, in a few words and as a sentence, and the word for sending it all the same. */
function repeatIn(item: BulkItem, first?: CheckedLine, order?: InFlight, sent?: InFlight): [string, string, string] | null {
  if (first && first.offer === item.offer && first.network === item.network)
    return [`Same as line ${first.number}`, `Same number and size as line ${first.number}. Sent once unless you say so.`, 'Send this too']
  if (first) {
    const why = `Line ${first.number} already sends ${first.offer ?? 'data'} to this number.`
    return [`Same number as line ${first.number}`, why, 'Send this too']
  }
  if (order) {
    const why = `${order.offer} to this number since ${order.at}, still pending (order ${order.number}).`
    return [`Already on the way (order ${order.number})`, why, 'Send another']
  }
  if (!sent) return null
  const why = `${sent.offer} reached this number at ${sent.at} (order ${sent.number}). Send another only if they want more.`
  return [`Delivered already (order ${sent.number})`, why, 'Send another']
}

function toChoice(network: BulkNetwork, { cedis }: Offer, decision: Decision, label: string): LineChoice {
  return { label, cedis, network, decision }
}

function toOfferChoice(network: BulkNetwork, offer: Offer, decision: Decision): LineChoice {
  return toChoice(network, offer, { ...decision, offer: offer.offer }, offer.offer)
}

function findOffer(shelf: BulkShelf, network: BulkNetwork, volumeMb: number | null): Offer | undefined {
  return shelf[network].find((offer) => offer.volumeMb === volumeMb)
}

function nearest(shelf: BulkShelf, network: BulkNetwork, volumeMb: number, decision: Decision): LineChoice[] {
  return shelf[network]
    .toSorted((one, other) => Math.abs(one.volumeMb - volumeMb) - Math.abs(other.volumeMb - volumeMb))
    .slice(0, 2)
    .sort((one, other) => one.volumeMb - other.volumeMb)
    .map((offer) => toOfferChoice(network, offer, decision))
}

function toBulkNetwork(operator: string | null): BulkNetwork | null {
  return BULK_NETWORKS.find((network) => network === operator) ?? null
}

function sizeText(volumeMb: number): string {
  return volumeMb >= 1000 && volumeMb % 100 === 0 ? `${volumeMb / 1000}GB` : `${volumeMb}MB`
}
