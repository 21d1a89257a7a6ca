import type { Network } from '../../../../../shared/networks.ts'
import { notAfter } from '../../../../../shared/not-after.ts'
import { offerVolumeMb } from '../../../../../shared/offers.ts'
import { CHAT_HEAD, toSet } from '../../../../../shared/readers/phrases.ts'
import { readAmount } from '../../../../../shared/readers/read-amount.ts'
import { readDate } from '../../../../../shared/readers/read-date.ts'
import { readVolume, SIZES } from '../../../../../shared/readers/read-volume.ts'
import { allIn, asDoubtful, plainText, questionIn, type Reading, valueIn } from '../../../../../shared/readers/reading.ts'
import { cutCells } from '../../../../../shared/readers/sheets.ts'

export const PRICE_ROLES = ['customer', 'agent', 'cost'] as const
export type PriceRole = (typeof PRICE_ROLES)[number]

/** One line of a pasted list: the package that it is about and its prices in pesewas, or why it could not be read. */
export type ListLine = { line: number; text: string } & (
  | { offer: string; prices: readonly ListPrice[]; problem?: undefined }
  | { problem: string; offer?: undefined; prices?: undefined }
)
/** `role` is what the list itself says the price is; null where it does not say. */
type ListPrice = { role: PriceRole | null; pesewas: number }
type Columns = { separator: string; roles: (PriceRole | 'offer' | 'price' | 'changed' | null)[]; isInGb: boolean }

/**
 * Reads a price list pasted from WhatsApp or a spreadsheet for the packages of `network`. Every line with something in it is in the reply,
 * but for headings: either it names one package and at least one price, and nothing that is not understood, or it has a problem.
 */
export function readPriceList(pasted: string, network: Network, offers: readonly string[]): ListLine[] {
  const lines: ListLine[] = []
  let columns: Columns | null = null
  let section: Network | null = null
  /** A line above that may change the prices below it; a heading of one of the network's kinds does until its next heading. */
  let above: { text: string; isKind: boolean; isOfMany?: true } | null = null
  for (const [index, raw] of pasted.split(/\r\n|\r|\n/).entries()) {
    const text = raw.trim()
    const plain = undecorated(raw)
    if (!/[\p{L}\p{N}]/u.test(plain)) continue
    const found = columnsOf(raw, network)
    if (found) {
      columns = found
      if (networksIn(plain).length > 1) {
        section = null
        if (above?.isKind) above = null
      }
      continue
    }
    const named = networkIn(plain)
    if (isHeading(plain) && !offers.some((offer) => startsWith(withoutNetwork(plain, network), offer))) {
      const networks = networksIn(plain)
      if (networks.length > 1) {
        section = null
        if (!above || above.isKind) above = { text, isKind: true, isOfMany: true }
        continue
      }
      section = networks[0] ?? section
      const isUnclear = isStrange(plain) && isOfNetwork(section ?? network, network)
      if (isUnclear) lines.push({ line: index + 1, text, problem: 'Does this change the prices below? Take the line out if it doesn’t.' })
      if (isUnclear && (!above || above.isKind)) above = { text, isKind: named !== null }
      else if (!isUnclear && named && above?.isKind) above = null
      continue
    }
    const read = raw.includes('~') ? CROSSED_OUT : columns ? readRow(raw, columns, offers) : readLine(plain, network, offers)
    const about = named ?? section
    if ('problem' in read && read.problem === NO_PACKAGE && !columns && isStrange(plain)) above ??= { text, isKind: false }
    if (about && !isOfNetwork(about, network)) lines.push({ line: index + 1, text, problem: `This is for ${about}.` })
    else if (above && (above.isOfMany || !('problem' in read))) {
      lines.push({
        line: index + 1,
        text,
        problem: above.isOfMany
          ? `“${above.text.slice(0, 60)}” above names more than one network.`
          : `“${above.text.slice(0, 60)}” stands above this. Take that line out if it changes nothing.`,
      })
    } else lines.push({ line: index + 1, text, ...read })
  }
  return withoutRepeats(lines)
}

const NO_PACKAGE = 'There is no package of this name.'
/** WhatsApp crosses out what stands between two of these. */
const CROSSED_OUT = { problem: 'A part of this line may be crossed out. Write the line without “~”.' }

type Read = { offer: string; prices: ListPrice[] } | { problem: string }

/** Prices for each package, by what they are; `order` says it for prices of which the list does not. */
export function assignRoles(lines: readonly ListLine[], order: readonly PriceRole[]) {
  const prices = new Map<string, Partial<Record<PriceRole, number>>>()
  const unread: { line: number; text: string; problem: string }[] = []
  for (const { line, text, offer, prices: found, problem } of lines) {
    if (problem !== undefined) {
      unread.push({ line, text, problem })
      continue
    }
    const unnamed = found.filter(({ role }) => role === null)
    if (unnamed.length > order.length) {
      unread.push({ line, text, problem: `${unnamed.length} prices: say which is which.` })
      continue
    }
    const left = [...order]
    prices.set(offer, Object.fromEntries(found.map(({ role, pesewas }) => [role ?? left.shift(), pesewas])))
  }
  return { prices, unread }
}

/** The most prices on one line of which the list does not say what they are. */
export function unnamedPrices(lines: readonly ListLine[]): number {
  return Math.max(0, ...lines.map(({ prices = [] }) => prices.filter(({ role }) => role === null).length))
}

/** "1. ", "2) ", "- ", but not the beginning of "1.5GB". */
const BULLET = /^\s*(?:\d{1,2}[.)]|[-–—•·>+])\s+(?=\S)/

/** Without what WhatsApp and decoration add: emoji, stars, bullets, the sender's name. */
function undecorated(raw: string): string {
  return plainText(
    raw
      .replace(CHAT_HEAD, '')
      .replaceAll(/[➡⏩▶]/gu, '→')
      .replaceAll(/(\p{N})\u{fe0f}?\u{20e3}/gu, '$1 '),
  )
    .replaceAll(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[*~`_]/gu, ' ')
    .replace(BULLET, '')
    .replace(BULLET, '')
    .replace(/(^|[^\d.])[.…]{2,}/gu, '$1 ')
    .trim()
}

const NETWORK_WORDS: readonly [RegExp, Network][] = [
  [/\bmtn\s+pulse\b|\bpulse\b/i, 'MTN PULSE'],
  [/\bwaec\b|\bcheckers?\b/i, 'WAEC Checkers'],
  [/\bairtel\s?-?\s?tigo\b|\bairtel\b|\btigo\b|\bat\b(?!\s*(?:gh|[¢₵\d]))|\bishare\b/i, 'AirtelTigo'],
  [/\btelecel\b|\bvoda(?:fone)?\b/i, 'Telecel'],
  [/\bafa\b/i, 'AFA'],
  [/\bmtn\b/i, 'MTN'],
  [/\bairtime\b/i, 'Airtime'],
]

function networkIn(plain: string): Network | null {
  return NETWORK_WORDS.find(([words]) => words.test(plain))?.[1] ?? null
}

/** All that a heading names. Beside another network "at" in small letters is only a word. */
function networksIn(plain: string): Network[] {
  const named = (text: string) => {
    let rest = text
    return NETWORK_WORDS.flatMap(([words, network]) => {
      const before = rest
      rest = rest.replaceAll(new RegExp(words.source, 'gi'), ' ')
      return rest === before ? [] : [network]
    })
  }
  const others = named(plain.replaceAll(/\bat\b/g, ' '))
  return others.length > 0 ? others : named(plain)
}

/** Airtime is named after the network that it is for, and MashUp is MTN's. */
function isOfNetwork(named: Network, network: Network): boolean {
  return named === network || network === 'Airtime' || (named === 'MTN' && network === 'MTN PULSE')
}

const DATES = /\b\d{1,2}([/.-])(?:0?\d|1[0-2])\1(?:20)?\d{2}\b|\b20\d\d\b/g

/** A line without a figure, or with nothing but a date or the year, announces something: "MTN DATA BUNDLES", "Prices from 21/11/2026". */
function isHeading(plain: string): boolean {
  const rest = plain.replaceAll(DATES, ' ').replaceAll(/\b\d{1,2}(?:st|nd|rd|th)\b/g, ' ')
  return !/\p{N}/u.test(rest)
}

/** Words of headings and greetings that say nothing about the prices below them. */
const HEADING_WORDS = toSet(`
  data bundle bundles package packages price prices pricelist list lists offer offers size sizes network networks new our the your my
  for with and of in on at to all is are here now today today’s again please pls kindly thank thanks you hello hi dear good morning
  afternoon evening everyone customers customer agents agent resellers reseller retail wholesale dealers selling rate rates updated
  update current latest affordable best cheap cheapest fast instant delivery order orders call whatsapp text us me momo contact from
  ghana cedis ghs gh internet big small shop store gb mb patronage welcome bulk valid validity
`)
const HARMLESS = /\bno[nt]?[ -]?expiry\b|\b(?:\+?233|0)[ -]?\d{2}[ -]?\d{3}[ -]?\d{4}\b/gi

/** Whether a line that names no package says something that may change a price: "MTN NIGHT", "Out of stock", "Price per 10 pieces". */
function isStrange(plain: string): boolean {
  const networks = NETWORK_WORDS.reduce(
    (rest, [words]) => rest.replaceAll(new RegExp(words.source, 'gi'), ' '),
    plain.replaceAll(/\bmtn pulse\b/gi, ' '),
  )
  const rest = networks
    .replaceAll(DATES, (date) => (isOver(date) ? ' ' : date))
    .replaceAll(HARMLESS, ' ')
    .replaceAll(DURATION, ' ')
  return /\p{N}/u.test(rest) || (rest.match(/[\p{L}’']+/gu) ?? []).some((word) => !HEADING_WORDS.has(word.toLowerCase().replace("'", '’')))
}

/** A day, by all that it may be, that is not to come; or a year alone. */
function isOver(date: string): boolean {
  const days = allIn(readDate(date))
  return date.length === 4 || (days.length > 0 && days.every(({ at }) => at.getTime() <= Date.now()))
}

const HEADINGS: readonly [RegExp, Columns['roles'][number]][] = [
  [/\b(?:old|new|previous|former|was|now|before|after)\b/i, 'changed'],
  [/\b(?:cost|buying|purchase|supplier|wholesale cost)\b/i, 'cost'],
  [/\b(?:agents?|resellers?|dealers?|wholesale)\b/i, 'agent'],
  [/\b(?:customers?|retail|selling|public|users?)\b/i, 'customer'],
  [/\b(?:packages?|offers?|bundles?|data|size|volume|gb|plan)\b/i, 'offer'],
  [/\b(?:price|amount|ghs|cedis|rate)\b/i, 'price'],
]

/** The columns that a row of headings names, where one stands for each network those of `network`; null when it is none. */
function columnsOf(raw: string, network: Network): Columns | null {
  if (/\d[\d.]*\s*(?:gb|mb|gig)|\d[.,]\d/i.test(raw)) return null
  for (const separator of ['\t', ';', '|', ',']) {
    const [cells = []] = cutCells(raw, separator)
    if (cells.length < 2) continue
    const roleOf = (cell: string) => HEADINGS.find(([words]) => words.test(cell))?.[1] ?? null
    const networks = cells.map(networkIn)
    const isOfMany = new Set(networks.filter(Boolean)).size > 1
    const roles = cells.map((cell, at) => {
      const [role, named] = [roleOf(cell), networks[at]]
      if (!isOfMany || !named) return isOfMany && at === 0 && cell === '' ? 'offer' : role
      const isOwn = named === network || (!networks.includes(network) && isOfNetwork(named, network))
      if (!isOwn) return null
      return role === null || role === 'offer' ? 'price' : role
    })
    if (isOfMany && roles.includes('offer')) return { separator, roles, isInGb: /\bgb\b/i.test(cells[roles.indexOf('offer')] ?? '') }
    if (roles.includes('offer') && roles.some((role) => role !== null && role !== 'offer')) {
      return { separator, roles, isInGb: /\bgb\b/i.test(cells[roles.indexOf('offer')] ?? '') }
    }
  }
  return null
}

function readRow(raw: string, { separator, roles, isInGb }: Columns, offers: readonly string[]): Read {
  const cells = (cutCells(raw, separator)[0] ?? []).map(undecorated)
  const named = cells[roles.indexOf('offer')] ?? ''
  const name = isInGb && /^\d+(?:\.\d+)?$/.test(named) ? `${named}GB` : named
  const found = findOffer(name, offers)
  if ('problem' in found) return found
  if (found.rest.trim() !== '') return { problem: `We don’t know a package called “${name}”.` }
  const prices: ListPrice[] = []
  for (const [index, role] of roles.entries()) {
    if (role === 'changed') return { problem: 'This list has old and new prices. Keep one column of them.' }
    const cell = cells[index] ?? ''
    if (role === null || role === 'offer' || !/\p{N}/u.test(cell)) continue
    const [price, ...others] = numbersIn(cell)
    if (price?.kind !== 'read' || others.length > 0) return { problem: (price && questionIn(price)) ?? `“${cell}” is not a price.` }
    prices.push({ role: role === 'price' ? null : role, pesewas: price.value })
  }
  return prices.length === 0 ? { problem: 'There is no price on this line.' } : { offer: found.offer, prices }
}

/** Words that may stand on a line without saying anything more about its price. */
const FILLERS =
  /\b(?:for|at|is|now|only|just|price|prices|each|data|bundle|bundles|package|offer|cedis?|ghs|ghc|gh|valid(?:ity)?|no[ -]?expiry|non[ -]?expiry|days?|and)\b/gi
/** What stands between two prices of which one is over. */
const BETWEEN = /\d[^\d]*(?:[→⇒>]|\b(?:now|was|is|at|for|just|only|new|from|to|instead|before)\b)[^\d]*\d/i
const DURATION = /\(?\b\d{1,3}\s?-?\s?(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?)\b\)?/gi

function readLine(plain: string, network: Network, offers: readonly string[]): Read {
  const found = findOffer(withoutNetwork(plain, network), offers)
  if ('problem' in found) return found
  const rest = found.rest.replaceAll(DURATION, ' ')
  const labels = [...rest.matchAll(LABELS)]
  const [range] = /\d[\d.,]*[-;]\d[\d.,]*/.exec(rest) ?? farApart(rest) ?? []
  if (range) return { problem: `Is “${range}” one price or two?` }
  const prices = numbersIn(rest)
  if (prices.length === 0) return { problem: 'There is no price on this line.' }
  const unread = prices.find(({ kind }) => kind !== 'read')
  if (unread) return { problem: questionIn(unread) ?? 'We can’t read the price.' }
  const left = rest.replaceAll(NUMBER, ' ').replaceAll(LABELS, ' ').replaceAll(FILLERS, ' ')
  const strange = /[\p{L}\p{N}%]+|[?+~²×\p{Sc}]/u.exec(left)?.[0]
  if (strange) return { problem: `We don’t know what “${strange}” means here.` }
  if (prices.length > 1 && labels.length === 0 && BETWEEN.test(rest))
    return { problem: 'Is that an old and a new price? Keep one of them.' }
  const roles = rolesOf(rest, labels.length, prices.length)
  if (!roles) return { problem: 'We can’t tell which price is which.' }
  return { offer: found.offer, prices: prices.map((price, index) => ({ role: roles[index] ?? null, pesewas: valueIn(price) as number })) }
}

/** "5 50" is rather 5.50 than two prices, of which one is a few times the other. */
function farApart(rest: string): RegExpExecArray | null {
  const found = notAfter(/[\d.,]\d$/, /(\d{1,4}) (\d\d)(?![\d.,])/).exec(rest)
  return found && (Number(found[2]) > 1.5 * Number(found[1]) || /^0/.test(found[2] ?? '')) ? found : null
}

const LABELS = /\b(?:customers?|retail|selling|public|agents?|resellers?|dealers?|wholesale|cost|buying)\b/gi

/** What each price is by the words before them, or after all of them; null when they don't go together. */
function rolesOf(rest: string, labels: number, prices: number): (PriceRole | null)[] | null {
  if (labels === 0) return Array<null>(prices).fill(null)
  if (labels !== prices) return null
  const order = [...rest.matchAll(notAfter(GLUED, new RegExp(`${LABELS.source}|${NUMBER.source}`, 'giu')))].map(([token]) =>
    /^\p{L}/u.test(token) && !/\d/.test(token) ? token : '#',
  )
  const expected = order[0] === '#' ? 1 : 0
  if (order.some((token, index) => (index % 2 === expected) === (token === '#'))) return null
  const roles = order.filter((token) => token !== '#').map((label) => HEADINGS.find(([words]) => words.test(label))?.[1] as PriceRole)
  return new Set(roles).size === roles.length ? roles : null
}

const SIGN = String.raw`(?:gh\s?[s¢₵c]|[¢₵])\.?\s?`
/** A digit that belongs to what stands before it. */
const GLUED = /[\p{L}\p{N}.,]\d$/u
const NUMBER = notAfter(GLUED, new RegExp(String.raw`(?:${SIGN})?\d[\d.,]*(?:\s?(?:gh\s?[s¢₵c]|[¢₵]|cedis?))?(?:\/-)?`, 'giu'))

/** The amounts in a text, in pesewas. Nothing is free. */
function numbersIn(text: string): Reading<number>[] {
  return [...text.matchAll(NUMBER)].map(([token]) => {
    const reading = readAmount(token.replaceAll(/[^\d.,]/g, '').replace(/[.,]+$/, ''))
    return valueIn(reading) === 0 ? asDoubtful(token, '') : reading
  })
}

/** The package that a text is about, and the text without its name. */
function findOffer(text: string, offers: readonly string[]): { offer: string; rest: string } | { problem: string } {
  const [named] = offers.filter((offer) => startsWith(text, offer)).sort((one, other) => other.length - one.length)
  const [volume, another] = [...text.matchAll(SIZES)]
  if (named && offerVolumeMb(named) === null) return { offer: named, rest: text.slice(lengthOf(text, named)) }
  if (another) return { problem: 'There are two volumes on this line. Write one package per line.' }
  if (!volume) return { problem: NO_PACKAGE }
  const wanted = valueIn(readVolume(volume[0].replace(/[\s-]/g, '')))
  if (wanted === null) return { problem: `We can’t read the size ${volume[0].trim()}.` }
  const rest = `${text.slice(0, volume.index)} ${text.slice(volume.index + volume[0].length)}`
  const same = offers.filter((offer) => offerVolumeMb(offer) === wanted)
  const [only, second] = same
  if (only === undefined) return { problem: `You have no package of ${volume[0].trim()}.` }
  if (second === undefined) return { offer: only, rest }
  if (named && same.includes(named) && same.filter((offer) => startsWith(text, offer)).length === 1)
    return { offer: named, rest: text.slice(lengthOf(text, named)) }
  return { problem: `Which one? You have ${same.join(' and ')}.` }
}

/** Whether a text begins with an offer's name, however it is written: "mashup ghs5" is "MashUp GHS 5". */
function startsWith(text: string, offer: string): boolean {
  return lengthOf(text, offer) > 0
}

/** How many characters at the beginning of a text are the offer's name; 0 when it begins otherwise. */
function lengthOf(text: string, offer: string): number {
  const parts = offer.match(/\p{L}+|\p{N}+|[^\p{L}\p{N}\s]/gu) ?? []
  const pattern = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join(String.raw`\s*`)
  return new RegExp(String.raw`^\s*${pattern}(?![\p{L}\p{N}]|[.,]\d)`, 'iu').exec(text)?.[0].length ?? 0
}

/** "MTN 5GB 24.50" without the name of the network that is priced. */
function withoutNetwork(plain: string, network: Network): string {
  const named = network === 'AFA' || network === 'MTN PULSE' ? 'MTN' : network
  const words = named === 'Airtime' ? undefined : NETWORK_WORDS.find(([, name]) => name === named)?.[0]
  return words ? plain.replaceAll(new RegExp(words.source, 'gi'), ' ').trim() : plain
}

/** A package that a list has twice, at different prices, is asked about. */
function withoutRepeats(lines: readonly ListLine[]): ListLine[] {
  const seen = new Map<string, ListLine[]>()
  for (const line of lines) if (line.offer !== undefined) seen.set(line.offer, [...(seen.get(line.offer) ?? []), line])
  return lines.flatMap((line): ListLine[] => {
    const same = line.offer === undefined ? [line] : (seen.get(line.offer) ?? [])
    if (same.length < 2) return [line]
    if (same.every(({ prices }) => JSON.stringify(prices) === JSON.stringify(line.prices))) return same[0] === line ? [line] : []
    return [{ line: line.line, text: line.text, problem: `${line.offer} is in the list more than once, at different prices.` }]
  })
}
