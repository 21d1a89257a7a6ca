import type { Airtime, AirtimeOperator } from '../../../shared/airtime.ts'
import type { Network } from '../../../shared/networks.ts'
import { pesewasIn } from '../../../shared/readers/read-amount.ts'
import type { SupplierName } from '../../../shared/suppliers.ts'

/**
 * What to deliver: data of `volumeMb`, or airtime. `reference` is ours, 6 to 25 letters and digits, and never changes; `receiver` has ten
 * digits.
 */
export type DeliveryOrder = { reference: string; network: Network; receiver: string; volumeMb: number | null; airtime?: Airtime | null }

/**
 * Why a supplier did not take an order. `refused` concerns the order itself, `not-sold` its bundle; `duplicate`: it knows the reference
 * already; `too-soon`: it has just served that number and takes the order in a few minutes; the others concern our account, and the order can
 * be sent again later.
 */
export type RefusalCause = 'refused' | 'not-sold' | 'duplicate' | 'too-soon' | 'no-money' | 'too-often' | 'not-allowed'

/** What a refusal's HTTP status says by itself, at the suppliers that use it so. */
export const CAUSE_OF_STATUS: Record<number, RefusalCause> = {
  401: 'not-allowed',
  402: 'no-money',
  403: 'not-allowed',
  409: 'duplicate',
  429: 'too-often',
}

/**
 * The outcome of sending an order. `accepted` does not mean delivered; `costPesewas` is what the supplier took for it, where it says.
 * `unknown`: the supplier may have it, unless `neverSent`.
 */
export type SendOutcome =
  | { outcome: 'accepted'; supplierReference: string | null; detail: string; costPesewas?: number | null }
  | { outcome: 'rejected'; cause: RefusalCause; detail: string }
  | { outcome: 'unknown'; neverSent: boolean; detail: string }

/**
 * What a supplier reports about an order; `unknown` when it gave no clear answer. `verifying`: the network checks the receiver's number
 * first, which it does for numbers that never had such data and which takes days.
 */
export type StatusOutcome =
  | { outcome: 'pending'; detail: string; verifying?: boolean }
  | { outcome: 'delivered' | 'failed' | 'not-found' | 'unknown'; detail: string }

/** Suppliers' words for an order whose number MTN verifies first, with blanks and hyphens as underscores. */
const VERIFYING = [
  'exported',
  'extracted',
  'submitted_for_verification',
  'awaiting_verification',
  'verification_pending',
  'verifying',
  'unverified',
]

/** Whether a supplier's word for an order's state means that the network verifies the number first. */
export function isVerifying(word: string): boolean {
  return VERIFYING.includes(
    word
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  )
}

export type BalanceOutcome = { outcome: 'known'; pesewas: number } | { outcome: 'unknown'; detail: string }

/** The interface to a supplier of data or airtime. Its methods never throw for what the supplier does. */
export type DataSupplier = {
  name: SupplierName
  networks: readonly Network[]
  /** Whose airtime it sends, if `networks` names airtime. */
  operators?: readonly AirtimeOperator[]
  /** The most calls to one endpoint per minute. */
  callsPerMinute: number
  /** True when "not found" for our own reference proves that the supplier does not have the order. */
  canProveAbsence: boolean
  send(order: DeliveryOrder): Promise<SendOutcome>
  queryStatus(order: { reference: string; supplierReference: string | null }): Promise<StatusOutcome>
  balance(): Promise<BalanceOutcome>
  /** The reference in an unsigned webhook event, or null. Nothing else in it is trusted. */
  readWebhook(body: unknown): string | null
}

/** Whether a supplier carries what an order is about: its network, and of airtime the operator's. */
export function carries(
  { networks, operators = [] }: Pick<DataSupplier, 'networks' | 'operators'>,
  { network, airtime }: Pick<DeliveryOrder, 'network' | 'airtime'>,
): boolean {
  return networks.includes(network) && (network !== 'Airtime' || (airtime != null && operators.includes(airtime.operator)))
}

/** How one supplier spells our terms. */
export type SupplierDialect = {
  networks: Partial<Record<Network, string>>
  volume(volumeMb: number): string | number
  phone(receiver: string): string
}

/** A field of a reply as text, whatever its JSON type; empty for objects and null. */
export function wordOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** Cedis that a supplier names, as a number or in text, in pesewas, rounded to whole ones; null for what is not wholly an amount. */
export function pesewasOf(value: unknown): number | null {
  const word = wordOf(value)
  return /^-?\d+(?:\.\d+)?$/.test(word) ? Math.round(Number(word) * 100) : pesewasIn(word, { negative: true, decimalSign: '.' })
}

/** The readable part of a reply, at most 200 characters. */
export function sentenceOf(...values: unknown[]): string {
  const found = values.map(wordOf).find((word) => word !== '' && !/^\d+$/.test(word))
  return (found ?? '').replace(/\s+/g, ' ').slice(0, 200)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
