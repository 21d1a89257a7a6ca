import type { AfterAll, SupplierStanding } from '../../../../../shared/floats.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import { counted } from '../../../../lib/admin/words.ts'

/** "1st", "2nd", "3rd", "4th": no shop has more suppliers than that. */
export function ordinal(place: number): string {
  return `${place}${['th', 'st', 'nd', 'rd'][place] ?? 'th'}`
}

/** "98% of 214 orders delivered this week, half within 4 minutes". */
export function doneWords({
  delivered,
  refused,
  medianMinutes,
}: Pick<SupplierStanding, 'delivered' | 'refused' | 'medianMinutes'>): string {
  const orders = delivered + refused
  const speed = medianMinutes === null ? '' : `half within ${counted(Math.max(1, medianMinutes), 'minute')}`
  if (orders === 0) return speed === '' ? 'No orders in the last 7 days' : `No orders in the last 7 days; before that, ${speed}`
  // Rounded down: 100% is all of them.
  const percent = Math.floor((100 * delivered) / orders)
  return [`${percent}% of ${counted(orders, 'order')} delivered in the last 7 days`, speed].filter(Boolean).join(', ')
}

/** Where the cost of a package is missing or above what agents pay, its orders do not go on there; `waits`: they do not go there at all. */
export function costWords(
  { withCost, aboveAgentPrice }: Pick<SupplierStanding, 'withCost' | 'aboveAgentPrice'>,
  packages: number,
  { waits = false } = {},
): { text: string; isWarning: boolean } {
  const missing = packages - withCost
  const parts = [
    missing > 0 && `cost not set for ${missing} of ${counted(packages, 'package')}`,
    aboveAgentPrice > 0 && `${counted(aboveAgentPrice, 'package')} above what agents pay`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return { text: 'Cost set for all packages', isWarning: false }
  const text = parts.join(', ')
  const said = text.charAt(0).toUpperCase() + text.slice(1)
  return { text: waits ? `${said}: those wait for you` : said, isWarning: true }
}

/** What came of an order that a supplier delivered although it had ended another way. */
export function afterAllWords({ supplier, deliveredBy }: Pick<AfterAll, 'supplier' | 'deliveredBy'>): string {
  const name = supplierName(supplier)
  if (deliveredBy === null) return `${name} delivered it, though the buyer has the money back.`
  return `${name} delivered it too: it had been delivered ${deliveredBy === 'by-hand' ? 'by hand' : `by ${supplierName(deliveredBy)}`}.`
}
