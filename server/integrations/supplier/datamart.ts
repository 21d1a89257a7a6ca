import type { Network } from '../../../shared/networks.ts'
import { type Answer, fetchJson } from '../fetch-json.ts'
import {
  type BalanceOutcome,
  CAUSE_OF_STATUS,
  type DataSupplier,
  isObject,
  isVerifying,
  pesewasOf,
  type RefusalCause,
  type SendOutcome,
  type StatusOutcome,
  type SupplierDialect,
  sentenceOf,
  wordOf,
} from './data-supplier.ts'

export type DatamartSettings = { baseUrl: string; key: string; callsPerMinute: number; timeoutMs: number }

const MB_PER_GB = 1_000

const DIALECT: SupplierDialect = {
  networks: { MTN: 'YELLO', Telecel: 'TELECEL', AirtelTigo: 'AT_PREMIUM' },
  volume: (volumeMb) => String(volumeMb / MB_PER_GB),
  phone: (receiver) => receiver,
}

const NOT_SOLD =
  /out of stock|not in stock|not available|unavailable|(invalid|unsupported|unknown) (network|capacity)|no such (package|bundle)/i
const DELIVERED = ['completed', 'delivered', 'success', 'successful']
const FAILED = ['failed', 'refunded', 'cancelled', 'canceled', 'rejected']
const PENDING = ['pending', 'waiting', 'processing', 'queued']

/**
 * DataMart Ghana's Developer API, as described by its client libraries (base `https://api.datamartgh.shop/api/developer`, header
 * `X-API-Key`): numbers as 0…, volume in whole gigabytes as text, and a name of its own for each network. It knows an order by its own
 * reference alone, which is in its reply, and most describe no protection against repeats; so it cannot prove that it does not have one.
 */
export function createDatamart(settings: DatamartSettings): DataSupplier {
  const headers = { 'X-API-Key': settings.key }
  const { timeoutMs } = settings

  return {
    name: 'datamart',
    networks: Object.keys(DIALECT.networks) as Network[],
    callsPerMinute: settings.callsPerMinute,
    canProveAbsence: false,

    async send({ reference, network, receiver, volumeMb }) {
      const code = DIALECT.networks[network]
      if (code === undefined || volumeMb === null) return { outcome: 'rejected', cause: 'not-sold', detail: `${network} is not sold here` }
      if (volumeMb % MB_PER_GB !== 0) return { outcome: 'rejected', cause: 'not-sold', detail: 'only whole gigabytes are sold here' }
      const body = {
        phoneNumber: DIALECT.phone(receiver),
        network: code,
        capacity: DIALECT.volume(volumeMb),
        gateway: 'wallet',
        ref: reference,
      }
      return readSending(await fetchJson(`${settings.baseUrl}/purchase`, { method: 'POST', headers, timeoutMs, body }))
    },

    async queryStatus({ reference, supplierReference }) {
      const url = `${settings.baseUrl}/order-status/${encodeURIComponent(supplierReference ?? reference)}`
      return readStatus(await fetchJson(url, { headers, timeoutMs }))
    },

    async balance() {
      return readBalance(await fetchJson(`${settings.baseUrl}/balance`, { headers, timeoutMs }))
    },

    readWebhook(body) {
      if (!isObject(body)) return null
      const data = isObject(body.data) ? body.data : body
      return wordOf(data.ref) || null
    },
  }
}

function readSending(answer: Answer): SendOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', neverSent: answer.neverSent === true, detail: answer.reason }
  const { status, body } = answer
  const unclear: SendOutcome = { outcome: 'unknown', neverSent: false, detail: `an answer with status ${status} that makes no sense` }
  if (status >= 500 || status === 408 || !isObject(body)) return unclear
  const data = isObject(body.data) ? body.data : {}
  const detail = sentenceOf(body.message, body.details, body.error)
  const state = wordOf(body.status).toLowerCase()
  if (status >= 400 || ['false', 'error', 'failed', 'fail'].includes(state)) {
    return { outcome: 'rejected', cause: causeOf(status, detail), detail: detail || `refused with status ${status}` }
  }
  const supplierReference = wordOf(data.orderReference) || null
  // Charged, and of an order that it calls failed in the same breath nothing is certain until it is asked.
  if (status >= 300 || state !== 'success') return unclear
  return { outcome: 'accepted', supplierReference, detail: detail || 'accepted', costPesewas: costOf(data.price) }
}

/** What it took, in pesewas; it says so in cedis, as a number or in digits. */
function costOf(price: unknown): number | null {
  const pesewas = pesewasOf(price)
  return pesewas !== null && pesewas > 0 ? pesewas : null
}

function causeOf(status: number, detail: string): RefusalCause {
  if (/insufficient|low balance/i.test(detail)) return 'no-money'
  if (/duplicate|already (exist|used|submitted|processed)/i.test(detail)) return 'duplicate'
  return CAUSE_OF_STATUS[status] ?? (NOT_SOLD.test(detail) ? 'not-sold' : 'refused')
}

function readStatus(answer: Answer): StatusOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', detail: answer.reason }
  const { status, body } = answer
  if (status === 404) return { outcome: 'not-found', detail: 'not found' }
  const data = isObject(body) && isObject(body.data) ? body.data : {}
  const word = wordOf(data.orderStatus).toLowerCase()
  if (status >= 300 || word === '') return { outcome: 'unknown', detail: `an answer with status ${status} that makes no sense` }
  const detail = sentenceOf(data.message) || word
  if (DELIVERED.includes(word)) return { outcome: 'delivered', detail }
  if (FAILED.includes(word)) return { outcome: 'failed', detail }
  if (isVerifying(word)) return { outcome: 'pending', detail, verifying: true }
  if (PENDING.includes(word)) return { outcome: 'pending', detail }
  return { outcome: 'unknown', detail: `a status of ${word}` }
}

function readBalance(answer: Answer): BalanceOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', detail: answer.reason }
  const body = isObject(answer.body) ? answer.body : {}
  const pesewas = pesewasOf(isObject(body.data) ? body.data.balance : '')
  if (answer.status >= 300 || pesewas === null) return { outcome: 'unknown', detail: `an answer with status ${answer.status}` }
  return { outcome: 'known', pesewas }
}
