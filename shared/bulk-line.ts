import { isMobilePhone, normalisePhone, operatorOfNumber, spacedPhone } from './phones.ts'

/** What one line says, before prices and other lines are looked at. */
export type ReadLine = {
  /** Ten digits; null where no number was found. */
  receiver: string | null
  /** Whoever the line names beside number and size. */
  name: string
  saidNetwork: BulkNetwork | null
  volumeMb: number | null
  /** What is wrong with the number, as a sentence, and the number that was probably meant. */
  problem: string | null
  meant: string | null
  /** Where there is no size: what is wrong with those that the line has, as a sentence; null where it has none. */
  sizeProblem: string | null
}

export const BULK_NETWORKS = ['MTN', 'Telecel', 'AirtelTigo'] as const
export type BulkNetwork = (typeof BULK_NETWORKS)[number]

const NETWORK_WORDS: Record<string, BulkNetwork> = {
  mtn: 'MTN',
  telecel: 'Telecel',
  vodafone: 'Telecel',
  voda: 'Telecel',
  airteltigo: 'AirtelTigo',
  airtel: 'AirtelTigo',
  tigo: 'AirtelTigo',
  at: 'AirtelTigo',
  ishare: 'AirtelTigo',
}
const MOST_CHARACTERS = 200
const MOST_PARTS_OF_A_NUMBER = 6
const DIGITS = /^[+(]?[\d().+-]+$/
const SIZE = /^(\d{1,5}(?:\.\d{1,3})?)(gb|g|gig|gigs|mb|m)?$/i
const UNIT = /^(gb|g|gig|gigs|mb|m)$/i
/** Letters that are taken for digits, and digits between them. */
const LOOK_ALIKE = /^[+(]?[\doil().+-]{9,16}$/i

/** Reads one line in any order and with any separators: a number, a size in GB unless it says MB, perhaps a network and a name. */
export function readLine(line: string): ReadLine {
  const parts = tidy(line.slice(0, MOST_CHARACTERS))
    .split(/[\s,;|/:=]+/)
    .map((part) => part.replace(/(?<=\p{L})[.!?]+$/u, ''))
    .filter((part) => part !== '' && part !== '-' && part !== '.')
  const number = findNumber(parts)
  const rest = number ? parts.toSpliced(number.from, number.count) : [...parts]
  const other = number && findNumber(rest)
  const times = number && rest.find((part) => TIMES.test(part))
  const saidNetwork = takeNetwork(rest)
  const likely = number ? null : takeLikelyNumber(rest)
  const size = takeVolume(rest, number?.from ?? 0)
  const base = { name: rest.filter((part) => /\p{L}/u.test(part)).join(' '), saidNetwork, ...size }
  // Which size would be for which of them, nobody knows.
  if (other && other.digits !== number.digits) return { ...base, receiver: null, problem: TWO_NUMBERS, meant: null }
  if (times) return { ...base, receiver: null, problem: `This line says ${times}. Write one line for each`, meant: null }
  return {
    ...base,
    receiver: number?.digits ?? null,
    problem: number ? null : (likely?.problem ?? 'There is no phone number on this line.'),
    meant: likely?.meant ?? null,
  }
}

/** A line without the time that a chat puts in front of it, for where there is little room. */
export function withoutTime(line: string): string {
  return line.replace(MESSAGE_HEAD, (_head, sender: string) => (/\p{L}/u.test(sender) ? `${sender.trim()}:` : '')).trim()
}

/** Whether a line is only talk, like the greetings and notices between the orders of a chat: no digit is left beside dates, times and amounts. */
export function isTalk(line: string): boolean {
  return !/\d/.test(tidy(line.slice(0, MOST_CHARACTERS)))
}

const TWO_NUMBERS = 'Two numbers are on this line. Write each on a line of its own'
/** More than one of a bundle: "x2", "2x". */
const TIMES = /^(?:[x×][2-9]|[2-9][x×]|[x×][1-9]\d|[1-9]\d[x×])$/i
const CUT_NUMBER = 'Excel cut this number. Make its column text, then copy it again'
/** The time and the sender of a message, as WhatsApp copies and exports them. */
const MESSAGE_HEAD = /^\s*(?:\[[^\]]*\d[:/][^\]]*\]|\d{1,2}\/\d{1,2}\/\d{2,4},? \d{1,2}:\d\d[^-]{0,12}-) ([^:]{0,60}):(?=\s)/
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\ufe0f/g
const MARKS = /["'*_~()[\]{}<>@#\u2012-\u2015\u2190-\u21ff]|\p{Extended_Pictographic}/gu
/** A place in a list, a date, a time, an amount of money: none of them is a size. */
const NO_SIZE =
  /^\s*\d{1,4}[.)]\s+|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b|\b\d{1,2}:\d\d(?::\d\d)?\b(?!\s*[gm]b)|(?:\bgh[s¢₵c]?|[¢₵])\.?\s*\d+(?:\.\d+)?/gi

/** The line without what messages and spreadsheets put around numbers and sizes. */
function tidy(line: string): string {
  return line
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(MESSAGE_HEAD, (_head, sender: string) => (/\p{L}/u.test(sender) ? ` ${sender} ` : ' '))
    .replace(NO_SIZE, ' ')
    .replace(MARKS, ' ')
    .replace(/\b\d(?:\.\d+)?e\+?\d{1,2}\b/gi, wholeNumber)
    .replace(/(\d),(\d{3})(?=\s*mb?\b)/gi, '$1$2')
    .replace(/(\d{9})[-.](?=\d{1,3}(?:\.\d+)?\s*(?:[gm]b?|gigs?)?(?!\S))/gi, '$1 ')
    .replace(/(?<=\d(?:[gm]b?|gigs?))-(?=\+?\d)/gi, ' ')
}

/** 2.33244123456E+11 as its digits; as it is where digits were lost. */
function wholeNumber(written: string): string {
  const [digits = '', power] = written.toLowerCase().replace('.', '').split(/e\+?/)
  return digits.length === Number(power) + 1 ? digits : written
}

/** The first parts that together are a mobile number, as few as possible: "+233 24 412 3456". */
function findNumber(parts: readonly string[]): { digits: string; from: number; count: number } | null {
  for (let from = 0; from < parts.length; from++) {
    let joined = ''
    for (let count = 1; count <= MOST_PARTS_OF_A_NUMBER; count++) {
      const part = parts[from + count - 1]
      if (part === undefined || !DIGITS.test(part)) break
      joined += part.replace(/\D/g, '')
      const digits = joined.length <= 14 ? normalisePhone(joined) : ''
      if (isMobilePhone(digits) && isWhole(joined, digits)) return { digits, from, count }
    }
  }
  return null
}

/** False where the digits were cut to ten. */
function isWhole(joined: string, digits: string): boolean {
  return joined.endsWith(digits.slice(1)) && joined.length <= digits.length + 5
}

function takeLikelyNumber(rest: string[]): { problem: string; meant: string | null } | null {
  const cut = rest.findIndex((part) => /^\d(?:\.\d+)?e\+?\d{1,2}$/i.test(part))
  if (cut !== -1) {
    rest.splice(cut, 1)
    return { problem: CUT_NUMBER, meant: null }
  }
  const at = rest.findIndex((part) => LOOK_ALIKE.test(part) || (DIGITS.test(part) && part.replace(/\D/g, '').length >= 6))
  if (at === -1) return null
  const [part = ''] = rest.splice(at, 1)
  const meant = normalisePhone(part.replace(/o/gi, '0').replace(/[il]/gi, '1'))
  if (/[a-z]/i.test(part) && isMobilePhone(meant))
    return { problem: `A letter is in the number. Did you mean ${spacedPhone(meant)}?`, meant }
  const digits = part.replace(/\D/g, '')
  if (digits.length === 9 && digits.startsWith('0')) return { problem: '9 digits, one is missing', meant: null }
  if (digits.length < 10) return { problem: `${digits.length} digits, a number has 10`, meant: null }
  if (digits.length === 10 && operatorOfNumber(digits) === null)
    return { problem: `No network uses ${digits.slice(0, 3)}. Check the number`, meant: null }
  return { problem: `${digits.length} digits, a number has 10`, meant: null }
}

function takeNetwork(rest: string[]): BulkNetwork | null {
  const at = rest.findIndex((part) => Object.hasOwn(NETWORK_WORDS, part.toLowerCase()))
  if (at === -1) return null
  const [word = ''] = rest.splice(at, 1)
  return NETWORK_WORDS[word.toLowerCase()] ?? null
}

type Size = { at: number; count: number; volumeMb: number | null }

/**
 * A size with its unit goes before a bare number, which may be a price, and one behind the phone number before one in front, which may be a place
 * in a list. Two that differ are not guessed between.
 */
function takeVolume(rest: string[], numberAt: number): Pick<ReadLine, 'volumeMb' | 'sizeProblem'> {
  const bare: Size[] = []
  const whole: Size[] = []
  for (let at = 0; at < rest.length; at++) {
    const [, amount, ownUnit] = SIZE.exec(rest[at] ?? '') ?? []
    if (amount === undefined) continue
    const next = rest[at + 1] ?? ''
    const unit = ownUnit ?? (UNIT.test(next) ? next : null)
    const count = ownUnit === undefined && unit !== null ? 2 : 1
    const volumeMb = Number(amount) * (/^m/i.test(unit ?? '') ? 1 : 1000)
    ;(unit === null ? bare : whole).push({ at, count, volumeMb: volumeMb > 0 && Number.isInteger(volumeMb) ? volumeMb : null })
  }
  const behind = bare.filter(({ at }) => at >= numberAt)
  const found = whole.length > 0 ? whole : behind.length > 0 ? behind : bare.slice(-1)
  const [first] = found
  if (!first) return { volumeMb: null, sizeProblem: null }
  if (found.some(({ volumeMb }) => volumeMb !== first.volumeMb)) return { volumeMb: null, sizeProblem: 'This line has more than one size.' }
  for (const { at, count } of found.toReversed()) rest.splice(at, count)
  return { volumeMb: first.volumeMb, sizeProblem: null }
}
