import { createHmac } from 'node:crypto'
import { lookup, Resolver } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress, webhookUrlProblem } from './public-address.ts'

export type WebhookGateway = {
  /** Why an address cannot be sent to, or null. */
  urlProblem(url: string): string | null
  send(message: WebhookMessage): Promise<WebhookAnswer>
}
export type WebhookMessage = { url: string; id: string; body: string; at: Date; secrets: readonly string[] }
/** The HTTP status, or why there is none. */
export type WebhookAnswer = { answer: number; problem: null; tookMs: number } | { answer: null; problem: string; tookMs: number }

export type WebhookSettings = {
  /** For a sandbox that only its own machine reaches: sends to private addresses, and over http. */
  allowPrivate: boolean
  timeoutMs: number
  /** Asked for the names' addresses instead of the machine's own name servers, such as `127.0.0.1:53`. */
  nameservers?: string[]
  /** Finds the addresses of a host name. */
  resolve?: (host: string) => Promise<Found[]>
}

const MOST_READ_BYTES = 64 * 1024
/** What `lookup` and name servers say. */
const NAME_NOT_FOUND = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ESERVFAIL', 'EREFUSED', 'EBADNAME'])

/**
 * Sends events as Standard Webhooks 1.0 asks (https://www.standardwebhooks.com). A name is resolved once, every address it has must
 * be public, and the connection goes to one of those: a name that leads elsewhere a moment later changes nothing. Redirects are not followed.
 */
export function openWebhookGateway({
  allowPrivate,
  timeoutMs,
  nameservers,
  resolve = allowPrivate ? lookUp : openResolver(timeoutMs, nameservers),
}: WebhookSettings): WebhookGateway {
  return {
    urlProblem: (url) => webhookUrlProblem(url, { allowPrivate }),
    async send(message) {
      const begun = performance.now()
      const tookMs = () => Math.round(performance.now() - begun)
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const wrong = webhookUrlProblem(message.url, { allowPrivate })
        if (wrong !== null) return { answer: null, problem: wrong, tookMs: tookMs() }
        const url = new URL(message.url)
        const found = await within(signal, resolve(url.hostname.replace(/^\[|\]$/g, '')))
        if (!allowPrivate && !found.every(({ address }) => isPublicAddress(address))) {
          return { answer: null, problem: 'not on the public internet', tookMs: tookMs() }
        }
        const [to] = found
        if (!to) return { answer: null, problem: 'name not found', tookMs: tookMs() }
        return { answer: await post(url, to, message, signal), problem: null, tookMs: tookMs() }
      } catch (error) {
        return { answer: null, problem: signal.aborted ? 'timeout' : explain(error), tookMs: tookMs() }
      }
    },
  }
}

/** `webhook-signature`: one `v1,…` for each secret, so that both verify while one replaces the other. */
export function signWebhook({ id, at, body, secrets }: Omit<WebhookMessage, 'url'>): string {
  const signed = `${id}.${Math.floor(at.getTime() / 1000)}.${body}`
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
    })
    .join(' ')
}

function post(url: URL, to: { address: string; family: number }, message: WebhookMessage, signal: AbortSignal): Promise<number> {
  return new Promise((done, failed) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      signal,
      agent: false,
      // Not looked up again: the connection goes to the address that was checked.
      lookup: (_host, options, reply) => {
        if (options.all) reply(null, [to])
        else reply(null, to.address, to.family)
      },
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(message.body),
        'user-agent': 'Dwadi-Webhooks/1',
        'webhook-id': message.id,
        'webhook-timestamp': String(Math.floor(message.at.getTime() / 1000)),
        'webhook-signature': signWebhook(message),
      },
    })
    request.on('error', failed)
    request.on('response', (response) => {
      let read = 0
      response.on('data', (part: Buffer) => {
        read += part.length
        // Whoever answers more than this has said enough.
        if (read > MOST_READ_BYTES) response.destroy()
      })
      response.on('close', () => done(response.statusCode ?? 0))
    })
    request.end(message.body)
  })
}

async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, failed) => signal.addEventListener('abort', () => failed(signal.reason as Error), { once: true })),
  ])
}

type Found = { address: string; family: number }

/** Knows the machine's own names, too. */
function lookUp(host: string): Promise<Found[]> {
  return lookup(host, { all: true })
}

/**
 * Asks the name servers itself. `lookup` has two threads for the whole process: ten names whose servers never answer would keep the
 * supplier's and the payments' names waiting for most of a minute.
 */
function openResolver(timeoutMs: number, nameservers?: string[]): (host: string) => Promise<Found[]> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (nameservers) resolver.setServers(nameservers)
  return async (host) => {
    const known = isIP(host)
    if (known !== 0) return [{ address: host, family: known }]
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = [v4, v6].flatMap((part, i) =>
      part.status === 'fulfilled' ? part.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })) : [],
    )
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason
    return found
  }
}

/** For the agent's screen: nothing about our own network, and no text of theirs. */
function explain(error: unknown): string {
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string' && NAME_NOT_FOUND.has(code)) return 'name not found'
  if (code === 'ETIMEOUT') return 'timeout'
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection cut'
  if (typeof code === 'string' && /CERT|SSL|TLS|ALTNAME|SIGNATURE/.test(code)) return 'certificate not valid'
  return 'no connection'
}
