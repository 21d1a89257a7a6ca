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
  const parts = line
    .slice(0, MOST_CHARACTERS)
    .replace(/["'\u00a0]/g, ' ')
    .split(/[\s,;|/:=]+/)
    .filter((part) => part !== '' && part !== '-' && part !== '.')
  const number = findNumber(parts)
  const rest = number ? parts.toSpliced(number.from, number.count) : [...parts]
  const saidNetwork = takeNetwork(rest)
  const likely = number ? null : takeLikelyNumber(rest)
  const volumeMb = takeVolume(rest)
  return {
    receiver: number?.digits ?? null,
    name: rest.filter((part) => /\p{L}/u.test(part)).join(' '),
    saidNetwork,
    volumeMb,
    problem: number ? null : (likely?.problem ?? 'There is no phone number on this line.'),
    meant: likely?.meant ?? null,
  }
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

/** The last size on the line, since a list may number its lines first. */
function takeVolume(rest: string[]): number | null {
  for (let at = rest.length - 1; at >= 0; at--) {
    const [, amount, ownUnit] = SIZE.exec(rest[at] ?? '') ?? []
    if (amount === undefined) continue
    const next = rest[at + 1] ?? ''
    const unit = ownUnit ?? (UNIT.test(next) ? next : 'gb')
    rest.splice(at, ownUnit === undefined && UNIT.test(next) ? 2 : 1)
    const volumeMb = Number(amount) * (/^m/i.test(unit) ? 1 : 1000)
    return volumeMb > 0 && Number.isInteger(volumeMb) ? volumeMb : null
  }
  return null
}
