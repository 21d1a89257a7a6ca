import type { Network } from '../../../shared/networks.ts'
import type { SupplierName } from '../../../shared/suppliers.ts'

/** What is to be delivered. `reference` is ours, of 6 to 25 letters and digits, and the same for ever; `receiver` has ten digits. */
export type DeliveryOrder = { reference: string; network: Network; receiver: string; volumeMb: number }

/**
 * Why a supplier did not take an order. `refused` is about the order itself; `duplicate` says that it knows the
 * reference already; the others are about us, and the order can be sent again later.
 */
export type RefusalCause = 'refused' | 'duplicate' | 'no-money' | 'too-often' | 'not-allowed'

/** What came of sending an order. `accepted` is not yet delivered. `unknown`: it may have it, unless it was `neverSent`. */
export type SendOutcome =
  | { outcome: 'accepted'; supplierReference: string | null; detail: string }
  | { outcome: 'rejected'; cause: RefusalCause; detail: string }
  | { outcome: 'unknown'; neverSent: boolean; detail: string }

/** What a supplier says has become of an order. `unknown`: it did not say. */
export type AskOutcome = { outcome: 'delivered' | 'failed' | 'pending' | 'not-found' | 'unknown'; detail: string }

export type BalanceOutcome = { outcome: 'known'; pesewas: number } | { outcome: 'unknown'; detail: string }

/** A data supplier in our words. No method throws for what the supplier does. */
export type DataSupplier = {
  name: SupplierName
  networks: readonly Network[]
  /** The most calls to one endpoint in a minute. */
  callsPerMinute: number
  /** True when "not found" under our own reference proves that it has not got the order. */
  canProveAbsence: boolean
  send(order: DeliveryOrder): Promise<SendOutcome>
  ask(order: { reference: string; supplierReference: string | null }): Promise<AskOutcome>
  balance(): Promise<BalanceOutcome>
  /** The reference that an unsigned notice is about, or null. Nothing else in it is believed. */
  readNotice(body: unknown): string | null
}

/** How one supplier writes what we say in our own way. */
export type SupplierDialect = {
  networks: Partial<Record<Network, string>>
  volume(volumeMb: number): string | number
  phone(receiver: string): string
}

/** A word of a reply as text, however the supplier typed it; the empty text for anything else. */
export function wordOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** What a reply says for a person to read: at most 200 characters of its sentences. */
export function sentenceOf(...values: unknown[]): string {
  const found = values.map(wordOf).find((word) => word !== '' && !/^\d+$/.test(word))
  return (found ?? '').replace(/\s+/g, ' ').slice(0, 200)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
