import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'

/** What becomes of a statement: it passes, the line is cut before the database has it, or after it has answered. */
export type Verdict = 'pass' | 'cut-before' | 'cut-after'

export type SwallowingProxy = {
  /** The database's address with the proxy in it. */
  url: string
  /** Asked for every statement, with those that went before it in the same transaction. */
  decide: (sql: string, before: readonly string[]) => Verdict
  /** Called at the cut, before either end learns of it. */
  onCut: () => void
  cuts: number
  close(): Promise<void>
}

/**
 * Stands between the shop and its database and understands just enough of PostgreSQL's protocol to cut the line at a
 * chosen statement. A reply to COMMIT that is swallowed is the most dangerous moment of all, and random kills miss it.
 */
export async function openSwallowingProxy(databaseUrl: string): Promise<SwallowingProxy> {
  const lines = new Set<Socket>()
  const proxy: SwallowingProxy = {
    url: '',
    decide: () => 'pass',
    onCut: () => {},
    cuts: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const line of lines) line.destroy()
      }),
  }
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const server = createServer((shop) => {
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const line of [shop, upstream]) {
      lines.add(line)
      line.on('error', () => undefined)
      line.on('close', () => {
        lines.delete(line)
        shop.destroy()
        upstream.destroy()
      })
    }
    relay(shop, upstream, proxy)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `postgres://${encodeURIComponent(user ?? '')}:${encodeURIComponent(password ?? '')}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`
  return proxy
}

function relay(shop: Socket, upstream: Socket, proxy: SwallowingProxy) {
  const named = new Map<string, string>()
  let before: string[] = []
  let started = false
  let asked: Buffer = Buffer.alloc(0)
  let answered: Buffer = Buffer.alloc(0)
  let swallowing = false

  const cut = () => {
    if (shop.destroyed) return
    proxy.cuts += 1
    proxy.onCut()
    shop.destroy()
    upstream.destroy()
  }

  shop.on('data', (chunk: Buffer) => {
    asked = Buffer.concat([asked, chunk])
    while (asked.length >= 5) {
      const length = started ? asked.readInt32BE(1) + 1 : asked.readInt32BE(0)
      if (asked.length < length) return
      const message = asked.subarray(0, length)
      asked = asked.subarray(length)
      const sql = started ? statementIn(message, named) : null
      started = true
      if (sql !== null) {
        if (/^\s*begin/i.test(sql)) before = []
        const verdict = proxy.decide(sql, before)
        before.push(sql)
        if (verdict === 'cut-before') return cut()
        if (verdict === 'cut-after') swallowing = true
      }
      upstream.write(message)
    }
  })
  upstream.on('data', (chunk: Buffer) => {
    if (!swallowing) return void shop.write(chunk)
    answered = Buffer.concat([answered, chunk])
    // ReadyForQuery ends every answer: by then what was asked is done and, outside a transaction, committed.
    if (answered.length >= 6 && answered.subarray(-6, -1).equals(READY)) cut()
  })
}

const READY = Buffer.from([0x5a, 0, 0, 0, 5])

/** The statement that a message runs; null for any other message. */
function statementIn(message: Buffer, named: Map<string, string>): string | null {
  const type = String.fromCharCode(message[0] as number)
  if (type === 'Q') return textAt(message, 5).text
  if (type === 'P') {
    const name = textAt(message, 5)
    named.set(name.text, textAt(message, name.end).text)
    return null
  }
  if (type !== 'B') return null
  const portal = textAt(message, 5)
  return named.get(textAt(message, portal.end).text) ?? null
}

function textAt(message: Buffer, from: number): { text: string; end: number } {
  const end = message.indexOf(0, from)
  return { text: message.toString('utf8', from, end), end: end + 1 }
}
