import { spacedPhone } from '../../../../../shared/phones.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import type { SettingPath, SettingValues } from './settings-draft.ts'

const NAMES: Record<Exclude<SettingPath, `routes.${string}`>, string> = {
  completeDelivered: 'Complete delivered orders',
  rejectRefused: 'Reject and refund what was refused',
  operatorSms: 'Message for each order',
  operatorCheckerSms: 'Also for checkers from the stock',
  operatorPhone: 'Number for these messages',
  smsDigest: 'One message for many orders',
  smsDigestAbove: 'Single messages per minute',
  buyerSms: 'Message when an order is done',
  smsDailyCap: 'Daily message limit',
  topUpMinimum: 'Least top-up',
  topUpMaximum: 'Most in one top-up',
  topUpDaily: 'Daily limit per customer',
  topUpHoldHours: 'Hold for new payers',
  refundsToSource: 'Refunds back to cards and phones',
  marginLinePercent: 'Margin line',
}

/** What the form calls a setting. */
export function settingName(path: SettingPath): string {
  return path.startsWith('routes.') ? path.slice('routes.'.length) : NAMES[path as keyof typeof NAMES]
}

/** One value of a setting in words. */
export function settingValue(path: SettingPath, value: string | boolean): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (path.startsWith('routes.')) return routeName(value)
  if (path === 'operatorPhone') return value === '' ? 'The shop’s own' : spacedPhone(value)
  if (path === 'topUpHoldHours') return `${value} hours`
  if (path === 'marginLinePercent') return `${value} %`
  return path.startsWith('topUp') ? `¢${value}` : value
}

/** Who delivers a network's orders. */
export function routeName(route: string): string {
  return route === 'by-hand' ? 'By hand' : supplierName(route)
}

/** The consequence of a change, shown in the confirmation; null when it needs none. */
function consequenceOf(path: SettingPath, value: string | boolean): string | null {
  if (path.startsWith('routes.')) {
    const network = settingName(path)
    if (value === 'by-hand') return `New ${network} orders wait for you to process them by hand.`
    return `New ${network} orders go to ${supplierName(String(value))} at once and are paid from the shop’s balance there.`
  }
  switch (path) {
    case 'completeDelivered':
      return value
        ? 'An order is completed as soon as its supplier has delivered it, without anybody checking.'
        : 'Delivered orders wait for you.'
    case 'rejectRefused':
      return value
        ? 'An order that its supplier refuses or cannot deliver is rejected, and its price goes back to the buyer’s wallet, without anybody checking.'
        : 'Orders that a supplier refuses or cannot deliver wait for you.'
    case 'buyerSms':
      return value ? 'Buyers get a message when their order is done. The shop pays for it.' : null
    case 'smsDailyCap':
      return Number(value) === 0 ? 'No more messages go out, to you or to buyers.' : null
    case 'topUpDaily':
      return Number(value) === 0 ? 'Nobody can top up by mobile money or card at once; they can still press Request.' : null
    default:
      return null
  }
}

/** True when a route changes: the confirmation then says what happens to existing orders. */
function changesRoutes(paths: readonly SettingPath[]): boolean {
  return paths.some((path) => path.startsWith('routes.'))
}

/** What follows from all of the changes together. */
export function consequencesOf(paths: readonly SettingPath[], values: SettingValues): string[] {
  const each = paths.flatMap((path) => consequenceOf(path, values[path]) ?? [])
  return changesRoutes(paths) ? [...each, 'Earlier orders stay where they are.'] : each
}
