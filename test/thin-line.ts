import { connect, createServer, type Socket } from 'node:net'

export type LineRules = {
  /** Each way, for all connections together. Left out: as fast as it goes. */
  bytesPerSecond?: number
  roundTripMs?: number
  /** How many requests of a hundred are lost: half of them before they arrive, half of them with their reply. */
  lostPercent?: number
}

export type ThinLine = {
  address: string
  /** What went over it so far. */
  counts(): { down: number; up: number; requests: number; lost: number }
  rules(next: LineRules): void
  close(): Promise<void>
}

const REQUEST = /^(?:GET|HEAD|POST|PUT|DELETE|OPTIONS) /

/** A line to a shop on this machine that is as bad as one likes, seen from the browser's side. `seed` decides which requests it loses. */
export async function openThinLine(target: string, first: LineRules = {}, seed = 42): Promise<ThinLine> {
  const { hostname, port } = new URL(target)
  let rules = first
  const counts = { down: 0, up: 0, requests: 0, lost: 0 }
  const sockets = new Set<Socket>()
  const random = seededRandom(seed)
  const up = makePipe(() => rules)
  const down = makePipe(() => rules)

  const server = createServer((browser) => {
    const shop = connect(Number(port), hostname)
    let replyIsLost = false
    for (const socket of [browser, shop]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    const cut = () => {
      counts.lost += 1
      browser.resetAndDestroy()
      shop.destroy()
    }
    browser.on('data', (data) => {
      counts.up += data.length
      if (REQUEST.test(data.toString('latin1', 0, 8))) {
        counts.requests += 1
        if (random() * 100 < (rules.lostPercent ?? 0)) {
          if (random() < 0.5) return cut()
          replyIsLost = true
        }
      }
      up(data.length, () => shop.writable && shop.write(data))
    })
    shop.on('data', (data) => {
      if (replyIsLost) return cut()
      counts.down += data.length
      shop.pause()
      down(data.length, () => {
        if (browser.writable) browser.write(data)
        shop.resume()
      })
    })
    browser.on('close', () => up(0, () => shop.end()))
    shop.on('close', () => down(0, () => browser.end()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = server.address()
  if (!own || typeof own === 'string') throw new Error('the line has no address')

  return {
    address: `http://localhost:${own.port}`,
    counts: () => ({ ...counts }),
    rules(next) {
      rules = next
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** One direction: what is sent waits for its turn and then for the distance. */
function makePipe(rules: () => LineRules) {
  let freeAt = 0
  return (bytes: number, deliver: () => void) => {
    const { bytesPerSecond, roundTripMs = 0 } = rules()
    const now = performance.now()
    freeAt = Math.max(now, freeAt) + (bytesPerSecond ? (bytes / bytesPerSecond) * 1000 : 0)
    setTimeout(deliver, freeAt - now + roundTripMs / 2)
  }
}

/** The same losses at every run (mulberry32). */
function seededRandom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
