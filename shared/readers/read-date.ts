import { asDoubtful, asRead, NOTHING, plainText, type Reading } from './reading.ts'

/** A time in Ghana, which is UTC; `hasTime` is false for a day alone, which is then its midnight. */
export type When = { at: Date; hasTime: boolean }
/** `order`: day or month first, as the whole column has it. `clock`: 12 where its times need AM or PM. */
export type DateHint = { order?: 'dmy' | 'mdy' | undefined; clock?: 12 | 24 | undefined }

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const TIME = String.raw`(?:,? (?:at )?|T)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?: ?([ap])\.?m\.?)?(Z| ?(?:UTC|GMT)| ?[+-]00(?::?00)?)?`
const whole = (day: string) =>
  new RegExp(`^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?${day}(?:${TIME})?$`, 'i')
const ISO = whole(String.raw`(\d{4})([-/.])(\d\d)\2(\d\d)`)
const NUMERIC = whole(String.raw`(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d\d)`)
const DAY_NAMED = whole(String.raw`(\d{1,2})(?:st|nd|rd|th)?[-/., ]{0,2}(?:of )?${MONTH}\.?[-/., ]{1,2}(\d{4}|\d\d)`)
const MONTH_NAMED = whole(String.raw`${MONTH}\.?[- ](\d{1,2})(?:st|nd|rd|th)?[-, ]{1,2}(\d{4}|\d\d)`)

/**
 * A day, perhaps with a time: "27/11/2026 04:52", "27-Nov-2026 12:15 AM", "2026-11-27T04:52:00Z". Where day and month may be either and no
 * hint says which, it is doubtful. A day or a time that does not exist is doubtful.
 */
export function readDate(text: string, { order, clock }: DateHint = {}): Reading<When> {
  // "27/11/26 3pm", "3.05pm" and "3:05 pm 27/11/26" are written like "27/11/26 3:05 pm".
  const plain = plainText(text)
    .replace(/^(\d{1,2}(?:[:.]\d\d)?(?::\d\d)?(?: ?[ap]\.?m\.?)),? (.+)$/i, '$2 $1')
    .replace(/ (\d{1,2})(?:\.(\d\d))?( ?[ap]\.?m\.?)$/i, (_time, hour, minute = '00', half) => ` ${hour}:${minute}${half}`)
  if (plain === '') return NOTHING
  const iso = ISO.exec(plain)
  const numeric = NUMERIC.exec(plain)
  const named = DAY_NAMED.exec(plain)
  const american = MONTH_NAMED.exec(plain)
  const [days, time] = iso
    ? [[dayOf(iso[1], iso[3], iso[4])], iso.slice(5)]
    : named
      ? [[dayOf(named[3], monthOf(named[2]), named[1])], named.slice(4)]
      : american
        ? [[dayOf(american[3], monthOf(american[1]), american[2])], american.slice(4)]
        : numeric
          ? [numericDays(numeric, order), numeric.slice(5)]
          : [[], []]
  if (!iso && !named && !american && !numeric) return asDoubtful(text, 'That is not a date, like 27/11/2026 16:30.')
  const found = [...new Set(days.filter((day) => day !== null))]
  if (found.length === 0) return asDoubtful(text, 'There is no such day.')
  if (order === undefined && found.every((day) => day > Date.UTC(new Date().getUTCFullYear() + 2, 0)))
    return asDoubtful(text, 'Which year is that?')
  const seconds = secondsOf(time, clock)
  if (seconds.length === 0) return asDoubtful(text, 'There is no such time.')
  const all = found.flatMap((day) => seconds.map((second) => ({ at: new Date(day + second * 1000), hasTime: time[0] !== undefined })))
  const [only] = all
  if (only && all.length === 1) return asRead(only)
  return asDoubtful(text, found.length > 1 ? 'Which is the day, and which is the month?' : 'Is that before or after noon?', all)
}

const DAY_MS = 86_400_000

/** Whether a payment can't be of this time: still to come, but for a day that clocks may differ by, or more than a year ago. */
export function isUnlikelyTime(at: Date, now: Date): boolean {
  return at.getTime() > now.getTime() + DAY_MS || at.getTime() < now.getTime() - 367 * DAY_MS
}

/** Both orders where either may be; a hint takes one, whether or not that is a day. */
function numericDays([, one, , other, year]: RegExpExecArray, order: DateHint['order']): (number | null)[] {
  const [dayFirst, monthFirst] = [dayOf(year, other, one), dayOf(year, one, other)]
  return order === 'dmy' ? [dayFirst] : order === 'mdy' ? [monthFirst] : [dayFirst, monthFirst]
}

function monthOf(name = ''): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1)
}

/** Midnight in milliseconds; null for a day that does not exist. Years of two digits are of this century. */
function dayOf(year = '', month = '', day = ''): number | null {
  const [full, month0, date] = [year.length === 2 ? 2000 + Number(year) : Number(year), Number(month) - 1, Number(day)]
  const at = new Date(Date.UTC(full, month0, date))
  const exists = full >= 1900 && full < 2100 && at.getUTCMonth() === month0 && at.getUTCDate() === date
  return exists ? at.getTime() : null
}

/** The seconds after midnight: none for a time that does not exist, two where AM or PM is missing. */
function secondsOf([hours, minutes, seconds = '0', half]: readonly (string | undefined)[], clock: DateHint['clock']): number[] {
  if (hours === undefined) return [0]
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  if (hour > 23 || minute > 59 || second > 59) return []
  const at = (hourOfDay: number) => (hourOfDay * 60 + minute) * 60 + second
  if (half === undefined) return clock === 12 && hour >= 1 && hour <= 12 ? [at(hour % 12), at((hour % 12) + 12)] : [at(hour)]
  const isAfternoon = half.toLowerCase() === 'p'
  if (hour > 12) return isAfternoon ? [at(hour)] : []
  if (hour === 0) return isAfternoon ? [] : [at(0)]
  return [at((hour % 12) + (isAfternoon ? 12 : 0))]
}
