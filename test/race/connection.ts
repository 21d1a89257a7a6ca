import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'

export type HttpReply = { status: number; body: string; headers: IncomingMessage['headers']; tookMs: number }
type Call = { method?: string; path: string; token: string; body: unknown; headers: Record<string, string> }

/** One keep-alive connection that can hold a request back by its last byte, so that many can be let go at once. */
export class Connection {
  readonly #address: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: 0 })

  constructor(address: string) {
    this.#address = address
  }

  /** Opens the connection with a first, idle request. */
  async open() {
    const opened = request(`${this.#address}/healthz`, { agent: this.#agent })
    opened.end()
    await replyTo(opened, performance.now())
  }

  /** Sends all of a request but its last byte; the promise's function sends that, and resolves with the reply. */
  async load({ method = 'POST', path, token, body, headers }: Call): Promise<() => Promise<HttpReply>> {
    const bytes = Buffer.from(JSON.stringify(body))
    const held = request(`${this.#address}/api${path}`, {
      method,
      agent: this.#agent,
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': bytes.length,
      },
    })
    await new Promise<void>((resolve, reject) => {
      held.once('error', reject)
      held.write(bytes.subarray(0, -1), (error) => (error ? reject(error) : resolve()))
    })
    return () => {
      const reply = replyTo(held, performance.now())
      held.end(bytes.subarray(-1))
      return reply
    }
  }

  close() {
    this.#agent.destroy()
  }
}

async function replyTo(sent: ClientRequest, since: number): Promise<HttpReply> {
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
  })
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return {
    status: message.statusCode ?? 0,
    body: Buffer.concat(chunks).toString('utf8'),
    headers: message.headers,
    tookMs: performance.now() - since,
  }
}
