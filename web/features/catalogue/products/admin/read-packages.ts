import { formatCedis, toCedis, toPesewas } from '../../../../../shared/money.ts'
import { isBigFall } from '../../../../../shared/price-rules.ts'
import type { PackageInput } from '../../../../../shared/products.ts'
import { readAmount } from '../../../../../shared/readers/read-amount.ts'
import { questionIn } from '../../../../../shared/readers/reading.ts'

/** A package while it is edited: everything as typed. `key` tells the lines apart. */
export type DraftPackage = { key: string; offer: string; priceCustomer: string; priceAgent: string }
export type PackageProblems = Partial<Record<'offer' | 'priceCustomer' | 'priceAgent', string>>

const MAX_OFFER_LENGTH = 60
const NOT_A_NUMBER = 'Price must be a number'

export function draftOf(line: PackageInput): DraftPackage {
  return {
    key: crypto.randomUUID(),
    offer: line.offer,
    priceCustomer: line.priceCustomer.toFixed(2),
    priceAgent: line.priceAgent.toFixed(2),
  }
}

export function blankPackage(): DraftPackage {
  return { key: crypto.randomUUID(), offer: '', priceCustomer: '', priceAgent: '' }
}

export function isBlank({ offer, priceCustomer, priceAgent }: DraftPackage): boolean {
  return `${offer}${priceCustomer}${priceAgent}`.trim() === ''
}

type Read = { packages: PackageInput[]; problems: ReadonlyMap<string, PackageProblems> }

/** The packages to send, without blank lines, or the errors by line key. */
export function readPackages(drafts: readonly DraftPackage[]): Read {
  return checkPackages(drafts.filter((one) => !isBlank(one)))
}

function checkPackages(drafts: readonly DraftPackage[]): Read {
  const problems = new Map<string, PackageProblems>()
  const packages: PackageInput[] = []
  const names = new Set<string>()
  for (const draft of drafts) {
    const offer = draft.offer.trim()
    const customer = readPrice(draft.priceCustomer)
    const agent = readPrice(draft.priceAgent)
    const found: PackageProblems = {}
    const wrongOffer = offerProblem(offer, names)
    if (wrongOffer) found.offer = wrongOffer
    if (typeof customer === 'string') found.priceCustomer = customer
    if (typeof agent === 'string') found.priceAgent = agent
    names.add(nameOf(offer))
    if (Object.keys(found).length > 0) problems.set(draft.key, found)
    else packages.push({ offer, priceCustomer: customer as number, priceAgent: agent as number })
  }
  return { packages, problems }
}

export type PastedLine = { line: number; text: string; message: string }

/**
 * Many packages from pasted text, one per line: offer, customer's price, agent's price, apart by tabs as a spreadsheet copies them, by
 * commas, semicolons, bars or just blanks. Prices may carry a currency sign and thousands separators. Lines that cannot be read
 * are reported, not guessed at.
 */
export function parsePackages(text: string): { packages: PackageInput[]; problems: PastedLine[] } {
  const problems = new Map<number, string>()
  const drafts: DraftPackage[] = []
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim())
  let heading = ''
  for (const [at, line] of lines.entries()) {
    if (line === '') continue
    const roles = problems.size + drafts.length === 0 && !/\p{N}/u.test(line) ? line.split(/\s*[\t;|,]\s*/) : []
    const [offer, ...prices] = splitLine(line) ?? []
    if (roles.length > 1) heading = roles.map((role) => ROLES.find(([, words]) => words.test(role))?.[0] ?? '?').join(' ')
    else if (offer === undefined) problems.set(at, 'Write the offer, the customer price and the agent price, like 1GB, 6.00, 5.20.')
    else if (heading !== '' && !/^offer (?:customer agent|agent customer)$/.test(heading))
      problems.set(at, 'Order the columns as offer, customer price and agent price.')
    else {
      const [priceCustomer = '', priceAgent = ''] = heading === 'offer agent customer' ? prices.toReversed() : prices
      drafts.push({ key: `${at}`, offer, priceCustomer, priceAgent })
    }
  }
  const read = checkPackages(drafts)
  for (const [at, found] of read.problems) problems.set(Number(at), Object.values(found)[0] ?? '')
  const inOrder = [...problems].toSorted(([one], [other]) => one - other)
  return { packages: read.packages, problems: inOrder.map(([at, message]) => ({ line: at + 1, text: lines[at] ?? '', message })) }
}

const ROLES: readonly [string, RegExp][] = [
  ['cost', /cost|buying/i],
  ['agent', /agent|reseller|dealer|wholesale/i],
  ['customer', /customer|retail|selling|public/i],
  ['offer', /offer|package|bundle|data|size|volume|name|plan/i],
]

type LineParts = [offer: string, customer: string, agent: string]

const PRICE = String.raw`((?:¢|₵|gh[s¢₵])?\s?\d\S*)`
/** An offer may hold blanks and numbers, so its prices are the last two of the line. */
const BLANKS_BETWEEN = new RegExp(String.raw`^([^\t;|]*?[^\s;|,-])\s+${PRICE}\s+${PRICE}$`, 'i')

/** The three parts of a line: by the first separator that leaves an offer and two prices, or else the first that leaves three parts. */
function splitLine(line: string): LineParts | null {
  const found: LineParts[] = []
  for (const separator of ['\t', ';', '|', ',', ', ']) {
    const parts = line.split(separator).map((part) => part.trim())
    if (parts.length === 3) found.push(parts as LineParts)
  }
  const [, offer, customer, agent] = BLANKS_BETWEEN.exec(line) ?? []
  if (offer && customer && agent && !/[gm]b\s+[\d.,]+$/i.test(offer))
    found.push([offer.replace(/[:=]$/, '').trimEnd(), customer.replace(/,$/, ''), agent])
  const isRead = ([, one, other]: LineParts) => typeof readPrice(one) === 'number' && typeof readPrice(other) === 'number'
  return found.find(isRead) ?? found[0] ?? null
}

/** The packages whose agents would pay more than customers, which is seldom meant. */
export function dearerForAgents(packages: readonly PackageInput[]): PackageInput[] {
  return packages.filter(({ priceCustomer, priceAgent }) => priceAgent > priceCustomer)
}

export type PriceConcern = { offer: string; text: string }

/**
 * What an owner seldom means: a price that is lower than before by more than a third, or lower and under the package's cost, and agents who would pay
 * more than customers. `costs` are in cedis, by offer.
 */
export function concernsAbout(
  before: readonly PackageInput[],
  after: readonly PackageInput[],
  costs: ReadonlyMap<string, number>,
): PriceConcern[] {
  const dearer = dearerForAgents(after)
  return after.flatMap((line) => {
    const { offer } = line
    const was = before.find((one) => one.offer === offer)
    const cost = costs.get(offer)
    const fallen = (['priceCustomer', 'priceAgent'] as const).flatMap((field) => {
      const [to, from] = [line[field], was?.[field]]
      if (from !== undefined && to >= from) return []
      const who = field === 'priceCustomer' ? 'customers' : 'agents'
      if (cost !== undefined && to < cost)
        return [{ offer, text: `${who} pay ¢${formatCedis(to)}, below its cost of ¢${formatCedis(cost)}` }]
      if (from === undefined || !isBigFall(toPesewas(from), toPesewas(to))) return []
      return [{ offer, text: `${who} pay ¢${formatCedis(to)} instead of ¢${formatCedis(from)}` }]
    })
    const { priceCustomer, priceAgent } = line
    const text = `agents pay ¢${formatCedis(priceAgent)}, customers ¢${formatCedis(priceCustomer)}`
    return dearer.includes(line) ? [...fallen, { offer, text }] : fallen
  })
}

/** Merges pasted packages: new prices for existing offers, new offers below. */
export function mergePackages(drafts: readonly DraftPackage[], pasted: readonly PackageInput[]): DraftPackage[] {
  const byName = new Map(pasted.map((line) => [nameOf(line.offer), line]))
  const kept = drafts
    .filter((draft) => !isBlank(draft))
    .map((draft) => {
      const line = byName.get(nameOf(draft.offer))
      byName.delete(nameOf(draft.offer))
      return line ? { ...draftOf(line), key: draft.key, offer: draft.offer } : draft
    })
  return [...kept, ...[...byName.values()].map(draftOf)]
}

/** Moves one line up or down, if it is not at that end already. */
export function moveLine<T>(lines: readonly T[], from: number, step: 1 | -1): T[] {
  const to = from + step
  const moved = lines[from]
  if (moved === undefined || to < 0 || to >= lines.length) return [...lines]
  return lines.toSpliced(from, 1).toSpliced(to, 0, moved)
}

function offerProblem(offer: string, earlier: ReadonlySet<string>): string | null {
  if (offer === '') return 'Name the offer.'
  if (offer.length > MAX_OFFER_LENGTH) return `An offer has at most ${MAX_OFFER_LENGTH} characters.`
  if (earlier.has(nameOf(offer))) return 'This offer is listed twice.'
  return null
}

/** A price in cedis, or what is wrong with it. */
function readPrice(text: string): number | string {
  const reading = readAmount(text, { negative: true })
  if (reading.kind === 'read') return reading.value > 0 ? toCedis(reading.value) : 'A price must be more than zero.'
  return questionIn(reading) ?? NOT_A_NUMBER
}

function nameOf(offer: string): string {
  return offer.trim().toLowerCase()
}
