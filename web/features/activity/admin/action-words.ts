import type { AdminAction } from '../../../../shared/admin-actions.ts'
import { formatDateTime } from '../../../../shared/dates.ts'
import { formatCedis } from '../../../../shared/money.ts'
import { DELIVERY_STATUSES } from '../../../../shared/suppliers.ts'
import { standingWord } from '../../supplier/admin/supplier-words.ts'

const ACTIONS: Record<string, string> = {
  'order.completed': 'Processed order',
  'order.rejected': 'Rejected order',
  'checkers.imported': 'Imported checkers',
  'checkers.taken-back': 'Took an import of checkers back',
  'checkers.voided': 'Voided a checker in stock',
  'checkers.kind': 'Changed a kind of checkers',
  'checkers.package': 'Changed what a checker package is sold from',
  'checkers.revealed': 'Looked at the PIN of an order',
  'checkers.sent': 'Sent a checker again',
  'checkers.replaced': 'Replaced a faulty checker',
  'report.delivered': 'Ended a report: delivered',
  'report.resent': 'Sent a reported order again',
  'report.refunded': 'Refunded a reported order',
  'recharge.approve': 'Approved recharge',
  'recharge.decline': 'Declined recharge',
  'recharge.reopen': 'Reopened recharge',
  'payment.read': 'Read mobile-money payments',
  'payment.credit': 'Credited a mobile-money payment',
  'payment.take-back': 'Took back a mobile-money payment',
  'payment.not-this-request': 'Said that a payment is not for a request',
  'payment.keep': 'Kept a payment for later',
  'payment.dismiss': 'Dismissed a payment',
  'payment.bring-back': 'Brought a payment back',
  'forwarder.add': 'Added a phone that forwards payments',
  'forwarder.rotate': 'Made a new key for a phone',
  'forwarder.end': 'Removed a phone that forwards payments',
  'forwarder.balance': 'Confirmed a mobile-money balance',
  'message-format.change': 'Changed how a payment message reads',
  'message-format.read-again': 'Had unread payment messages read again',
  'forwarder.rules': 'Changed what is credited by itself',
  'whatsapp.change': 'Changed how WhatsApp is used',
  'whatsapp.test': 'Sent a test message by WhatsApp',
  'agent-shop.limit': 'Limited an agent’s shop',
  'agent-shop.rules': 'Changed the rules for agents’ shops',
  'withdrawal.approve': 'Let a withdrawal go out',
  'refund.send-again': 'Sent a guest’s refund again',
  'refund.code': 'Turned a guest’s refund into a code',
  'refund.pay-by-hand': 'Paid a guest’s refund by hand',
  'refund.send-code': 'Sent a guest the code of a refund',
  'withdrawal.pay-by-hand': 'Paid a withdrawal by hand',
  'withdrawal.decline': 'Declined a withdrawal',
  'withdrawal.rules': 'Changed the rules for withdrawals',
  'wallet.credit': 'Credited wallet',
  'wallet.debit': 'Debited wallet',
  'wallet.credit-undone': 'Undid a credit',
  'wallet.proposed': 'Asked for a second person',
  'wallet.declined': 'Declined a proposal',
  'staff.roles': 'Changed roles',
  'staff.rules': 'Changed the rules for money',
  'staff.code-on': 'Switched the code on',
  'staff.code-off': 'Switched the code off',
  'staff.code-reset': 'Switched off a code after a lost phone',
  'staff.recovery-codes': 'Made new recovery codes',
  'staff.recovery-code': 'Signed in with a recovery code',
  'customer.note': 'Noted about a customer',
  'customer.note-deleted': 'Deleted a note',
  'customer.session-ended': 'Signed a customer out of one phone',
  'customer.sessions-ended': 'Signed a customer out everywhere',
  'user.level': 'Changed level',
  'user.status': 'Changed status',
  'prices.publish': 'Published prices',
  'prices.schedule': 'Scheduled prices',
  'prices.cancel': 'Cancelled scheduled prices',
  'prices.refuse': 'Did not publish scheduled prices',
  'prices.undo': 'Undid new prices',
  'product.create': 'Added product',
  'product.update': 'Updated product',
  'product.status': 'Changed product status',
  'product.delete': 'Deleted product',
  'day.close': 'Signed a day off',
  'day.correct': 'Corrected a close',
  'costs.change': 'Changed cost prices',
  'costs.record': 'Recorded what orders cost',
  'notice.text': 'Changed the notice',
  'notice.momo-details': 'Changed the payment details',
  'shop.profile': 'Changed the shop’s details',
  'shop.logo': 'Changed the logo',
  'shop.payment-numbers': 'Changed the payment numbers',
  'shop.setup': 'Put the first steps away or back',
  'channel.change': 'Changed who can buy by USSD or chat',
  'ussd.change': 'Changed how the USSD gateway reaches the shop',
  'ussd.address': 'Made a new address for the USSD gateway',
  'settings.change': 'Changed the settings',
  'supplier.retry': 'Tried a supplier now',
  'supplier.release': 'Took orders back from a supplier',
  'supplier.balance': 'Entered a balance',
  'supplier.order': 'Changed which suppliers get orders',
  'supplier.settings': 'Changed the supplier settings',
  'job.retry': 'Tried a job again',
  'job.dismiss': 'Dismissed a job',
  'payment.release': 'Released orders on hold',
  'purchases.resume': 'Resumed purchases',
}

const MONEY = /^(balance|amount|price|total)/i
const LONGEST = 60
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** An action in words: "user.level" is "Changed level". An unknown action is still readable. */
export function actionName(action: string): string {
  const known = ACTIONS[action]
  if (known) return known
  const words = action.replaceAll(/[._-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export type Change = { name: string; before: string | null; after: string | null }

/**
 * The differences between before and after, each value as text, null where there was none. A fact that is only in `before`
 * was not removed: it was true at that moment, like an order's state at its supplier.
 */
export function changesOf({ before, after }: Pick<AdminAction, 'before' | 'after'>): Change[] {
  const [was, is] = [flat(before), flat(after)]
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name) =>
      is.has(name)
        ? { name: nameOf(name), before: textOf(name, was.get(name)), after: textOf(name, is.get(name)) }
        : { name: nameOf(name), before: null, after: textOf(name, was.get(name)) },
    )
    .filter((change) => change.before !== change.after)
}

/** Facts by name; grouped facts, like the routes of networks, get one name each. */
function flat(facts: Record<string, unknown> | null): Map<string, unknown> {
  const entries = Object.entries(facts ?? {}).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [[name, value] as const],
  )
  return new Map(entries)
}

const NAMES: Record<string, string> = { supplierStatus: 'At the supplier' }

function nameOf(key: string): string {
  if (NAMES[key]) return NAMES[key]
  if (!/^[a-z]/.test(key)) return key
  const words = key.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function textOf(name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number') return MONEY.test(name) ? `¢${formatCedis(value)}` : String(value)
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return `${value.length} in all`
  const text = typeof value === 'string' ? wordsOf(name, value) : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}

function wordsOf(name: string, value: string): string {
  const standing = name === 'supplierStatus' && DELIVERY_STATUSES.find((status) => status === value)
  if (standing) return standingWord(standing)
  return MOMENT.test(value) ? formatDateTime(new Date(value)) : value
}
