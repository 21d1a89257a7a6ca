import type { Network } from '../../../shared/networks.ts'
import { type Answer, fetchJson } from '../fetch-json.ts'
import {
  type BalanceOutcome,
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

export type HubnetSettings = {
  /** Such as `https://console.hubnet.app/live/api/context/business/transaction`. */
  baseUrl: string
  key: string
  callsPerMinute: number
  timeoutMs: number
  /** The webhook URL to send with an order, or null; Hubnet accepts https only. */
  webhookUrl: () => Promise<string | null>
}

const DIALECT: SupplierDialect = {
  networks: { MTN: 'mtn', AirtelTigo: 'at' },
  volume: (volumeMb) => String(volumeMb),
  phone: (receiver) => receiver,
}

/** Error codes seen by client libraries, which disagree about the exact meaning of 1004 and 1005. */
const CODES: Record<string, RefusalCause> = {
  '1003': 'no-money',
  '1004': 'refused',
  '1005': 'refused',
  '1007': 'too-often',
  '406': 'not-allowed',
}
const ACCEPTED_CODE = '0000'
const REFUSED_WORDS = ['false', 'failed', 'error', 'rejected']
const ACCEPTED_WORDS = ['true', 'success', 'successful', 'completed', 'ok']

const DELIVERED = ['delivered', 'success', 'successful', 'completed']
const FAILED = ['failed', 'cancelled', 'canceled', 'refunded', 'rejected', 'reversed']
const PENDING = ['pending', 'processing', 'in progress', 'accepted', 'queued', 'initiated']

/**
 * Hubnet's Mobile Data API v1.0, as described by its client libraries: header `token: Bearer key`, volume in megabytes as
 * text, and three generations of replies, the newest of which reports a failed validation as a bare JSON string.
 */
export function createHubnet(settings: HubnetSettings): DataSupplier {
  const headers = { token: `Bearer ${settings.key}` }
  const { timeoutMs } = settings

  return {
    name: 'hubnet',
    networks: Object.keys(DIALECT.networks) as Network[],
    callsPerMinute: settings.callsPerMinute,
    canProveAbsence: true,

    async send({ reference, network, receiver, volumeMb }) {
      const token = DIALECT.networks[network]
      if (token === undefined || volumeMb === null) return { outcome: 'rejected', cause: 'not-sold', detail: `${network} is not sold here` }
      const webhook = await settings.webhookUrl()
      const answer = await fetchJson(`${settings.baseUrl}/${token}-new-transaction`, {
        method: 'POST',
        headers,
        timeoutMs,
        body: {
          phone: DIALECT.phone(receiver),
          volume: DIALECT.volume(volumeMb),
          reference,
          ...(webhook === null ? {} : { webhook }),
        },
      })
      return readSending(answer, reference)
    },

    async queryStatus({ reference }) {
      const url = `${settings.baseUrl}/check-transaction-status?reference=${encodeURIComponent(reference)}`
      return readStatus(await fetchJson(url, { headers, timeoutMs }), reference)
    },

    async balance() {
      return readBalance(await fetchJson(`${settings.baseUrl}/check_balance`, { headers, timeoutMs }))
    },

    readWebhook(body) {
      if (!isObject(body)) return null
      const { data } = body
      return wordOf(isObject(data) ? data.reference : body.reference) || wordOf(body.reference) || null
    },
  }
}

/** `accepted` requires a 2xx, an explicit success and no known error code; a 5xx never tells what became of the order. */
function readSending(answer: Answer, reference: string): SendOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', neverSent: answer.neverSent === true, detail: answer.reason }
  const { status, body } = answer
  const unclear: SendOutcome = { outcome: 'unknown', neverSent: false, detail: `an answer with status ${status} that makes no sense` }
  if (status >= 500 || status === 408) return unclear
  if (typeof body === 'string') return refuse(causeOf(status, '', body), body)
  if (!isObject(body)) return unclear

  const data = isObject(body.data) ? body.data : {}
  const words = [body.reason, body.message, data.message, data.response_msg]
  const code = [body.code, data.code, body.message].map(wordOf).find((word) => word in CODES) ?? ''
  const state = wordOf(body.status).toLowerCase()
  const event = wordOf(body.event).toLowerCase()
  const isRefused = code !== '' || REFUSED_WORDS.includes(state) || /\.(rejected|failed)$/.test(event)
  if (isRefused || status >= 400) return refuse(causeOf(status, code, words.map(wordOf).join(' ')), sentenceOf(...words) || code)

  const isAccepted =
    ACCEPTED_WORDS.includes(state) ||
    event.endsWith('.success') ||
    (state === '' && ([body.code, body.message, data.code].map(wordOf).includes(ACCEPTED_CODE) || wordOf(data.response_code) === '200'))
  if (status < 200 || status > 299 || !isAccepted) return unclear
  const echoed = wordOf(body.reference) || wordOf(data.reference)
  if (echoed !== '' && echoed !== reference) return { ...unclear, detail: 'the answer was about another reference' }
  const supplierReference = wordOf(body.transaction_id) || wordOf(data.transaction_id) || null
  return { outcome: 'accepted', supplierReference, detail: sentenceOf(...words) || 'accepted' }
}

function refuse(cause: RefusalCause, detail: string): SendOutcome {
  return { outcome: 'rejected', cause, detail: sentenceOf(detail) || 'refused without a reason' }
}

function causeOf(status: number, code: string, text: string): RefusalCause {
  if (/duplicate|already (exist|used|been used|processed|submitted)/i.test(text) || status === 409) return 'duplicate'
  if (/insufficient|low balance/i.test(text)) return 'no-money'
  const known = CODES[code]
  if (known) return known
  if (status === 429) return 'too-often'
  return status === 401 || status === 403 || status === 406 ? 'not-allowed' : 'refused'
}

/** `status: false` at the top level means that the query failed; the order's own status is in `data`. */
function readStatus(answer: Answer, reference: string): StatusOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', detail: answer.reason }
  const { status, body } = answer
  if (status >= 500) return { outcome: 'unknown', detail: `an answer with status ${status}` }
  const text = isObject(body) ? sentenceOf(body.reason, body.message, isObject(body.data) ? body.data.message : '') : sentenceOf(body)
  if (/not found|does ?n.t exist|does not exist|no (such )?(transaction|record)|unknown reference/i.test(text)) {
    return { outcome: 'not-found', detail: text }
  }
  if (status === 404 && isObject(body)) return { outcome: 'not-found', detail: text || 'not found' }
  const state = isObject(body) ? wordOf(body.status).toLowerCase() : ''
  if (!isObject(body) || !isObject(body.data) || status >= 400 || REFUSED_WORDS.includes(state)) {
    return { outcome: 'unknown', detail: text || `an answer with status ${status} that makes no sense` }
  }
  const echoed = wordOf(body.data.reference) || wordOf(body.reference)
  if (echoed !== '' && echoed !== reference) return { outcome: 'unknown', detail: 'the answer was about another reference' }
  const word = wordOf(body.data.status)
  const detail = sentenceOf(body.data.message) || word
  if (DELIVERED.includes(word.toLowerCase())) return { outcome: 'delivered', detail }
  if (FAILED.includes(word.toLowerCase())) return { outcome: 'failed', detail }
  if (isVerifying(word)) return { outcome: 'pending', detail, verifying: true }
  if (PENDING.includes(word.toLowerCase())) return { outcome: 'pending', detail }
  return { outcome: 'unknown', detail: `a status of ${word || 'nothing'}` }
}

function readBalance(answer: Answer): BalanceOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', detail: answer.reason }
  const body = isObject(answer.body) ? answer.body : {}
  const pesewas = pesewasOf(isObject(body.data) ? body.data.wallet_balance : body.balance)
  const isGood = answer.status < 300 && !REFUSED_WORDS.includes(wordOf(body.status).toLowerCase())
  return isGood && pesewas !== null ? { outcome: 'known', pesewas } : { outcome: 'unknown', detail: sentenceOf(body.message) }
}
