import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { randomFrom } from './random.ts'

/** What happens to a request: it passes, or the connection is cut before the target has it or after it has answered. */
export type Verdict = 'pass' | 'cut-before' | 'cut-after'

/** `text` is `POST /path` for HTTP and the SQL for PostgreSQL; `before` are the earlier statements of its transaction. */
export type Decide = (text: string, before: readonly string[]) => Verdict

export type FaultProxy = {
  /** The target's address with the proxy in it. */
  url: string
  decide: Decide
  /** Called at a cut, before either end learns of it. */
  onCut: () => void
  /** Each way, for all connections together; left out: as fast as it goes. */
  line: { bytesPerSecond?: number; roundTripMs?: number }
  counts: { up: number; down: number; requests: number; cuts: number }
  close(): Promise<void>
}

/**
 * A proxy in front of an HTTP server or PostgreSQL that slows the connection down and cuts it at chosen requests. Losing the
 * reply to COMMIT is the most dangerous moment, and random kills miss it.
 */
export async function openFaultProxy(target: string): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  const { connectToTarget, readRequests, isWholeReply, urlAt } = target.startsWith('postgres') ? postgres(target) : http(target)
  const up = makePipe(() => proxy.line)
  const down = makePipe(() => proxy.line)

  const server = createServer((client) => {
    const upstream = connectToTarget()
    const requestsIn = readRequests()
    let reply: Buffer | null = null
    const cut = () => {
      if (client.destroyed) return
      proxy.counts.cuts += 1
      proxy.onCut()
      client.resetAndDestroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (chunk) => {
      proxy.counts.up += chunk.length
      for (const { bytes, text, before } of requestsIn(chunk)) {
        if (text !== null) {
          proxy.counts.requests += 1
          const verdict = proxy.decide(text, before)
          if (verdict === 'cut-before') return cut()
          if (verdict === 'cut-after') reply = Buffer.alloc(0)
        }
        up(bytes.length, () => upstream.writable && upstream.write(bytes))
      }
    })
    upstream.on('data', (chunk) => {
      if (reply !== null) {
        reply = Buffer.concat([reply, chunk])
        return void (isWholeReply(reply) && cut())
      }
      proxy.counts.down += chunk.length
      upstream.pause()
      down(chunk.length, () => {
        if (client.writable) client.write(chunk)
        upstream.resume()
      })
    })
    client.on('close', () => up(0, () => upstream.destroy()))
    upstream.on('close', () => down(0, () => client.destroySoon()))
  })

  const proxy: FaultProxy = {
    url: '',
    decide: () => 'pass',
    onCut: () => {},
    line: {},
    counts: { up: 0, down: 0, requests: 0, cuts: 0 },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = urlAt((server.address() as AddressInfo).port)
  return proxy
}

/** Loses so many requests of a hundred, half of them before they arrive and half with their reply; the same ones for the same seed. */
export function loseSome(percent: number, seed: number): Decide {
  const random = randomFrom(seed)
  return () => (random() * 100 >= percent ? 'pass' : random() < 0.5 ? 'cut-before' : 'cut-after')
}

type Requests = { bytes: Buffer; text: string | null; before: readonly string[] }[]

type Protocol = {
  connectToTarget: () => Socket
  /** A reader for one connection, which splits what comes into requests and whatever else there is (`text` null). */
  readRequests: () => (chunk: Buffer) => Requests
  isWholeReply: (reply: Buffer) => boolean
  urlAt: (port: number) => string
}

function http(target: string): Protocol {
  const { hostname, port, pathname } = new URL(target)
  const REQUEST = /^((?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \S+) HTTP/
  return {
    connectToTarget: () => connect(Number(port), hostname),
    readRequests: () => (chunk) => [{ bytes: chunk, text: REQUEST.exec(chunk.toString('latin1', 0, 2_048))?.[1] ?? null, before: [] }],
    isWholeReply: () => true,
    urlAt: (own) => `http://${hostname}:${own}${pathname.replace(/\/$/, '')}`,
  }
}

function postgres(target: string): Protocol {
  const { host, port, user, password, database } = new pg.Client({ connectionString: target })
  // ReadyForQuery ends every reply: by then the statement is done and, outside a transaction, committed.
  const READY = Buffer.from([0x5a, 0, 0, 0, 5])
  return {
    connectToTarget: () => (host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)),
    readRequests: readStatements,
    isWholeReply: (reply) => reply.length >= 6 && reply.subarray(-6, -1).equals(READY),
    urlAt: (own) => `postgres://${encodeURIComponent(user ?? '')}:${encodeURIComponent(password ?? '')}@127.0.0.1:${own}/${database}`,
  }
}

/** Parses just enough of PostgreSQL's protocol to see which statement a message runs. */
function readStatements() {
  const prepared = new Map<string, string>()
  let before: string[] = []
  let started = false
  let received: Buffer = Buffer.alloc(0)
  return (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    const messages: Requests = []
    while (received.length >= 5) {
      const length = started ? received.readInt32BE(1) + 1 : received.readInt32BE(0)
      if (received.length < length) break
      const bytes = received.subarray(0, length)
      received = received.subarray(length)
      const text = started ? statementIn(bytes, prepared) : null
      started = true
      if (text !== null && /^\s*begin/i.test(text)) before = []
      messages.push({ bytes, text, before: [...before] })
      if (text !== null) before.push(text)
    }
    return messages
  }
}

/** The statement that a message runs; null for any other message. */
function statementIn(message: Buffer, prepared: Map<string, string>): string | null {
  const type = String.fromCharCode(message[0] as number)
  if (type === 'Q') return textAt(message, 5).text
  if (type === 'P') {
    const name = textAt(message, 5)
    prepared.set(name.text, textAt(message, name.end).text)
    return null
  }
  if (type !== 'B') return null
  const portal = textAt(message, 5)
  return prepared.get(textAt(message, portal.end).text) ?? null
}

function textAt(message: Buffer, from: number): { text: string; end: number } {
  const end = message.indexOf(0, from)
  return { text: message.toString('utf8', from, end), end: end + 1 }
}

/** One direction: bytes wait for their turn and then for the distance. An unlimited line delivers at once. */
function makePipe(line: () => FaultProxy['line']) {
  let freeAt = 0
  let underway = 0
  return (bytes: number, deliver: () => void) => {
    const { bytesPerSecond, roundTripMs = 0 } = line()
    if (!bytesPerSecond && roundTripMs === 0 && underway === 0) return deliver()
    const now = performance.now()
    freeAt = Math.max(now, freeAt) + (bytesPerSecond ? (bytes / bytesPerSecond) * 1000 : 0)
    underway += 1
    setTimeout(
      () => {
        underway -= 1
        deliver()
      },
      freeAt - now + roundTripMs / 2,
    )
  }
}
