import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { addressKey } from '../address-key.ts'
import { countShareRefused } from '../metrics.ts'
import { memoryBuckets } from '../rate-limiter.ts'
import { bucketOf } from '../shares.ts'

/** Requests that one connection may send ahead. Browsers and proxies send none before the answer to the last. */
const MOST_WAITING = 16
/** From an address that floods. One, since an answer may have arrived just before this process hears that it was sent. */
const MOST_WAITING_OF_FLOODERS = 1
/** A body may come in this many pieces however small they are, and in more of at least this size. */
const FREE_PIECES = 1_000
const SMALLEST_PIECE_BYTES = 32
/** Ends what Node's parser does with the bytes that it has read. */
const STOP = -1

const FLOODS = 'connections that flood'

type Line = { isBusy: boolean; waiting: (() => void)[]; most: number }
type Parsing = { onIncoming?: ((request: IncomingMessage, keepAlive: boolean) => number) | null }

/**
 * Works on one request of a connection at a time: Node begins all that it has read, and an answer that nobody reads keeps those behind
 * it in memory. The next one begins once the answer before it is with the system. A connection that sends more ahead than any browser, or a
 * body in crumbs, is closed. With `now`, those of an address where that happens again and again are closed as soon as they send ahead at all: that
 * costs a flood its requests, and its neighbours, who wait for each answer, nothing. Call it before other hooks.
 */
export function answerInTurn(app: FastifyInstance, { now }: { now?: (() => Date) | undefined } = {}) {
  const lines = new WeakMap<Socket, Line>()
  const buckets = memoryBuckets()

  /** Closes a connection that has sent too much. */
  function cut(socket: Socket) {
    if (socket.destroyed) return
    const from = addressKey(socket.remoteAddress ?? '')
    socket.destroy()
    if (!now) return
    if (mostWaiting(from) < MOST_WAITING) countShareRefused(FLOODS)
    void buckets.settle({ ...bucketOf(FLOODS, from), cost: 1 }, now())
  }

  function mostWaiting(address: string): number {
    return now && buckets.left(bucketOf(FLOODS, address), now()).attempts === 0 ? MOST_WAITING_OF_FLOODERS : MOST_WAITING
  }

  app.server.on('connection', (socket: Socket) => {
    const line: Line = { isBusy: false, waiting: [], most: mostWaiting(addressKey(socket.remoteAddress ?? '')) }
    lines.set(socket, line)
    watchParser(socket, line.most, () => cut(socket))
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const line = lines.get(socket) ?? { isBusy: false, waiting: [], most: MOST_WAITING }
    lines.set(socket, line)
    reply.raw.once('close', () => {
      const next = line.waiting.shift()
      if (next) next()
      else line.isBusy = false
    })
    if (!line.isBusy) {
      line.isBusy = true
      done()
    } else if (line.waiting.length < line.most) line.waiting.push(() => socket.destroyed || done())
    else cut(socket)
  })
}

/**
 * Stops within what was read at once, 64 KB of which hold thousands of requests: closing the connection alone has Node make all of them
 * first, a tenth of a second or more in which nobody else is answered. Node has no public way for that; should a release change its
 * parser, only this is lost, and a test fails.
 */
function watchParser(socket: Socket, mostWaiting: number, cut: () => void) {
  const { parser } = socket as Socket & { parser?: Parsing | null }
  const begin = parser?.onIncoming
  if (!parser || typeof begin !== 'function') return
  let readBefore = -1
  let requests = 0
  parser.onIncoming = (request, keepAlive) => {
    if (socket.bytesRead !== readBefore) requests = 0
    readBefore = socket.bytesRead
    requests += 1
    if (requests > mostWaiting + 1) cut()
    if (socket.destroyed) return STOP
    if (request.headers['transfer-encoding'] !== undefined) boundPieces(request, cut)
    return begin(request, keepAlive)
  }
}

function boundPieces(request: IncomingMessage, cut: () => void) {
  const push = request.push.bind(request)
  let pieces = 0
  let bytes = 0
  request.push = (piece: Buffer | null, encoding) => {
    if (piece === null) return push(piece)
    pieces += 1
    bytes += piece.length
    if (pieces <= FREE_PIECES || bytes >= pieces * SMALLEST_PIECE_BYTES) return push(piece, encoding)
    cut()
    return false
  }
}
