/**
 * `answered`: a complete JSON reply with any status; everything else is `unknown`. `neverSent`: no connection was made, so
 * the service cannot have received the request.
 */
export type Answer = { outcome: 'answered'; status: number; body: unknown } | { outcome: 'unknown'; reason: string; neverSent?: boolean }

const MOST_BYTES = 65_536

type Call = { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: unknown; timeoutMs: number }

/** One call to an outside service, limited in time and size. Follows no redirects and never throws for what the service does. */
export async function fetchJson(url: string, { method = 'GET', headers = {}, body, timeoutMs }: Call): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      return { outcome: 'unknown', reason: `a redirect (${response.status})` }
    }
    const text = await readBounded(response)
    if (text === null) return { outcome: 'unknown', reason: `an answer of more than ${MOST_BYTES} bytes` }
    return { outcome: 'answered', status: response.status, body: JSON.parse(text) }
  } catch (error) {
    return { outcome: 'unknown', reason: describe(error), neverSent: isBeforeConnecting(error) }
  }
}

async function readBounded(response: Response): Promise<string | null> {
  if (!response.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > MOST_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'no answer in time'
  if (error instanceof SyntaxError) return 'an answer that is not JSON'
  return error.cause instanceof Error ? error.cause.message : error.message
}

const BEFORE_CONNECTING = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

function isBeforeConnecting(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  return BEFORE_CONNECTING.includes(cause?.code ?? '')
}
