import { notAfter } from './not-after.ts'
import { CHAT_HEAD, NO_NUMBER, toMap, toSet } from './readers/phrases.ts'
import { findPhones, readPhone } from './readers/read-phone.ts'
import { readQuantity } from './readers/read-quantity.ts'
import { readVolume, VOLUME_UNIT } from './readers/read-volume.ts'
import { allIn, plainText, valueIn } from './readers/reading.ts'

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
  /** What that size may be. */
  meantMb: readonly number[]
  /** The size has no unit. */
  isBare: boolean
  /** It stands in front of the phone number, where it may be a place in a list. */
  isInFront: boolean
  /** What a line without a number is; null where it has one, or tries to. */
  note: Note | null
  /** It calls off or changes an order: that of its number, or any of the list. */
  changes: 'number' | 'list' | null
  /** What else the line says, as a question; null where all of it is understood. */
  doubt: string | null
  /** Words in small letters that may be a name, and that nobody knows; empty where there is none. */
  unknown: string
  /** The lines that this one should be, where it says more than one thing. */
  split: readonly string[] | null
}

/** Greetings and names change no order, a network or a size is for the lines around it, and anything else is asked about. */
export type Note = 'talk' | 'unclear' | { network: BulkNetwork | null; volumeMb: number | null; isForAll: boolean }

export const BULK_NETWORKS = ['MTN', 'Telecel', 'AirtelTigo'] as const
export type BulkNetwork = (typeof BULK_NETWORKS)[number]

const NETWORK_WORDS = toMap({ MTN: 'mtn|yello', Telecel: 'telecel|vodafone|voda', AirtelTigo: 'airteltigo|airtel|tigo|at|ishare' })
const MOST_CHARACTERS = 200
const MOST_PARTS_OF_A_NUMBER = 6
const MOST_TIMES = 20
const UNIT = new RegExp(`^${VOLUME_UNIT}$`, 'i')
/** The beginning of a size; what is not wholly one then makes the line doubtful. */
const SIZE = /^(?:\d[\d.,]*|[.,]\d+|\d*½)(?:[gm](?:bs?)?|gigs?|megs?|gigabytes?|megabytes?)?$/i

/** Reads one line in any order and with any separators: a number, a size in GB unless it says MB, perhaps a network and a name. */
export function readLine(line: string): ReadLine {
  const text = textOf(line)
  const plain = withoutHead(text)
  const parts = toParts(tidy(plain))
  const number = findNumber(parts)
  const rest = number ? parts.toSpliced(number.from, number.count) : [...parts]
  const again = number && findNumber(rest)
  const hasOther = again !== null && again.digits !== number?.digits
  if (again && !hasOther) rest.splice(again.from, again.count)
  const times = number && !hasOther ? takeTimes(rest) : null
  const saidNetwork = takeNetwork(rest)
  const likely = number ? null : takeLikelyNumber(rest)
  const size = takeVolume(rest, number?.from ?? 0, plain)
  const bareMb = size.isBare && plain.search(MONEY) !== -1 ? size.volumeMb : null
  const left =
    size.left ?? rest.find((part) => /\p{N}/u.test(part) && !PRICE.test(part)) ?? (bareMb === null ? undefined : String(bareMb / 1000))
  const [, belowZero] = BELOW_ZERO.exec(line) ?? []
  const isTooLong = line.length > MOST_CHARACTERS
  const said = text.replace(CHAT_HEAD, '').trim()
  const note = number || likely || TRIES.test(plain) || plain.includes(NO_NUMBER) ? null : isTooLong ? 'unclear' : readNote(said)
  const base = {
    ...{ note, isInFront: size.isInFront, changes: changesOf(said, note, size.volumeMb) },
    ...{ name: rest.filter((part) => /\p{L}/u.test(part) && !SAID.has(bareWord(part))).join(' '), saidNetwork },
    ...{ volumeMb: size.volumeMb, sizeProblem: size.sizeProblem ?? moneyProblem(plain, size), meantMb: size.meantMb, isBare: size.isBare },
    ...{ doubt: doubtIn(plain) ?? doubtOf(belowZero ?? left), unknown: unknownIn(rest), split: null },
  }
  if (isTooLong) return { ...base, receiver: null, problem: TOO_LONG, meant: null }
  // Which size would be for which of them, nobody knows.
  if (hasOther) return { ...base, receiver: null, problem: TWO_NUMBERS, meant: null, split: splitNumbers(plain) }
  if (times) {
    const one = parts.filter((part) => !times.parts.includes(part)).join(' ')
    const split = times.count > 1 && times.count <= MOST_TIMES ? Array<string>(times.count).fill(one) : null
    return { ...base, receiver: null, problem: `This line says ${times.parts.join(' ')}. Write one line for each`, meant: null, split }
  }
  return {
    ...base,
    receiver: number?.digits ?? null,
    problem: number ? null : (likely?.problem ?? 'There is no phone number on this line.'),
    meant: likely?.meant ?? null,
  }
}

/** A line without the time that a chat puts in front of it, for where there is little room. */
export function withoutTime(line: string): string {
  return line.replace(CHAT_HEAD, (_head, sender: string) => (/\p{L}/u.test(sender) ? `${sender.trim()}:` : '')).trim()
}

/** The text with each order on a line of its own, where a line has nothing but several of them, each with its number and size. */
export function toOwnLines(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const split = findPhones(line).length > 1 ? readLine(line).split : null
      return split?.every(isOrder) ? split.join('\n') : line
    })
    .join('\n')
}

function doubtOf(left: string | undefined): string | null {
  return left === undefined ? null : `What is “${left.trim()}” for?`
}

function isOrder(line: string): boolean {
  const { receiver, name, volumeMb, isBare, changes, doubt, unknown } = readLine(line)
  return receiver !== null && volumeMb !== null && ![isBare, changes, doubt, unknown, name].some(Boolean)
}

export function isCalledOff(line: string): boolean {
  return CALLED_OFF.test(line)
}

/** Whether a line is a size and nothing else, as people write it below its number. */
export function isSizeAlone(line: string): boolean {
  const plain = textOf(line)
  return !/^\d{4,}/.test(plain) && valueIn(readVolume(plain, { bare: 'GB' })) !== null
}

function readNote(text: string): Note {
  if (NOTHING_SAID.test(text) || NO_WORDS.test(text)) return 'talk'
  const said = text.replace(TALK, ' ').replace(MONEY_SENT, ' ').replace(FOR_ALL, ' ').replace(TOTAL, ' ')
  const rest = toParts(tidy(said))
  const network = takeNetwork(rest)
  const { volumeMb, isBare, left, sizeProblem } = takeVolume(rest, 0, said)
  if (doubtIn(said) !== null || rest.some((part) => /\p{L}/u.test(part) && !isKnownWord(part) && !NOTE_WORDS.has(part.toLowerCase())))
    return 'unclear'
  if (TOTAL.test(text)) return 'talk'
  if (sizeProblem || left || (isBare && volumeMb !== null) || rest.some((part) => /\p{N}/u.test(part))) return 'unclear'
  return network || volumeMb ? { network, volumeMb, isForAll: FOR_ALL.test(text) } : 'talk'
}

function changesOf(plain: string, note: Note | null, volumeMb: number | null): ReadLine['changes'] {
  if (note === 'unclear' || CORRECTION.test(plain)) return 'list'
  return note !== null || !CALLED_OFF.test(plain) ? null : volumeMb === null ? 'list' : 'number'
}

/** About as many digits as a number has. */
const TRIES = /\d(?:[ .()-]{0,2}\d){8}/
const TOO_LONG = `This line has more than ${MOST_CHARACTERS} characters. Write each order on a line of its own`
const TWO_NUMBERS = 'Two numbers are on this line. Write each on a line of its own'
const MARKS = /["'“”‘’*_~()[\]{}<>@#\u2190-\u21ff]|\p{Extended_Pictographic}/gu
const MONEY = notAfter(
  /[\d.,]\d$/,
  /(?:\bgh[s¢₵c]?|[¢₵])\.?\s*\d+(?:[.,]\d+)?(?![\d.]*\s?[gm]b?\b)|\d{1,5}(?:[.,]\d+)?\s?(?:(?:ghana )?cedis?\b|gh[s¢₵c](?!\p{L}|\.?\s*\d)|[¢₵](?!\s*\d))/giu,
)
/** A place in a list, a date, a time, how long something lasts: none of them is a size. */
const NO_SIZE =
  /^\s*(?:\d{1,4}[.)](?:\s+|(?=0\d{9}(?!\d)))|(?:1st|2nd|3rd|[4-9]th|no\.\d{1,3}|line \d{1,3}:)(?=\s))|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b|\b\d{1,2}:\d\d(?::\d\d)?\b(?!\s*[gm]b)|\b\d{1,3}\s?-?(?:days?|weeks?|months?|hours?|hrs?|minutes?|mins?)\b/gi
const PRICE = /^\d+\.\d\d$/
const COMMA = notAfter(/[\d,.+]\d$/, /(\d{1,3}),(\d{1,2})(?![\d,])/g)

/** "Five gig" is 5 gig. */
const COUNTS = 'one two three four five six seven eight nine ten'.split(' ')
const COUNTED_UNIT = notAfter(/\p{L}.$/su, new RegExp(`(?:${COUNTS.join('|')})(?= ?${VOLUME_UNIT}(?!\\p{L}))`, 'giu'))

function textOf(line: string): string {
  return plainText(line.slice(0, MOST_CHARACTERS)).replace(COUNTED_UNIT, (word) => String(COUNTS.indexOf(word.toLowerCase()) + 1))
}

function withoutHead(plain: string): string {
  return plain.replace(CHAT_HEAD, (_head, sender: string) => (/\p{L}/u.test(sender) ? ` ${sender} ` : ' '))
}

/** The line without what messages and spreadsheets put around numbers and sizes. */
function tidy(plain: string): string {
  return plain
    .replace(MONEY, ' ')
    .replace(NO_SIZE, ' ')
    .replace(MARKS, ' ')
    .replace(/(^|\D)1 ?[/⁄] ?2(?= ?g)/gi, '$1½')
    .replace(/(\d),(\d{3})(?=\s*mb?\b)/gi, '$1$2')
    .replace(/(\s\d{1,3})-(?=(?:[gm]bs?|gigs?)(?![a-z]))/gi, '$1')
    .replace(COMMA, (found, whole: string, decimals: string) =>
      // Where commas stand between cells, this one may too.
      plain.replace(found, '').match(/,(?!\s|$)/) ? found : `${whole}.${decimals}`,
    )
    .replace(/(\d{9})(?:[-.]|\.{2,}|…)(?=\d{1,3}(?:\.\d+)?\s*(?:[gm]b?|gigs?)?(?!\S))(?!0{1,2}(?!\S))/gi, '$1 ')
    .replace(/(\d(?:[gm]b?|gigs?)|\b(?:mtn|telecel|airteltigo))-(?=\+?\d)/gi, '$1 ')
}

function toParts(text: string): string[] {
  return text
    .split(/[\s,;|/:=]+/)
    .map((part) => part.replace(/(\p{L})[.!?]+$/u, '$1').replace(/^-(?=\d)/, ''))
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
}

type Found = { digits: string; from: number; count: number }

/** The first parts that together are a mobile number, as few as possible: "+233 24 412 3456". */
function findNumber(parts: readonly string[]): Found | null {
  for (let from = 0; from < parts.length; from++) {
    for (let count = 1; count <= MOST_PARTS_OF_A_NUMBER; count++) {
      const part = parts[from + count - 1]
      // Of nine digits one is missing; a figure behind them is another thing.
      if (count > 1 && /^0\d{8}$/.test(parts[from] ?? '')) break
      if (part === undefined || !/^[+(]?\d[\d().+e-]*$/i.test(part)) break
      const digits = valueIn(readPhone(parts.slice(from, from + count).join(' ')))
      if (digits !== null) return { digits, from, count }
    }
  }
  return null
}

/** One line for each number: with the size that each gets, else cut in front of each number, or behind it where the sizes come first. */
function splitNumbers(plain: string): readonly string[] | null {
  const parts = toParts(tidy(plain))
  const ends: Found[] = []
  for (let from = 0; from < parts.length; ) {
    const found = findNumber(parts.slice(from))
    if (!found) break
    ends.push({ ...found, from: from + found.from })
    from += found.from + found.count
  }
  const end = ends.reduce((sum, { count }) => sum + count, 0)
  const last = ends.at(-1)
  const isRun = last?.from === end - (last?.count ?? 0)
  const size = parts.slice(end, -1).join(' ')
  if (isRun && parts.at(-1)?.toLowerCase() === 'each' && isSizeAlone(size)) return ends.map(({ digits }) => `${digits} ${size}`)
  const [first] = ends
  const isSizeFirst = first !== undefined && parts.slice(0, first.from).some((part) => SIZE.test(part))
  const cuts = isSizeFirst ? ends.slice(0, -1).map(({ from, count }) => from + count) : ends.slice(1).map(({ from }) => from)
  const lines = [0, ...cuts].map((from, index) => parts.slice(from, cuts[index]).join(' '))
  return lines.length > 1 ? lines : null
}

/** More than one of a bundle, in one part or two: "x2", "2x", "qty 2", "2 times". */
function takeTimes(rest: string[]): { parts: string[]; count: number } | null {
  for (let at = 0; at < rest.length; at++) {
    for (const count of [2, 1]) {
      const parts = rest.slice(at, at + count)
      const times = parts.length === count ? valueIn(readQuantity(parts.join(' '))) : null
      if (times === null) continue
      rest.splice(at, count)
      return times === 1 ? null : { parts, count: times }
    }
  }
  return null
}

function takeLikelyNumber(rest: string[]): { problem: string; meant: string | null } | null {
  const at = rest.findIndex(
    (part) => /^\d(?:\.\d+)?e\+?\d{1,2}$/i.test(part) || /^[+(]?[\doil().+-]{9,16}$/i.test(part) || /^[+(]?(?:\d[().+-]*){6,}$/.test(part),
  )
  if (at === -1) return null
  const [part = ''] = rest.splice(at, 1)
  const reading = readPhone(part)
  const [reason = ''] = reading.kind === 'doubtful' ? reading.reasons : []
  return { problem: reason.replace(/\.$/, ''), meant: allIn(reading)[0] ?? null }
}

function takeNetwork(rest: string[]): BulkNetwork | null {
  const at = rest.findIndex((part) => NETWORK_WORDS.has(part.toLowerCase()))
  if (at === -1) return null
  const [word = ''] = rest.splice(at, 1)
  return NETWORK_WORDS.get(word.toLowerCase()) ?? null
}

type Size = { at: number; count: number; volumeMb: number | null; meantMb: readonly number[] }
type TakenSize = Pick<ReadLine, 'volumeMb' | 'sizeProblem' | 'meantMb' | 'isBare' | 'isInFront'> & {
  /** A number beside the size that may be part of it, or how many. */
  left?: string | undefined
}

/**
 * A size with its unit goes before a bare number, which may be a price, and one behind the phone number before one in front, which may be a place
 * in a list. Two that differ are not guessed between, and a number beside the size is asked about, and so is one that belongs to a word: "Room 5".
 */
function takeVolume(rest: string[], numberAt: number, plain: string): TakenSize {
  const bare: Size[] = []
  const whole: Size[] = []
  for (let at = 0; at < rest.length; at++) {
    const part = rest[at] ?? ''
    if (!SIZE.test(part)) continue
    const isWhole = /[a-z]$/i.test(part)
    const next = rest[at + 1] ?? ''
    const count = !isWhole && UNIT.test(next) ? 2 : 1
    const reading = readVolume(rest.slice(at, at + count).join(' '), { bare: 'GB' })
    const volumeMb = valueIn(reading)
    ;(isWhole || count === 2 ? whole : bare).push({ at, count, volumeMb, meantMb: volumeMb === null ? allIn(reading) : [] })
    at += count - 1
  }
  const behind = bare.filter(({ at }) => at >= numberAt)
  const found = whole.length > 0 ? whole : behind.length > 0 ? behind : bare.slice(-1)
  const [first] = found
  const isBare = whole.length === 0
  const isInFront = isBare && first !== undefined && first.at < numberAt
  if (!first) return { volumeMb: null, sizeProblem: null, meantMb: [], isBare, isInFront }
  if (found.some(({ volumeMb }) => volumeMb !== first.volumeMb)) {
    return { volumeMb: null, sizeProblem: 'This line has more than one size.', meantMb: [], isBare, isInFront }
  }
  const beside = bare.find(({ at }) => !isBare && !PRICE.test(rest[at] ?? '') && (at >= numberAt || at + 1 === first.at))
  const left = beside ? rest[beside.at] : found[1] && rest[found[1].at]
  const sizeText = rest.slice(first.at, first.at + first.count).join(' ')
  const isOther =
    isBare && (isInFront ? isPlace(rest.slice(0, numberAt), first.at, plain) : isOfWord(rest[first.at - 1], first.at > numberAt))
  for (const { at, count } of [...found, ...bare.filter((one) => !found.includes(one))].toSorted((one, other) => other.at - one.at))
    rest.splice(at, count)
  if (isOther) return { volumeMb: null, sizeProblem: `What is “${sizeText}” for?`, meantMb: [], isBare, isInFront }
  const sizeProblem = first.volumeMb === null ? `Is “${sizeText}” a size?` : null
  return { volumeMb: first.volumeMb, sizeProblem, meantMb: first.meantMb, isBare, isInFront, left }
}

/** Whether a number in front of the phone number may be a place in a list, or that of a house or a year. */
function isPlace(front: readonly string[], at: number, plain: string): boolean {
  const isMarked = new RegExp(`[#([{]\\s?${front[at]?.replace(/\D/g, '.')}(?!\\d)`).test(plain)
  const words = front.slice(at + 1)
  return (
    isMarked ||
    isOfWord(front[at - 1], true) ||
    (/^\p{Lu}/u.test(front[at - 1] ?? '') && !isSizeWord(front[at - 1])) ||
    words.some((word) => !isKnownWord(word) || NAMES.has(word.toLowerCase()))
  )
}

function isOfWord(word = '', isBeside: boolean): boolean {
  if (!isBeside || !/^\p{L}/u.test(word) || isSizeWord(word) || NAMES.has(word.toLowerCase())) return false
  return !/^\p{Lu}/u.test(word) || isKnownWord(word) || COUNTED.test(word)
}

function isSizeWord(word = ''): boolean {
  return BEFORE_SIZE.has(word.toLowerCase())
}

function moneyProblem(plain: string, { volumeMb }: Pick<ReadLine, 'volumeMb'>): string | null {
  const [money] = plain.match(MONEY) ?? []
  return volumeMb === null && money ? `${money.trim()} is an amount of money, not a size.` : null
}

/** Words that call an order off, or say that it is another one. */
const CALLED_OFF = words(
  "cancel\\p{L}*|stop|remove\\p{L}*|delete\\p{L}*|ignore|don['’]?t|do not|not|wrong|mistake|instead|change\\p{L}*|replace\\p{L}*|void|sorry|should|edit\\p{L}*|correct\\p{L}*|disregard|forget|leave|abort|nope|scam|unless",
)
/** Words of what has happened, of how many, of when and of money, and of sentences that are more than an order. */
const MORE_SAID = words(
  "no(?![.:])|never|without|except|done|sent|received|paid|delivered|revers\\p{L}*|refund\\p{L}*|return\\p{L}*|error|already|failed|pending|hold|un(?:successful|delivered|paid|used)|sold|bought|got|came|come|didn['’]?t|complain\\p{L}*|fake|lost|test\\p{L}*|example|ok(?:ay)?|complete|success(?:ful(?:ly)?)?|taken?|duplicate|gone|finish|clear",
  'wait|later|today|tonight|tomorrow|yesterday|midnight|noon|[ap]m|(?:mon|tues?|wednes|thurs?|fri|satur|sun)day|last|next|ago|skip|again|another|repeat\\p{L}*|re-?send|same|also|too',
  'half|each|every|both|per|plus|minus|or|and|extra|bonus|double|triple|times|qty|quantity|pcs|pieces?|pairs?|dozen|couple|few|several|some|more|less|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|hundred|thousand|ii|iii|x',
  '\\d{1,3} (?:bundles?|packs?|packages?|persons?|people|ppl|numbers|lines|orders|sims?)',
  'pay\\p{L}*|format|sample|this momo|deposit\\p{L}*|transfer\\p{L}*|airtime|glo|globacom|expresso|kasapa|surfline|starlink|true|false|nil|null|none|n/?a|[ny](?![.])|yes|momo(?= \\d{1,3}(?!\\d))|credit|voice|calls?|mashup|cedis?|ghs|ghc|sms|days?|weeks?|months?|hours?|hrs?|minutes?|mins?|daily|weekly|monthly|unlimited|amount|price|total|balance|owes?',
  'youtube|netflix|tiktok|instagram|facebook|night|video|social|kokrokoo|turbo\\p{L}*|broadband|router|mifi|gift\\p{L}*|hotspot|roaming|postpaid|prepaid|subscri\\p{L}*|afa|waec|bece|wassce|checkers?|pulse|small\\p{L}*|large\\p{L}*|medium|big\\p{L}*|full|max\\p{L}*|min(?:imum)?|free|promo|discount|debts?|loan|borrow|active|inactive|urgent order',
  'i|he|she|they|we|it|you|who|why|when|what|if|but|because|since|until|till|from|back|left|out|has|had|have|was|were|will|would|did|does',
)
/** What people say around an order. */
const ASKED_FOR = notAfter(
  /\p{L}.$/su,
  /(?:(?:can|could|would|will) (?:you|u)|i(?:['’]?d like| would like| want| need)|do am|let me (?:get|have)|thank (?:you|u))(?!\p{L})/giu,
)
/** What a line that speaks of others begins with. */
const CORRECTION = /^\W*(?:sorry|oops|correction|instead|mistake|i mean|rather)(?!\p{L})/iu
/** Phrases and words that change no order, where they are all that a line says. */
const TALK =
  /(?:god bless(?: you)?|how are you|hope (?:you are|all is) (?:well|fine|good)|(?:have a )?(?:nice|great|good) (?:day|night|week)|thank(?:s|x)?(?: (?:you|u))?(?: (?:so|very) much)?|today(?:['’]s)?|(?:the )?following|(?:that['’]?s|that is) all|do am)(?!\p{L})/giu
/** A title or a nod, where it is all that a line says: "Week 2 only" may leave out the rest. */
const NOTHING_SAID =
  /^\W*(?:ok(?:ay)?|(?:week|day|batch|list|part|page) \d{1,2}(?: of \d{1,2})?(?: (?:data|bundles?|orders?|numbers?))?)\W*$/iu
const MONEY_SENT =
  /^\W*(?:(?:(?:i|we)(?:['’]ve| have)? )?(?:just )?(?:paid|sent)(?: (?:you|u))?|money (?:sent|paid)):? (?:(?:gh[s¢₵c]|[¢₵]) ?[\d.,]*\d|[\d.,]*\d ?(?:(?:ghana )?cedis?|gh[s¢₵c]))(?: at \d{1,2}:\d\d)?\W*$/iu
/** A sign that agrees, and what WhatsApp itself writes into a chat. What was deleted or left out of it may have changed an order. */
const NO_WORDS =
  /^(?:\s*(?:[👍👌🙏😊💯][\u{1f3fb}-\u{1f3ff}\ufe0f]*\s*)+|\W*missed (?:voice|video) call\W*|\W*messages and calls are end-to-end encrypted.*)$/iu
const FOR_ALL = words('(?:all|each|every)(?: of (?:them|these))?')
const TOTAL = /^\W*(?:grand |sub ?)?totals?(?!\p{L})/iu
const NOTE_WORDS = toSet(`
  numbers nos no list lists line lines orders orders’ everyone evening night morning these those here are below phones names contacts
  customers sizes size sims only group
`)
/** Words before a number that make it no size, however they are written. */
const COUNTED =
  /^(?:room|house|hse|class|form|year|yr|level|lvl|flat|block|blk|hostel|team|batch|group|grp|day|week|month|term|semester|age|shop|store|unit|floor|hall|section|page|route|zone|ward|phase|gate|table|seat|stage|step|part|grade|stream|course|category|option|number|line|row|item|serial|street|road|box|plot|apartment|office|branch|station|position|code|id|pin|order|no|nr|jhs|shs|primary|stage)$/i
/** Words that end so tell what was done, but for names such as these. */
const DONE = notAfter(
  /\p{L}.$/su,
  /(?!(?:\p{L}*ham?m[ae]d|ahmed|hamed|sa[iy]?eed|sayed|sayyed|rasheed|waleed|majeed|abed|\p{L}*fred|mildred|reed|ed|king|sterling|harding|manning|fleming|browning|ping|ming|ting|ling|sing|evening|morning)(?!\p{L}))\p{L}+(?:ed|ing)(?!\p{L})/iu,
)
/** Signs that may say that a line is done, called off or more than one. */
const SIGNS = /[?²³½+×✕]|~[^~]+~|(?![🙏👋😊🙂😀😄❤💚💛🧡💙🌹💐🔥⚡📱📲📞☎➡▶👉👇⬇📶🟡🟢🔴🟠🔵⭐🌟✨])\p{Extended_Pictographic}|[✖✗✘✓✔]/u
/** ".5gb" right behind a number may be half of one. */
const DOT_BEFORE = notAfter(/^(?!.*\d{9}\.+$)/s, /\.[1-9]\d? ?(?:[gm]b?|gigs?)(?!\p{L})/iu)

/** "0244123456,-5" of a spreadsheet. A hyphen behind a space only stands between number and size. */
const BELOW_ZERO = /[,;|\t]([-\u2212]\d{1,4}(?:\.\d+)? ?(?:[gm]b?|gigs?)?)\s*$/i

function words(...lists: string[]): RegExp {
  return notAfter(/[\p{L}\p{N}].$/su, new RegExp(String.raw`(?:${lists.join('|')})(?!\p{L})`, 'iu'))
}

/** A question about the first word or sign that may make the line mean something else. */
function doubtIn(plain: string): string | null {
  const said = plain
    .replace(MONEY, ' ')
    .replace(/[+](?=[\d(])/g, ' ')
    .replace(ASKED_FOR, ' ')
  const [word] = CALLED_OFF.exec(said) ?? MORE_SAID.exec(said) ?? DONE.exec(said) ?? SIGNS.exec(said) ?? DOT_BEFORE.exec(said) ?? []
  return word === undefined ? null : `This line says “${word.trim()}”. Is it an order?`
}

const BEFORE_SIZE = toSet(`
  please pls plz plss kindly send give put load buy top up data bundle bundles package need want get gb size with
`)
/** What people write beside a number and a size, whom they call before a name, and the names that most people here have. */
const SAID = toSet(`
  please pls plz plss pliz kindly send give put load buy top up to for on in at this that is number no nr tel phone mobile cell momo
  whatsapp contact my his her our their the a an of with data bundle bundles package gb gig gigs mb mtn network sim hello hi hey good
  morning afternoon evening day regards need want order me now urgent asap only name receiver recipient beneficiary abeg chale wai new
  thanks do sharp fast quick wo kyɛw kyew mepa mepaakyɛw medaase meda ase am
`)
const TITLES = toSet(`
  customer client staff student sis sister bro brother mum mom mummy mother dad daddy father wife husband son daughter uncle auntie
  aunty aunt friend boss madam madame sir mr mrs miss ms dr rev pastor pa
`)
const NAMES = toSet(`
  nana kwadwo kojo kodjo kwabena kobina kobby kwaku kweku yaw yao ekow kofi fiifi kwame kwamena ato kwasi kwesi akwasi adwoa adjoa
  adwoah abena abenaa akua ekua akuba yaa aba afia efua afua ama esi akosua adom maame mama papa mensah owusu boateng osei asante appiah
  agyei adjei addo amoah ansah arthur asare badu boakye bonsu danso darko frimpong gyamfi kumi ofori opoku oppong quaye sarpong tetteh
  yeboah amponsah acheampong antwi john james peter paul mary grace joyce comfort mercy patience gifty emmanuel emma samuel sam daniel
  david joseph michael isaac abraham stephen george charles richard robert francis philip elizabeth sarah esther rebecca ruth linda vida
  rita felicia janet bernice priscilla prince princess bright ernest felix eric frank fred alex ben benjamin ibrahim mohammed fatima
  amina abdul issah alhassan
`)

function unknownIn(rest: readonly string[]): string {
  return rest.filter((part) => /^\p{Ll}/u.test(part) && !isKnownWord(part)).join(' ')
}

export function isKnownWord(word: string): boolean {
  return [SAID, TITLES, NAMES].some((words) => words.has(bareWord(word)))
}

function bareWord(word: string): string {
  return word.toLowerCase().replace(/\P{L}+$/u, '')
}
