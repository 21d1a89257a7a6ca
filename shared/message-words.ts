import { notAfter } from './not-after.ts'

/** What stands between the words of a form: money, a number or an id is whole; the rest is as short or as long as the words after it allow. */
const PLACEHOLDERS = ['amount', 'balance', 'fee', 'tax', 'payer', 'agent', 'phone', 'reference', 'id', 'any'] as const
type Placeholder = (typeof PLACEHOLDERS)[number]

/** The words of a form, cut at its placeholders. Words are in small letters and have no spaces. */
export type Words = readonly ({ words: string } | { placeholder: Placeholder })[]
/** What stood in the placeholders of a message. `inTwoWays` when the same words fit it with another amount, id, number or balance. */
export type Fit = { groups: { [Name in Placeholder]?: string }; inTwoWays: boolean }

const MOST_PLACEHOLDERS = 12
const FEWEST_LETTERS_FIRST = 3

/**
 * Reads "You got {amount} from {payer}. ID: {id}". Returns a sentence for who wrote it when it cannot be used. There is no way to write
 * an expression, so none can take forever.
 */
export function readWords(text: string, { isCredit }: { isCredit: boolean }): Words | string {
  const parts = text.normalize('NFKC').split(/\{(\w*)\}/)
  const names = parts.filter((_, index) => index % 2 === 1)
  const unknown = names.find((name) => !isPlaceholder(name))
  if (unknown !== undefined) return `{${unknown}} is none of ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}.`
  const named = names.filter((name) => name !== 'any')
  const twice = named.find((name, index) => named.indexOf(name) !== index)
  if (twice !== undefined) return `{${twice}} may stand there once.`
  if (names.length > MOST_PLACEHOLDERS) return `Use at most ${MOST_PLACEHOLDERS} placeholders.`
  if (isCredit && !(named.includes('amount') && named.includes('id'))) return 'Money that came in needs {amount} and {id}.'
  const words = parts.flatMap((part, index): Words => {
    if (isPlaceholder(part) && index % 2 === 1) return [{ placeholder: part }]
    const plain = plainOf(part)
    return plain === '' ? [] : [{ words: plain }]
  })
  const [first] = words
  if (!first || !('words' in first) || (first.words.match(/\p{L}/gu)?.length ?? 0) < FEWEST_LETTERS_FIRST) {
    return 'Begin with words of the network’s, at least three letters.'
  }
  const stuck = words.findIndex((one, index) => 'placeholder' in one && 'placeholder' in (words[index + 1] ?? {}))
  return stuck === -1 ? words : 'Between two placeholders there must be a word or a sign, such as a dot.'
}

function isPlaceholder(name: string): name is Placeholder {
  return (PLACEHOLDERS as readonly string[]).includes(name)
}

const plainOf = (text: string) => text.toLowerCase().replace(/\s+/g, '')

const MONEY = /(?:GHS|GH¢|GH₵|¢|₵)?\s?\d[\d,]*(?:\.\d{1,2})?(?!\d|[.,]\d)/iy
const WHOLE: Partial<Record<Placeholder, RegExp>> = {
  amount: MONEY,
  balance: MONEY,
  fee: MONEY,
  tax: MONEY,
  phone: /\+?\d{9,12}(?!\d)/y,
  id: notAfter(/[A-Z0-9].$/is, /(?=[A-Z.-]*\d)[A-Z0-9](?:[A-Z0-9.-]{2,28}[A-Z0-9])(?![A-Z0-9])/iy),
}

/**
 * What a message has in the placeholders, or null when the words do not fit how it begins; what comes after them is not looked at. Takes
 * at most parts × characters² steps, whatever the message says: no place is tried twice for the same part.
 */
export function fitWords(words: Words, text: string): Fit | null {
  const short = walk(words, text, false)
  if (short === null) return null
  const long = walk(words, text, true) ?? short
  const tells = ['amount', 'id', 'phone', 'balance'] as const
  const inTwoWays = tells.some((name) => short[name] !== long[name])
  // What the payer types stands before the network's id, so of two the last one is the network's.
  return { groups: inTwoWays ? { ...short, ...pick(long, ['id', 'reference']) } : short, inTwoWays }
}

function pick(groups: Fit['groups'], names: readonly Placeholder[]): Fit['groups'] {
  return Object.fromEntries(names.flatMap((name) => (groups[name] === undefined ? [] : [[name, groups[name]]])))
}

function walk(words: Words, text: string, longest: boolean): Fit['groups'] | null {
  const failed = new Set<number>()
  const groups: Fit['groups'] = {}
  const go = (part: number, from: number): boolean => {
    const one = words[part]
    if (one === undefined) return true
    const place = part * (text.length + 1) + from
    if (failed.has(place)) return false
    if ('words' in one) {
      const end = endOfWords(one.words, text, from)
      if (end !== null && go(part + 1, end)) return true
    } else {
      for (const [begins, end] of placesOf(one.placeholder, text, from, { longest, isLast: part === words.length - 1 })) {
        if (!go(part + 1, end)) continue
        if (one.placeholder !== 'any') groups[one.placeholder] = text.slice(begins, end).trim()
        return true
      }
    }
    failed.add(place)
    return false
  }
  return go(0, 0) ? groups : null
}

/** Where these words end, if they begin here; spaces and capitals don't count. */
function endOfWords(words: string, text: string, from: number): number | null {
  let at = from
  for (const letter of words) {
    while (isSpace(text[at])) at++
    const there = text.slice(at, at + letter.length)
    if (there.toLowerCase() !== letter) return null
    at += letter.length
  }
  return at
}

function isSpace(letter: string | undefined): boolean {
  return letter === ' ' || letter === '\n'
}

type Wanted = { longest: boolean; isLast: boolean }

function* placesOf(placeholder: Placeholder, text: string, from: number, { longest, isLast }: Wanted): Generator<[number, number]> {
  const whole = WHOLE[placeholder]
  if (whole) {
    let begins = from
    while (isSpace(text[begins])) begins++
    whole.lastIndex = begins
    const match = whole.exec(text)
    if (match) yield [begins, begins + match[0].length]
    return
  }
  const isName = placeholder === 'payer' || placeholder === 'agent'
  let most = text.length
  if (isName || isLast) {
    const line = text.indexOf('\n', from)
    if (line !== -1) most = Math.min(most, line)
  }
  if (isLast) {
    yield [from, most]
    return
  }
  const fewest = from + (isName ? 1 : 0)
  for (let end = longest ? most : fewest; longest ? end >= fewest : end <= most; end += longest ? -1 : 1) yield [from, end]
}
