import type { DaySheet, SignedClose } from '../../../../../shared/day-close.ts'
import { counted } from '../../../../lib/admin/words.ts'

type WalletLine = DaySheet['wallets']['lines'][number]
type EarnedLine = DaySheet['earned']['lines'][number]

/** What a line of the wallets is called, and how many things it sums. */
export function walletWords({ what, count }: WalletLine): [name: string, detail: string] {
  switch (what) {
    case 'mobile-money':
      return ['Mobile money', counted(count, 'top-up')]
    case 'card':
      return ['Card', counted(count, 'payment')]
    case 'credit':
      return ['Manual credit', count > 0 ? String(count) : '']
    case 'sales':
      return ['Paid for orders', counted(count, 'order')]
    case 'refunds':
      return ['Refunds', `${counted(count, 'order')} rejected`]
    case 'debit':
      return ['Manual debit', count > 0 ? String(count) : '']
    case 'taken-back':
      return ['Taken back by card payers', count > 0 ? String(count) : '']
    case 'rewards':
      return ['Rewards for invited customers', count > 0 ? String(count) : '']
    case 'other':
      return ['Other', '']
  }
}

export function earnedWords({ what, count }: EarnedLine): [name: string, detail: string] {
  switch (what) {
    // What closes of before call it.
    case 'sales':
    case 'delivered':
      return ['Delivered', counted(count, 'order')]
    case 'uncosted':
      return ['No cost yet', counted(count, 'order')]
    case 'cost':
      return ['Cost of sales', '']
    case 'late-costs':
      return ['Earlier orders, cost now known', counted(count, 'order')]
    case 'refunded':
      return ['Refunded after delivery', counted(count, 'order')]
    case 'surcharges':
      return ['Card surcharge', '']
    case 'upgrade-fees':
      return ['Agent upgrades', '']
    case 'provider-fees':
      return ['Card provider fees', '']
    case 'dispute-losses':
      return ['Lost to disputes', '']
    case 'withdrawal-fees':
      return ['Fees of withdrawals', '']
    case 'referral-rewards':
      return ['Rewards for invited customers', '']
    case 'checker-losses':
      return ['Faulty checkers replaced or voided', '']
  }
}

/** A field holds minutes: one that a known time is in means that time, to the millisecond. Undefined for what is no time. */
export function exactTime(typed: string, known: readonly string[]): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(typed)) return undefined
  return known.find((iso) => iso.startsWith(typed)) ?? `${typed}:00.000Z`
}

/** Whether nothing has moved in a range: neither in the wallets nor in what was earned. */
export function isQuiet({ wallets, earned }: DaySheet): boolean {
  return [...wallets.lines, ...earned.lines].every(({ count, amount }) => count === 0 && amount === 0)
}

/** The close that ended where this range begins, if it is of the same day. */
export function closeOfSameDay(sheet: DaySheet, closes: readonly SignedClose[]): SignedClose | null {
  const last = closes.find(({ until }) => until === sheet.from)
  const isSame = last && dayName(last) === dayName(sheet) && Date.parse(sheet.until) - Date.parse(last.until) < 2 * HALF_DAY_MS
  return isSame ? last : null
}

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' })
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
const HALF_DAY_MS = 12 * 3_600_000

/** The day that a range is called by: that of its end, or the day before when it ends in the night. */
export function dayName({ from, until }: { from: string; until: string }): string {
  const end = Date.parse(until)
  const hour = new Date(end).getUTCHours()
  return weekday.format(new Date(hour < 4 ? Math.max(Date.parse(from), end - HALF_DAY_MS) : end))
}

/** "7:40am", in Ghana's time, which is UTC all year. */
export function clockTime(iso: string): string {
  const at = new Date(iso)
  const hour = at.getUTCHours()
  return `${hour % 12 || 12}:${String(at.getUTCMinutes()).padStart(2, '0')}${hour < 12 ? 'am' : 'pm'}`
}

/** "21 November, 7:40am to 8:41pm"; over more than a day both dates. */
export function rangeWords({ from, until }: { from: string; until: string }): string {
  const [first, last] = [dayAndMonth.format(new Date(from)), dayAndMonth.format(new Date(until))]
  if (first === last) return `${first}, ${clockTime(from)} to ${clockTime(until)}`
  return `${first}, ${clockTime(from)} to ${last}, ${clockTime(until)}`
}
