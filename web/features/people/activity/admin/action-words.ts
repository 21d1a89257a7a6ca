import type { AdminAction } from '../../../../../shared/admin-actions.ts'
import { formatDateTime } from '../../../../../shared/dates.ts'
import { formatCedis } from '../../../../../shared/money.ts'
import { delivererName, isDeliverer } from '../../../../../shared/supplier-names.ts'
import { DELIVERY_STATUSES } from '../../../../../shared/suppliers.ts'
import { standingWord } from '../../../../lib/admin/supplier-words.ts'

const MONEY = /^(balance|amount|price|total|worth|cost)/i
const LONGEST = 60
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

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

const NAMES: Record<string, string> = { supplierStatus: 'At the supplier', alone: 'Without a second person' }

function nameOf(key: string): string {
  if (NAMES[key]) return NAMES[key]
  if (!/^[a-z]/.test(key)) return key
  const words = key.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function textOf(name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number') return MONEY.test(name) ? `¢${formatCedis(value)}` : String(value)
  if (typeof value === 'boolean' && name === 'alone') return value ? 'yes' : 'no'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return `${value.length} in all`
  const text = typeof value === 'string' ? wordsOf(name, value) : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}

function wordsOf(name: string, value: string): string {
  const standing = name === 'supplierStatus' && DELIVERY_STATUSES.find((status) => status === value)
  if (standing) return standingWord(standing)
  if (isDeliverer(value)) return delivererName(value)
  return MOMENT.test(value) ? formatDateTime(new Date(value)) : value
}
