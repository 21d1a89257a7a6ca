import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressKey } from '../address-key.ts'
import { TooManyAtOnce } from '../errors.ts'
import { countShareRefused } from '../metrics.ts'
import { shareOf } from '../shares.ts'
import type { KnownCallers } from './known-callers.ts'

/** What every usual request fits into. */
const SMALL_BYTES = 64 * 1024
/**
 * What bodies may take in one process, of accounts and of those who are not signed in, so that neither leaves the other without room, nor long ones
 * short ones. The smallest machine for a shop has 1 GB (docs/going-live.md).
 */
const TOTALS = { bodies: { long: 72_000_000, short: 24_000_000 }, 'open bodies': { long: 16_000_000, short: 16_000_000 } }
/** A full total is emptied by this part at once, as what to end must be looked for. */
const EMPTIED = 1 / 16

type Owners = keyof typeof TOTALS
type Totals = Record<Owners, Record<'long' | 'short', number>>

/**
 * Bounds the bodies that one account, or one address for everybody who is not signed in, has us keep: they are in memory from their first byte on,
 * long before the request counts as work in flight, and a client may take minutes to send one. A lane has room for few long ones, by what they say
 * they have, or what their route takes where they do not say. Beyond that, only what has arrived counts, until the reply is read or the client is gone: who
 * opens many bodies and sends little of them takes room from nobody. A full total ends the oldest body that still arrives, of the lane that has most.
 */
export function limitBodies(app: FastifyInstance, callers: KnownCallers, totals: Totals = TOTALS): { bytes: () => number } {
  const openBoth = (share: Owners) => ({ long: openTotal(totals[share].long), short: openTotal(totals[share].short) })
  const all = { bodies: openBoth('bodies'), 'open bodies': openBoth('open bodies') }

  app.addHook('onRequest', async (request, reply) => {
    const announced = bytesOf(request)
    if (announced === 0) return
    const owner = callers.ownerOf(request)
    const share = owner === undefined ? 'open bodies' : 'bodies'
    const { most } = shareOf(share)
    const length = announced > SMALL_BYTES ? 'long' : 'short'
    const total = all[share][length]
    const lane = total.laneOf(owner === undefined ? `at ${addressKey(request.ip)}` : `of ${owner}`)
    const isFull = length === 'long' && lane.announced > 0 && lane.announced + announced > most
    if (isFull || !total.makeRoom(lane, most)) {
      countShareRefused(share)
      // The rest of the body would be read before the next request otherwise.
      void reply.header('connection', 'close')
      throw new TooManyAtOnce()
    }
    const body: Body = { announced, bytes: 0, arrives: true, cut: () => cut(app, request.raw, body.arrives) }
    total.add(lane, body)
    const count = (bytes: number) => {
      total.count(lane, body, bytes)
      if (!total.makeRoom(lane, most)) total.end(lane, body)
    }
    countPieces(request.raw, count, () => {
      body.arrives = false
    })
    const end = () => total.remove(lane, body)
    reply.raw.once('finish', end)
    reply.raw.once('close', end)
  })
  return { bytes: () => Object.values(all).reduce((sum, { long, short }) => sum + long.bytes() + short.bytes(), 0) }
}

type Body = { announced: number; bytes: number; arrives: boolean; cut: () => void }
/** Bodies in the order in which they began. */
type Lane = { name: string; announced: number; bytes: number; bodies: Set<Body> }

function openTotal(most: number) {
  const lanes = new Map<string, Lane>()
  let bytes = 0

  function remove(lane: Lane, body: Body) {
    if (!lane.bodies.delete(body)) return
    bytes -= body.bytes
    lane.bytes -= body.bytes
    lane.announced -= body.announced
    if (lane.bodies.size === 0) lanes.delete(lane.name)
  }

  function end(lane: Lane, body: Body) {
    remove(lane, body)
    body.cut()
  }

  function endOldest(lane: Lane, which: (body: Body) => boolean): boolean {
    for (const body of lane.bodies) {
      if (!which(body)) continue
      end(lane, body)
      return true
    }
    return false
  }

  return {
    bytes: () => bytes,
    laneOf: (name: string): Lane => lanes.get(name) ?? { name, announced: 0, bytes: 0, bodies: new Set() },
    add(lane: Lane, body: Body) {
      lanes.set(lane.name, lane)
      lane.bodies.add(body)
      lane.announced += body.announced
    },
    count(lane: Lane, body: Body, more: number) {
      if (!lane.bodies.has(body)) return
      body.bytes += more
      lane.bytes += more
      bytes += more
      if (body.bytes >= body.announced) body.arrives = false
    },
    remove,
    end,
    /** False if the lane is full of what is here and worked on. A full total ends such bodies too, after all that still arrive. */
    makeRoom(lane: Lane, mostOfLane: number): boolean {
      while (lane.bytes > mostOfLane) if (!endOldest(lane, arrives)) return false
      if (bytes <= most) return true
      const fullestFirst = [...lanes.values()].sort((one, other) => other.bytes - one.bytes)
      for (const which of [arrives, () => true])
        for (const full of fullestFirst) while (bytes > most * (1 - EMPTIED) && endOldest(full, which));
      return true
    },
  }
}

const arrives = (body: Body) => body.arrives

/** Tells what has arrived of a body and what arrives, without reading it. */
function countPieces(request: IncomingMessage, count: (bytes: number) => void, onEnd: () => void) {
  const push = request.push.bind(request)
  request.push = (piece: Buffer | null, encoding) => {
    if (piece === null) onEnd()
    else count(piece.length)
    return push(piece, encoding)
  }
  if (request.readableLength > 0) count(request.readableLength)
  if (request.complete) onEnd()
}

function cut({ server }: FastifyInstance, { socket }: IncomingMessage, arrives: boolean) {
  if (!arrives) return socket.destroy()
  // As Node says it of a request that takes too long, so the reply is the same.
  server.emit('clientError', Object.assign(new Error('the body made room for others'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
}

function bytesOf({ headers, routeOptions }: FastifyRequest): number {
  const { bodyLimit } = routeOptions
  if (headers['transfer-encoding'] !== undefined) return bodyLimit
  // What is longer is refused before it is read.
  return Math.min(Number(headers['content-length'] ?? 0) || 0, bodyLimit)
}
