import type { Network } from '../../../shared/networks.ts'
import { type Answer, fetchJson } from '../fetch-json.ts'
import {
  type BalanceOutcome,
  CAUSE_OF_STATUS,
  type DataSupplier,
  isObject,
  isVerifying,
  pesewasOf,
  type SendOutcome,
  type StatusOutcome,
  type SupplierDialect,
  sentenceOf,
  wordOf,
} from './data-supplier.ts'

export type RemadataSettings = { baseUrl: string; key: string; callsPerMinute: number; timeoutMs: number }

const DIALECT: SupplierDialect = {
  networks: { MTN: 'mtn', Telecel: 'telecel', AirtelTigo: 'airteltigo' },
  volume: (volumeMb) => volumeMb,
  phone: (receiver) => `233${receiver.slice(1)}`,
}

const DELIVERED = ['delivered', 'completed', 'success', 'successful']
const FAILED = ['failed', 'refunded', 'cancelled', 'canceled', 'rejected']
const PENDING = ['pending', 'processing', 'waiting', 'queued', 'accepted']

/**
 * RemaData, as described by its client libraries (base `https://remadata.com/api`, header `X-API-KEY`): numbers as 233…,
 * volume as a number of megabytes. Orders are queried by its own reference, which is in its reply; when that reply is lost,
 * it cannot prove that it does not have the order.
 */
export function createRemadata(settings: RemadataSettings): DataSupplier {
  const headers = { 'X-API-KEY': settings.key }
  const { timeoutMs } = settings

  return {
    name: 'remadata',
    networks: Object.keys(DIALECT.networks) as Network[],
    callsPerMinute: settings.callsPerMinute,
    canProveAbsence: false,

    async send({ reference, network, receiver, volumeMb }) {
      const networkType = DIALECT.networks[network]
      if (networkType === undefined || volumeMb === null)
        return { outcome: 'rejected', cause: 'not-sold', detail: `${network} is not sold here` }
      const body = { ref: reference, phone: DIALECT.phone(receiver), volumeInMB: DIALECT.volume(volumeMb), networkType }
      return readSending(await fetchJson(`${settings.baseUrl}/buy-data`, { method: 'POST', headers, timeoutMs, body }))
    },

    async queryStatus({ reference, supplierReference }) {
      const url = `${settings.baseUrl}/order-status/${encodeURIComponent(supplierReference ?? reference)}`
      return readStatus(await fetchJson(url, { headers, timeoutMs }))
    },

    async balance() {
      return readBalance(await fetchJson(`${settings.baseUrl}/wallet-balance`, { headers, timeoutMs }))
    },

    readWebhook(body) {
      if (!isObject(body)) return null
      const data = isObject(body.data) ? body.data : body
      return wordOf(data.ref) || wordOf(data.reference) || null
    },
  }
}

function readSending(answer: Answer): SendOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', neverSent: answer.neverSent === true, detail: answer.reason }
  const { status, body } = answer
  const unclear: SendOutcome = { outcome: 'unknown', neverSent: false, detail: `an answer with status ${status} that makes no sense` }
  if (status >= 500 || status === 408 || !isObject(body)) return unclear
  const data = isObject(body.data) ? body.data : {}
  const detail = sentenceOf(body.message, body.error, data.message)
  const state = wordOf(body.status).toLowerCase()
  if (status >= 400 || ['false', 'error', 'failed'].includes(state)) {
    const isDuplicate = /duplicate|already/i.test(detail)
    const cause = isDuplicate ? 'duplicate' : /insufficient/i.test(detail) ? 'no-money' : (CAUSE_OF_STATUS[status] ?? 'refused')
    return { outcome: 'rejected', cause, detail: detail || `refused with status ${status}` }
  }
  const supplierReference = wordOf(data.reference) || null
  const isAccepted = ['true', 'success', 'successful', 'ok'].includes(state) || (state === '' && supplierReference !== null)
  return status < 300 && isAccepted ? { outcome: 'accepted', supplierReference, detail: detail || 'accepted' } : unclear
}

function readStatus(answer: Answer): StatusOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', detail: answer.reason }
  const { status, body } = answer
  if (status === 404) return { outcome: 'not-found', detail: 'not found' }
  const data = isObject(body) ? (isObject(body.data) ? body.data : body) : {}
  const word = wordOf(data.orderStatus) || wordOf(data.status)
  if (status >= 300 || word === '') return { outcome: 'unknown', detail: `an answer with status ${status} that makes no sense` }
  const detail = sentenceOf(data.message) || word
  if (DELIVERED.includes(word.toLowerCase())) return { outcome: 'delivered', detail }
  if (FAILED.includes(word.toLowerCase())) return { outcome: 'failed', detail }
  if (isVerifying(word)) return { outcome: 'pending', detail, verifying: true }
  if (PENDING.includes(word.toLowerCase())) return { outcome: 'pending', detail }
  return { outcome: 'unknown', detail: `a status of ${word}` }
}

function readBalance(answer: Answer): BalanceOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', detail: answer.reason }
  const body = isObject(answer.body) ? answer.body : {}
  const pesewas = pesewasOf(isObject(body.data) ? body.data.balance : body.balance)
  if (answer.status >= 300 || pesewas === null) return { outcome: 'unknown', detail: `an answer with status ${answer.status}` }
  return { outcome: 'known', pesewas }
}
