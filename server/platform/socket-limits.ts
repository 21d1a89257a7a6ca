import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'socket.io'
import { addressKey } from './address-key.ts'
import type { Log } from './log.ts'
import { type Bucket, memoryBuckets, openRateLimiter } from './rate-limiter.ts'

/**
 * Limits per process, each counting its own sockets. `perAddress` is wide because hundreds of phones share a mobile
 * operator's address. `trustedProxies` is as for requests.
 */
export type SocketLimits = {
  perUser: number
  perAddress: number
  messagesPerSecond: number
  trustedProxies: number
  /** Counts a request with all others of its address, and says whether it has one left. */
  mayAsk?: (address: string) => boolean
}

export type Gate = {
  /** Whether this request may open one more connection from its address. Requests of an open connection always pass. */
  hasRoom(request: IncomingMessage): boolean
}

/** Counts connections per address, also unauthenticated ones, and cuts those that flood the server. */
export function guardSockets(io: Pick<Server, 'engine'>, limits: SocketLimits, log: Log): Gate {
  const held = new Map<string, number>()
  const keyOf = (request: IncomingMessage) => addressKey(clientAddress(request, limits.trustedProxies))

  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    if (limits.mayAsk?.(clientAddress(request, limits.trustedProxies)) !== false) return next()
    response.writeHead(429)
    response.end()
  })
  io.engine.on('connection', (connection: Connection) => {
    const key = keyOf(connection.request)
    held.set(key, (held.get(key) ?? 0) + 1)
    connection.once('close', () => {
      const left = (held.get(key) ?? 1) - 1
      if (left > 0) held.set(key, left)
      else held.delete(key)
    })
    const limiter = openRateLimiter(memoryBuckets(), () => new Date())
    const messages = messagesBucket(limits.messagesPerSecond)
    connection.on('packet', () => {
      limiter.take([messages]).catch(() => {
        log.warn({ address: key }, 'cut a socket that sent too many messages')
        connection.close(true)
      })
    })
  })

  return {
    hasRoom: (request) => isKnown(request) || (held.get(keyOf(request)) ?? 0) < limits.perAddress,
  }
}

/** The part of an engine.io connection that is used here. */
type Connection = {
  request: IncomingMessage
  once(event: 'close', listener: () => void): void
  on(event: 'packet', listener: () => void): void
  close(discard: boolean): void
}

/** True for an upgrade, or the next poll, of an existing connection. */
function isKnown({ url }: IncomingMessage): boolean {
  return url !== undefined && /[?&]sid=[^&]/.test(url)
}

/** What one connection may send. */
export function messagesBucket(perSecond: number): Bucket {
  return { name: 'messages', size: perSecond, everyMs: 1_000 / perSecond }
}

/** The client's address: with N trusted proxies, the Nth entry of X-Forwarded-For from the right. */
function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = [headers['x-forwarded-for'] ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const nearestFirst = [socket.remoteAddress ?? '', ...forwarded.toReversed()]
  return nearestFirst[Math.min(trustedProxies, nearestFirst.length - 1)] ?? ''
}
