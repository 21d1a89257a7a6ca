import type { ErrorBody, ErrorCode, Issue } from '../../shared/errors.ts'
import { MORE_HEADER, TOTAL_COUNT_HEADER } from '../../shared/limits.ts'
import { connectionTexts } from '../texts/connection.ts'
import { noteShopTime } from './clock.ts'
import { session } from './session.ts'
import { endSession } from './session-change.ts'

const TIMEOUT_MS = 20_000
/** On a line that brings other replies meanwhile, which is slow and not lost. */
const LONGEST_MS = 60_000

/** The shop refused. `message` is a sentence for the customer. */
export class RefusedError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly issues: readonly Issue[]
  constructor(status: number, body: Partial<ErrorBody>) {
    super(body.message ?? connectionTexts.wentWrong)
    this.name = 'RefusedError'
    this.status = status
    this.code = body.code ?? 'INTERNAL'
    this.issues = body.issues ?? []
  }
}

/** No reply came: what was asked for may have happened or not. */
class NoReplyError extends Error {
  constructor(cause: unknown) {
    super(connectionTexts.notReached, { cause })
    this.name = 'NoReplyError'
  }
}

/** The reply came after somebody else had signed in: show nothing. */
export class LateReplyError extends RefusedError {
  constructor() {
    super(409, { message: '', code: 'CONFLICT' })
    this.name = 'LateReplyError'
  }
}

export type Options = {
  signal?: AbortSignal | undefined
  /** False for the calls that sign in: a 401 there is an answer, not the end of a session. */
  withToken?: boolean
  /** Left out: until nothing has arrived for a while. */
  timeoutMs?: number
  /** Of another session than the present one. */
  token?: string
  /** Sent even when the page is closed meanwhile. */
  keepalive?: boolean
  /** The shop has refused until a PIN is typed: it is asked for, and then it was right. */
  onPin?: (is: 'asked' | 'right') => void
}
type Sending = Options & {
  body?: unknown
  query?: Record<string, string | number | undefined>
  headers?: Record<string, string>
}

/** Set while somebody is signed in: asks for their PIN, whose proof lets a refused purchase go on. Null when they would rather not. */
let askPin: (() => Promise<string | null>) | undefined
export function askPinWith(ask: typeof askPin) {
  askPin = ask
}

export async function request(method: string, path: string, options: Sending = {}): Promise<unknown> {
  return forAsker(options, async () => {
    try {
      return await readJson(await send(method, path, options))
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== 'PIN_REQUIRED') throw error
      options.onPin?.('asked')
      const proof = await askPin?.()
      if (!proof) throw error
      options.onPin?.('right')
      return readJson(await send(method, path, { ...options, headers: { ...options.headers, 'pin-proof': proof } }))
    }
  })
}

/** A list and how many records match in all, or `more` than that. */
export async function requestList(
  method: string,
  path: string,
  options: Sending = {},
): Promise<{ rows: unknown[]; total: number; more: boolean }> {
  return forAsker(options, async () => {
    const response = await send(method, path, options)
    const rows = (await readJson(response)) as unknown[]
    const total = Number(response.headers.get(TOTAL_COUNT_HEADER) ?? rows.length)
    return { rows, total: Number.isFinite(total) ? total : rows.length, more: response.headers.has(MORE_HEADER) }
  })
}

/** A file for a download that needs the token, and the name that the server gives it. */
export async function requestFile(
  method: string,
  path: string,
  options: Sending = {},
): Promise<{ blob: Blob; disposition: string | null }> {
  const response = await send(method, path, { ...options, headers: { accept: '*/*' }, timeoutMs: 120_000 })
  try {
    return { blob: await response.blob(), disposition: response.headers.get('content-disposition') }
  } catch (cause) {
    throw new NoReplyError(cause)
  }
}

/** Hands over an answer, or a refusal, only as long as nobody else has signed in on this browser. */
async function forAsker<T>({ withToken = true, token }: Options, ask: () => Promise<T>): Promise<T> {
  const asker = withToken && token === undefined ? session.get()?._id : undefined
  const isLate = () => asker !== undefined && (session.get()?._id ?? asker) !== asker
  let answer: T
  try {
    answer = await ask()
  } catch (error) {
    throw isLate() ? new LateReplyError() : error
  }
  if (isLate()) throw new LateReplyError()
  return answer
}

async function send(method: string, path: string, options: Sending): Promise<Response> {
  const { body, query, headers, signal, withToken = true, timeoutMs, keepalive = false } = options
  const token = withToken ? (options.token ?? session.get()?.token) : undefined
  const timeout = timeoutMs ? AbortSignal.timeout(timeoutMs) : whenLineIsLost()
  let response: Response
  try {
    response = await fetch(`/api${path}${queryText(query)}`, {
      method,
      keepalive,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new NoReplyError(cause)
  }
  heardAt = performance.now()
  noteShopTime(response.headers.get('date'))
  if (response.ok) return response
  const error = new RefusedError(response.status, await readErrorBody(response))
  // A reply to an older session's call must not end the one that has begun since.
  if (token && token === session.get()?.token) {
    if (error.status === 401) endSession('expired', error.message, token)
    else if (error.code === 'BANNED') endSession('banned', error.message, token)
  }
  throw error
}

/** When a reply last began to arrive. */
let heardAt = 0

function whenLineIsLost(): AbortSignal {
  const giveUp = new AbortController()
  const latest = performance.now() + LONGEST_MS
  const look = () => {
    const leftMs = Math.min(heardAt + TIMEOUT_MS, latest) - performance.now()
    if (leftMs > 0) setTimeout(look, leftMs)
    else giveUp.abort()
  }
  setTimeout(look, TIMEOUT_MS)
  return giveUp.signal
}

async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  try {
    return await response.json()
  } catch (cause) {
    throw new NoReplyError(cause)
  }
}

async function readErrorBody(response: Response): Promise<Partial<ErrorBody>> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}

function queryText(query: Sending['query']): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') params.set(name, String(value))
  }
  const text = params.toString()
  return text && `?${text}`
}

/** The message to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** True when the outcome is unknown: no reply, or the server failed or was too busy. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof RefusedError && error.code === 'PURCHASES_PAUSED') return false
  if (error instanceof RefusedError) return error.status >= 500 || error.status === 429 || error.status === 408
  return true
}
