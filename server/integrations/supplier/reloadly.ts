import type { AirtimeOperator } from '../../../shared/airtime.ts'
import { type Answer, fetchJson } from '../fetch-json.ts'
import {
  type BalanceOutcome,
  type DataSupplier,
  isObject,
  pesewasOf,
  type RefusalCause,
  type SendOutcome,
  type StatusOutcome,
  sentenceOf,
  wordOf,
} from './data-supplier.ts'

export type ReloadlySettings = {
  /** Such as `https://topups.reloadly.com`, which is also the audience of its tokens. */
  baseUrl: string
  /** Such as `https://auth.reloadly.com/oauth/token`. */
  authUrl: string
  clientId: string
  key: string
  /** Reloadly's ids of the operators in Ghana; airtime of one without an id is not sent there. */
  operatorIds: Partial<Record<AirtimeOperator, number>>
  /** What one unit of the account's currency is worth in cedis; null where only an account in cedis can be read. */
  cedisPerUnit: number | null
  /** Whether an empty list for our reference proves that it does not have the order. */
  provesAbsence: boolean
  callsPerMinute: number
  /** For an order or a question as a whole, a new token included. */
  timeoutMs: number
}

const COUNTRY = 'GH'
/** A token is renewed this long before it ends. */
const RENEW_MS = 60_000
const ACCEPT = 'application/com.reloadly.topups-v1+json'

/**
 * Refusals that come before anything is sent to the phone, by the `errorCode` of the reply. Any other error, such as a failed attempt, is
 * unclear until the order is asked about.
 */
const REFUSALS: Record<string, RefusalCause> = {
  INSUFFICIENT_BALANCE: 'no-money',
  CUSTOM_IDENTIFIER_ALREADY_USED: 'duplicate',
  PHONE_RECENTLY_RECHARGED: 'too-soon',
  INVALID_TOKEN: 'not-allowed',
  TOKEN_EXPIRED: 'not-allowed',
  INACTIVE_ACCOUNT: 'not-allowed',
  COUNTRY_NOT_SUPPORTED: 'not-sold',
  OPERATOR_NOT_FOUND: 'not-sold',
  INVALID_AMOUNT: 'not-sold',
  INVALID_AMOUNT_FOR_OPERATOR: 'not-sold',
  INVALID_LOCAL_AMOUNT_FOR_OPERATOR: 'not-sold',
  IMPOSSIBLE_AMOUNT: 'not-sold',
  INVALID_PHONE_NUMBER: 'refused',
  INVALID_RECIPIENT_PHONE: 'refused',
  RECIPIENT_PHONE_INACTIVE: 'refused',
  PHONE_BANNED_BY_OPERATOR: 'refused',
}
const CAUSE_OF_STATUS: Record<number, RefusalCause> = { 401: 'not-allowed', 403: 'not-allowed', 429: 'too-often' }

/**
 * Reloadly's Airtime API: an OAuth token, amounts in cedis (`useLocalAmount`), and our reference as `customIdentifier`, which it takes only
 * once and finds orders by. Facts from its documentation at docs.reloadly.com/airtime and its client libraries.
 */
export function createReloadly(settings: ReloadlySettings): DataSupplier {
  const { baseUrl, operatorIds, timeoutMs } = settings
  const callApi = openSession(settings)

  return {
    name: 'reloadly',
    networks: ['Airtime'],
    operators: Object.keys(operatorIds) as AirtimeOperator[],
    callsPerMinute: settings.callsPerMinute,
    canProveAbsence: settings.provesAbsence,

    async send({ reference, network, receiver, airtime }) {
      const operatorId = airtime && operatorIds[airtime.operator]
      if (!airtime || operatorId === undefined) {
        return { outcome: 'rejected', cause: 'not-sold', detail: `${airtime ? `${airtime.operator} airtime` : network} is not sold here` }
      }
      const body = {
        operatorId,
        amount: airtime.amountPesewas / 100,
        useLocalAmount: true,
        customIdentifier: reference,
        recipientPhone: { countryCode: COUNTRY, number: `233${receiver.slice(1)}` },
      }
      return readSending(await callApi(`${baseUrl}/topups`, { method: 'POST', body, timeoutMs }), reference)
    },

    async queryStatus({ reference, supplierReference }) {
      if (supplierReference !== null) {
        const url = `${baseUrl}/topups/${encodeURIComponent(supplierReference)}/status`
        return readStatus(await callApi(url, { timeoutMs }), reference)
      }
      const url = `${baseUrl}/topups/reports/transactions?customIdentifier=${encodeURIComponent(reference)}&size=10&page=1`
      return readReport(await callApi(url, { timeoutMs }), reference)
    },

    async balance() {
      return readBalance(await callApi(`${baseUrl}/accounts/balance`, { timeoutMs }), settings.cedisPerUnit)
    },

    readWebhook(body) {
      if (!isObject(body)) return null
      const data = isObject(body.data) ? body.data : body
      return wordOf(data.customIdentifier) || null
    },
  }
}

type ApiCall = { method?: 'GET' | 'POST'; body?: unknown; timeoutMs: number }
type Token = { value: string; until: number }

/** Calls with a token that is fetched when needed. A call that a token's end turned away, which did nothing, is made once more. */
function openSession({ authUrl, baseUrl, clientId, key }: ReloadlySettings): (url: string, call: ApiCall) => Promise<Answer> {
  let token: Token | null = null

  return async (url, { timeoutMs, ...call }) => {
    const endsAt = performance.now() + timeoutMs
    for (let isSecond = false; ; isSecond = true) {
      const used = token !== null && token.until > performance.now() ? token : await fetchToken(endsAt - performance.now())
      if (!('value' in used)) return used
      token = used
      const leftMs = endsAt - performance.now()
      if (leftMs <= 0) return { outcome: 'unknown', reason: 'no token in time', neverSent: true }
      const headers = { accept: ACCEPT, authorization: `Bearer ${used.value}` }
      const answer = await fetchJson(url, { ...call, headers, timeoutMs: Math.ceil(leftMs) })
      if (answer.outcome === 'unknown' || answer.status !== 401) return answer
      if (token === used) token = null
      if (isSecond) return answer
    }
  }

  /** Whatever goes wrong here, the call itself has not been made. */
  async function fetchToken(timeoutMs: number): Promise<Token | Answer> {
    if (timeoutMs <= 0) return { outcome: 'unknown', reason: 'no token in time', neverSent: true }
    const body = { client_id: clientId, client_secret: key, grant_type: 'client_credentials', audience: new URL(baseUrl).origin }
    const answer = await fetchJson(authUrl, { method: 'POST', body, timeoutMs: Math.ceil(timeoutMs) })
    if (answer.outcome === 'unknown') return { ...answer, reason: `no token: ${answer.reason}`, neverSent: true }
    const { status } = answer
    const reply = isObject(answer.body) ? answer.body : {}
    const [value, seconds] = [wordOf(reply.access_token), Number(reply.expires_in)]
    if (status < 300 && value !== '') {
      const lastsMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0
      return { value, until: performance.now() + Math.max(0, lastsMs - RENEW_MS) }
    }
    // It knows the keys and refuses them, in whatever words.
    if (status === 400 || status === 401 || status === 403) return { outcome: 'answered', status: 401, body: answer.body }
    return { outcome: 'unknown', reason: `no token: an answer with status ${status}`, neverSent: true }
  }
}

function readSending(answer: Answer, reference: string): SendOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', neverSent: answer.neverSent === true, detail: answer.reason }
  const { status, body } = answer
  const unclear = (why: string): SendOutcome => ({ outcome: 'unknown', neverSent: false, detail: why })
  if (status >= 500 || status === 408 || !isObject(body)) return unclear(`an answer with status ${status} that makes no sense`)
  if (status >= 400) {
    const code = wordOf(body.errorCode).toUpperCase()
    const detail = sentenceOf(body.message, code) || `refused with status ${status}`
    const cause = REFUSALS[code] ?? CAUSE_OF_STATUS[status]
    return cause === undefined ? unclear(detail) : { outcome: 'rejected', cause, detail }
  }
  const supplierReference = wordOf(body.transactionId) || null
  const isOurs = wordOf(body.customIdentifier) === reference
  if (status >= 300 || supplierReference === null || !isOurs) return unclear('an answer about another order')
  return { outcome: 'accepted', supplierReference, detail: wordOf(body.status) || 'accepted', costPesewas: costOf(body) }
}

/** What was taken from the account, in pesewas; null when the reply does not say so in cedis. */
function costOf(body: Record<string, unknown>): number | null {
  const balance = isObject(body.balanceInfo) ? body.balanceInfo : {}
  return wordOf(balance.currencyCode) === 'GHS' ? pesewasOf(balance.cost) : null
}

function readStatus(answer: Answer, reference: string): StatusOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', detail: answer.reason }
  const { status, body } = answer
  if (status === 404) return { outcome: 'not-found', detail: 'not found' }
  if (status >= 300 || !isObject(body)) return { outcome: 'unknown', detail: `an answer with status ${status} that makes no sense` }
  const about = isObject(body.transaction) ? wordOf(body.transaction.customIdentifier) : ''
  if (about !== '' && about !== reference) return { outcome: 'unknown', detail: 'an answer about another order' }
  return outcomeOf(wordOf(body.status), sentenceOf(body.message))
}

/** Of several orders under one reference, which it says there cannot be, one that arrived counts, then one on its way. */
function readReport(answer: Answer, reference: string): StatusOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', detail: answer.reason }
  const { status, body } = answer
  const rows = Array.isArray(body) ? body : isObject(body) && Array.isArray(body.content) ? body.content : null
  if (status >= 300 || rows === null) return { outcome: 'unknown', detail: `an answer with status ${status} that makes no sense` }
  const ours = rows.filter((row) => isObject(row) && wordOf(row.customIdentifier) === reference)
  if (ours.length === 0) return { outcome: 'not-found', detail: 'not found' }
  const outcomes = ours.map((row: Record<string, unknown>) => outcomeOf(wordOf(row.status), ''))
  const of = (wanted: StatusOutcome['outcome']) => outcomes.find(({ outcome }) => outcome === wanted)
  return of('delivered') ?? of('pending') ?? of('unknown') ?? (outcomes[0] as StatusOutcome)
}

function outcomeOf(word: string, sentence: string): StatusOutcome {
  const detail = sentence || word
  switch (word.toUpperCase()) {
    case 'SUCCESSFUL':
      return { outcome: 'delivered', detail }
    case 'PROCESSING':
    case 'PENDING':
      return { outcome: 'pending', detail }
    case 'FAILED':
    case 'REFUNDED':
      return { outcome: 'failed', detail }
    default:
      return { outcome: 'unknown', detail: word === '' ? 'an answer that makes no sense' : `a status of ${word}` }
  }
}

function readBalance(answer: Answer, cedisPerUnit: number | null): BalanceOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', detail: answer.reason }
  const body = isObject(answer.body) ? answer.body : {}
  const hundredths = pesewasOf(body.balance)
  if (answer.status >= 300 || hundredths === null) return { outcome: 'unknown', detail: `an answer with status ${answer.status}` }
  const currency = wordOf(body.currencyCode)
  const rate = currency === 'GHS' ? 1 : cedisPerUnit
  if (rate === null) return { outcome: 'unknown', detail: `the account is kept in ${currency || 'another currency'}` }
  return { outcome: 'known', pesewas: Math.round(hundredths * rate) }
}
