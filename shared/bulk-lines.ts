import {
  BULK_NETWORKS,
  type BulkNetwork,
  isCalledOff,
  isKnownWord,
  isSizeAlone,
  type ReadLine,
  readLine,
  withoutTime,
} from './bulk-line.ts'
import { offerVolumeMb } from './offers.ts'
import { operatorOfNumber, spacedPhone } from './phones.ts'
import type { Product } from './products.ts'
import { LIST_WORDS } from './readers/heading-words.ts'
import { toListRows } from './readers/read-list.ts'
import { readTable } from './readers/read-table.ts'
import { meantByBinary } from './readers/read-volume.ts'
import { readText } from './readers/sheets.ts'
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
  /** It is no order, and others wait for what it means. */
  holdsUp?: true
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
  const asRows = rowsOfTable(rows)
  const read = rows.map((row, index) => readRow(asRows?.get(index) ?? row))
  const below = sizesBelow(
    rows.map((row, index) => asRows?.get(index) ?? row),
    readRow,
  )
  const taken = rows.map((row, index) => (below.has(index) ? '' : below.has(index + 1) ? `${row} ${rows[index + 1]}` : row))
  const reads = taken.map((line, index) => (line === rows[index] ? (read[index] as ReadLine) : readRow(line)))
  const written = taken.flatMap((line, index) => (line.trim() === '' || asRows?.get(index) === HEADINGS ? [] : [index]))
  const decisionAt = (index: number) => decisions.get(decisionKey(index + 1, taken[index] as string)) ?? {}
  const common = commonWords(written.map((index) => reads[index] as ReadLine))
  const { governed, unclear } = underHeadings(reads, taken, written, below.size > 0)
  const places = placesIn(
    written.map((index) => governed[index] as ReadLine),
    shelf,
  )
  const changing = written.filter((index) => (reads[index]?.changes || unclear.has(index)) && Object.keys(decisionAt(index)).length === 0)
  const ofList = changing.filter((at) => reads[at]?.changes !== 'number')
  const ofNumber = changing.filter((at) => reads[at]?.changes === 'number')
  const changesOf = Map.groupBy(ofNumber, (at) => reads[at]?.receiver)
  for (const index of written) {
    const line = taken[index] as string
    const known = governed[index] as ReadLine
    const { note, receiver } = known
    if (note !== null && typeof note === 'object' && !unclear.has(index)) continue
    const isElsewhere = (at: number) => at !== index
    const other = ofList.find(isElsewhere) ?? changesOf.get(receiver)?.find(isElsewhere)
    const isPlace = asRows ? !asRows.has(index) : places && known.isInFront
    const doubts = [
      isPlace && known.isBare && known.volumeMb !== null && `Is “${known.volumeMb / 1000}” a size in GB?`,
      other !== undefined && `Line ${other + 1} says “${shortOf(taken[other])}”. Does it change this one?`,
    ]
    const read: ReadLine = {
      ...known,
      note: unclear.has(index) ? 'unclear' : note,
      doubt: known.doubt ?? (doubts.find(Boolean) || null),
      unknown: known.unknown || (known.name.split(' ').find((word) => common.has(word.toLowerCase())) ?? ''),
    }
    const decision = decisionAt(index)
    const checked = checkLine({ number: index + 1, text: line, read, decision, shelf, firstOf, pending, delivered })
    if (checked.receiver && checked.state !== 'skipped' && !firstOf.has(checked.receiver)) firstOf.set(checked.receiver, checked)
    lines.push(checked)
  }
  return lines
}

const HEADINGS = ''

/**
 * What the rows below a line of headings say, by their place, as it would be in a file: a number without a use is said, so that it is asked about.
 * Null where the first line has no headings.
 */
function rowsOfTable(rows: readonly string[]): ReadonlyMap<number, string> | null {
  const first = rows.findIndex((row) => row.trim() !== '')
  const head = rows[first]?.slice(0, MOST_OF_A_HEADING) ?? ''
  if (/\p{N}/u.test(head) || !/[,;|\t]/.test(head) || (readLine(head).changes === 'list' && isCalledOff(head))) return null
  const table = readTable([readText('', rows.join('\n'))], LIST_WORDS)
  const { columns, headings, contested } = table
  if (columns.number === undefined) return contested.includes('number') ? new Map([[first, HEADINGS]]) : null
  const used = Object.values(columns)
  const orders = table.rows.filter(({ cells }) => /\d/.test(cells[columns.number as number] ?? ''))
  // A row that lacks its number has its place all the same.
  const placed = (at: number) => table.rows.flatMap(({ cells }) => (/^\d+$/.test(cells[at] ?? '') ? Number(cells[at]) : []))
  const isUnread = (at: number) =>
    !used.includes(at) && ![orders.map(({ cells }) => Number(cells[at])), placed(at)].some((numbers) => isRunning(numbers))
  const unread = columns.size === undefined ? [] : headings.map((_, at) => at).filter(isUnread)
  // A row of two tables side by side is both, in one line.
  const rowsOf = Map.groupBy(table.rows, ({ line }) => line)
  const texts = [...Map.groupBy(toListRows(table).rows, ({ line }) => line)].map(([line, those]): [number, string] => {
    // Beside a size they are asked about; without one none of them is it.
    const sized = (rowsOf.get(line) ?? []).filter((row) => (row.cells[columns.size ?? -1] ?? '') !== '')
    const cells = sized.flatMap((row) => unread.map((at) => row.cells[at] ?? ''))
    return [line - 1, [...those.map(({ text }) => text), ...cells.filter((cell) => /^\d{1,4}$/.test(cell))].join(' ')]
  })
  return new Map([[first, HEADINGS], ...texts])
}

/** 1, or numbers of which each is the one before and one. */
function isRunning([first, ...others]: readonly number[]): boolean {
  return first !== undefined && (others.length === 0 ? first === 1 : others.every((number, at) => number === first + at + 1))
}

/** Whether the bare numbers in front of the phone numbers may be places in a list: they go on by one, or are no sizes that are sold. */
function placesIn(reads: readonly ReadLine[], shelf: BulkShelf): boolean {
  const front = reads.flatMap(({ isInFront, volumeMb }) => (isInFront && volumeMb !== null ? [volumeMb] : []))
  const sold = new Set(Object.values(shelf).flatMap((offers) => offers.map(({ volumeMb }) => volumeMb)))
  return isRunning(front.map((volumeMb) => volumeMb / 1000)) || front.some((volumeMb) => !sold.has(volumeMb))
}

/**
 * The lines with what the headings above them say. A network is for those below it; a size too, or for the whole list where it says so. `unclear` are
 * the sizes that may as well be of another line.
 */
function underHeadings(reads: readonly ReadLine[], rows: readonly string[], written: readonly number[], hasSizesBelow: boolean) {
  const headingAt = (index: number) => {
    const note = reads[index]?.note
    return typeof note === 'object' ? note : null
  }
  const sized = written.filter((index) => headingAt(index)?.volumeMb)
  const [first = Number.POSITIVE_INFINITY] = sized
  const numbers = written.filter((index) => reads[index]?.receiver)
  const bare = numbers.filter((index) => reads[index]?.volumeMb === null && !reads[index]?.sizeProblem)
  const forAll = sized.length === 1 && headingAt(first)?.isForAll ? headingAt(first) : null
  const shapes = new Set(sized.map((index) => rows[index]?.replace(/\d+/g, '0').trim().toLowerCase()))
  const kinds = written.flatMap((index) => (headingAt(index)?.volumeMb ? ['size'] : reads[index]?.receiver ? ['number'] : []))
  const isEachFollowed = kinds.every((kind, at) => kind === 'number' || kinds[at + 1] === 'number')
  const isAbove = shapes.size === 1 && !bare.some((index) => index < first) && isEachFollowed
  const isClear = !hasSizesBelow && (forAll !== null || isAbove)
  let network: BulkNetwork | null = null
  let volumeMb: number | null = forAll?.volumeMb ?? null
  const governed = [...reads]
  for (const index of written) {
    const read = reads[index] as ReadLine
    const heading = headingAt(index)
    if (heading) {
      if (!forAll && (heading.network || heading.volumeMb)) volumeMb = heading.volumeMb
      network = heading.network ?? network
    } else if (read.receiver) {
      const isOther = isClear && volumeMb !== null && read.volumeMb !== null && read.volumeMb !== volumeMb
      governed[index] = {
        ...{ ...read, saidNetwork: read.saidNetwork ?? network },
        ...(isClear && volumeMb !== null && read.volumeMb === null && !read.sizeProblem && { volumeMb, isBare: false }),
        ...(isOther && { doubt: read.doubt ?? `The line above says ${sizeText(volumeMb as number)}. Which one?` }),
      }
    }
  }
  return { governed, unclear: new Set(isClear ? [] : sized) }
}

function shortOf(text = ''): string {
  const plain = withoutTime(text)
  return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain
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

const NO_LINE = 'This line is no order.'

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
    if (read.note === 'talk') return { ...base, state: 'skipped', short: NO_ORDER, why: `${NO_ORDER}.`, choices: [] }
    if (read.note !== null) {
      const line = wrong(NO_LINE, `${NO_LINE} Does it change the others?`)
      return line.state === 'wrong' ? { ...line, holdsUp: true } : line
    }
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
