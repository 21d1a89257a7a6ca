import type { IncomingMessage } from 'node:http'
import type { Server } from 'socket.io'
import { addressKey } from './http/address-key.ts'
import type { Log } from './log.ts'

/**
 * What one process bears: each holds its own sockets, so each counts them for itself. `perAddress` is wide, since hundreds of
 * phones share one address of a mobile operator. `trustedProxies` as for requests.
 */
export type SocketLimits = { perUser: number; perAddress: number; messagesPerSecond: number; trustedProxies: number }

const SECOND_MS = 1_000

export type Gate = {
  /** Whether one more may come from where this request comes from. One that is there already may go on. */
  hasRoom(request: IncomingMessage): boolean
}

/** Counts the connections of each address, those that have not shown a token yet too, and cuts one that floods the shop. */
export function guardSockets(io: Pick<Server, 'engine'>, limits: SocketLimits, log: Log): Gate {
  const held = new Map<string, number>()
  const keyOf = (request: IncomingMessage) => addressKey(askerOf(request, limits.trustedProxies))

  io.engine.on('connection', (line: Line) => {
    const key = keyOf(line.request)
    held.set(key, (held.get(key) ?? 0) + 1)
    line.once('close', () => {
      const left = (held.get(key) ?? 1) - 1
      if (left > 0) held.set(key, left)
      else held.delete(key)
    })
    const isTooFast = countMessages(limits.messagesPerSecond)
    line.on('packet', () => {
      if (!isTooFast()) return
      log.warn({ address: key }, 'a socket that sent too much was cut')
      line.close(true)
    })
  })

  return {
    hasRoom: (request) => isKnown(request) || (held.get(keyOf(request)) ?? 0) < limits.perAddress,
  }
}

/** A connection of the engine below socket.io, as far as it is used here. */
type Line = {
  request: IncomingMessage
  once(event: 'close', listener: () => void): void
  on(event: 'packet', listener: () => void): void
  close(discard: boolean): void
}

/** An upgrade, or the next request of one that polls. */
function isKnown({ url }: IncomingMessage): boolean {
  return url !== undefined && /[?&]sid=[^&]/.test(url)
}

/** True from the first message on that is one too many within a second. */
export function countMessages(most: number, clock = () => performance.now()): () => boolean {
  let since = Number.NEGATIVE_INFINITY
  let count = 0
  return () => {
    const now = clock()
    if (now - since >= SECOND_MS) {
      since = now
      count = 0
    }
    count += 1
    return count > most
  }
}

/** The nearest address that no trusted proxy speaks for: of "client, proxy" and one proxy the proxy's word "client". */
function askerOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = [headers['x-forwarded-for'] ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const nearestFirst = [socket.remoteAddress ?? '', ...forwarded.toReversed()]
  return nearestFirst[Math.min(trustedProxies, nearestFirst.length - 1)] ?? ''
}
