import { Agent, type ClientRequest, globalAgent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { waitingFor } from './waits.ts'

/** `body` is the parsed JSON of `text`, or {}. Status 0: there was no reply, and `text` says why. */
export type HttpReply<T = Record<string, unknown>> = { status: number; headers: IncomingHttpHeaders; text: string; body: T; tookMs: number }

export type RawCall = { method?: string; path: string; headers?: Record<string, string | string[]>; body?: string | Buffer; agent?: Agent }

export type ApiCall = {
  method?: string
  /** Below /api; with two slashes at its beginning, below the server's root. */
  path: string
  as?: { token: string } | undefined
  body?: unknown
  headers?: Record<string, string>
}

const GIVE_UP_MS = 120_000
const NO_REPLY_MS = 30_000

/** Sends a request whose path, verb and headers go out exactly as they are. */
export async function sendRaw<T = Record<string, unknown>>(address: string, call: RawCall): Promise<HttpReply<T>> {
  const since = performance.now()
  return replyTo<T>(() => begin(address, call, NO_REPLY_MS).end(call.body), since).catch(noReply<T>(since))
}

/** Calls the API with JSON. */
export async function callAt<T = Record<string, unknown>>(
  address: string,
  method: string,
  path: string,
  asked: Omit<ApiCall, 'method' | 'path'> = {},
): Promise<HttpReply<T>> {
  const since = performance.now()
  const call = toRaw({ method, path, ...asked })
  const asking = replyTo<T>(() => begin(address, { ...call, agent: globalAgent }, GIVE_UP_MS).end(call.body), since).catch(
    noReply<T>(since),
  )
  return waitingFor(`${address} to answer ${method} ${path}`, asking)
}

/** One keep-alive connection that holds a request back by its last byte, so that many can be released at one instant. */
export class HeldConnection {
  readonly #address: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: 0 })

  constructor(address: string) {
    this.#address = address
  }

  /** Opens the connection with a first, idle request. */
  async open() {
    const reply = await sendRaw(this.#address, { path: '/healthz', agent: this.#agent })
    if (reply.status === 0) throw new Error(reply.text)
  }

  /** Sends all of a POST but its last byte; the returned function sends that, and resolves with the reply. */
  async load(held: ApiCall & { body: unknown }): Promise<() => Promise<HttpReply>> {
    const call = toRaw({ method: 'POST', ...held })
    const bytes = Buffer.from(call.body as string)
    const sent = begin(this.#address, { ...call, body: bytes, agent: this.#agent }, 0)
    await new Promise<void>((resolve, reject) => {
      sent.once('error', reject)
      sent.write(bytes.subarray(0, -1), (error) => (error ? reject(error) : resolve()))
    })
    return () => replyTo(() => sent.end(bytes.subarray(-1)), performance.now())
  }

  close() {
    this.#agent.destroy()
  }
}

function toRaw({ method, path, as, body, headers = {} }: ApiCall): RawCall {
  return {
    ...(method === undefined ? {} : { method }),
    path: path.startsWith('//') ? path.slice(1) : `/api${path}`,
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as.token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}

function begin(address: string, { method = 'GET', path, headers = {}, body, agent }: RawCall, timeoutMs: number): ClientRequest {
  const { hostname, port } = new URL(address)
  // Node sends no length for a body of DELETE by itself.
  const all = body === undefined ? headers : { 'content-length': String(Buffer.byteLength(body)), ...headers }
  const sent = request({ hostname, port, method, path, headers: all, agent: agent ?? false, timeout: timeoutMs })
  return sent.on('timeout', () => timeoutMs > 0 && sent.destroy(new Error(`no reply in ${timeoutMs / 1000} s`)))
}

async function replyTo<T>(send: () => ClientRequest, since: number): Promise<HttpReply<T>> {
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    send().once('response', resolve).once('error', reject)
  })
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: message.statusCode ?? 0, headers: message.headers, text, body: parse<T>(text), tookMs: performance.now() - since }
}

function noReply<T>(since: number) {
  return (error: unknown): HttpReply<T> => ({
    ...{ status: 0, headers: {}, text: String(error) },
    ...{ body: {} as T, tookMs: performance.now() - since },
  })
}

function parse<T>(text: string): T {
  try {
    return JSON.parse(text) as T
  } catch {
    return {} as T
  }
}
