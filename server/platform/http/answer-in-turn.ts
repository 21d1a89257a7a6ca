import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { addressKey } from '../address-key.ts'
import { countShareRefused } from '../metrics.ts'
import { memoryBuckets } from '../rate-limiter.ts'
import { bucketOf } from '../shares.ts'

/** Requests that one connection may send ahead. Browsers and proxies send none before the answer to the last. */
const MOST_WAITING = 16
/** A body may come in this many pieces however small they are, and in more of at least this size. */
const FREE_PIECES = 1_000
const SMALLEST_PIECE_BYTES = 32
/** Ends what Node's parser does with the bytes that it has read. */
const STOP = -1

const FLOODS = 'connections that flood'

type Line = { isBusy: boolean; waiting: (() => void)[] }
type Parsing = { onIncoming?: ((request: IncomingMessage, keepAlive: boolean) => number) | null }

/**
 * Works on one request of a connection at a time: Node begins all that it has read, and an answer that nobody reads keeps those behind
 * it in memory. The next one begins once the answer before it is with the system. A connection that sends more ahead than any browser, or a
 * body in crumbs, is closed; with `now`, an address whose connections do so again and again has none for a while. Call it before other hooks.
 */
export function answerInTurn(app: FastifyInstance, { now }: { now?: (() => Date) | undefined } = {}) {
  const lines = new WeakMap<Socket, Line>()
  const buckets = memoryBuckets()

  /** Closes a connection that has sent too much. */
  function cut(socket: Socket) {
    if (socket.destroyed) return
    const from = addressKey(socket.remoteAddress ?? '')
    socket.destroy()
    if (now) void buckets.settle({ ...bucketOf(FLOODS, from), cost: 1 }, now())
  }

  app.server.on('connection', (socket: Socket) => {
    if (now && buckets.left(bucketOf(FLOODS, addressKey(socket.remoteAddress ?? '')), now()).attempts === 0) {
      countShareRefused(FLOODS)
      socket.destroy()
    } else watchParser(socket, () => cut(socket))
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const line = lines.get(socket) ?? { isBusy: false, waiting: [] }
    lines.set(socket, line)
    reply.raw.once('close', () => {
      const next = line.waiting.shift()
      if (next) next()
      else line.isBusy = false
    })
    if (!line.isBusy) {
      line.isBusy = true
      done()
    } else if (line.waiting.length < MOST_WAITING) line.waiting.push(() => socket.destroyed || done())
    else cut(socket)
  })
}

/**
 * Stops within what was read at once, 64 KB of which hold thousands of requests: closing the connection alone has Node make all of them
 * first, a tenth of a second or more in which nobody else is answered. Node has no public way for that; should a release change its
 * parser, only this is lost, and a test fails.
 */
function watchParser(socket: Socket, cut: () => void) {
  const { parser } = socket as Socket & { parser?: Parsing | null }
  const begin = parser?.onIncoming
  if (!parser || typeof begin !== 'function') return
  let readBefore = -1
  let requests = 0
  parser.onIncoming = (request, keepAlive) => {
    if (socket.bytesRead !== readBefore) requests = 0
    readBefore = socket.bytesRead
    requests += 1
    if (requests > MOST_WAITING + 1) cut()
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
