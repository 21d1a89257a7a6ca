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

/** A client that has not read so much gets no more answers to its pings. */
const MOST_UNREAD_BYTES = 64 * 1024

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
  // `ws` would answer each ping by itself, however many and whether anybody reads the answers or not.
  const { ws } = io.engine as unknown as { ws?: { options: { autoPong: boolean } } }
  if (ws) ws.options.autoPong = false
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
    let isCut = false
    const count = () => {
      limiter.take([messages]).catch(() => {
        if (isCut) return
        isCut = true
        log.warn({ address: key }, 'cut a socket that sent too many messages')
        connection.close(true)
        // Whoever does not say goodbye in turn would be heard for another half a minute.
        connection.transport.socket?.terminate()
      })
    }
    connection.on('packet', count)
    const answerPings = ({ socket }: Transport) => {
      socket?.on('ping', (data) => {
        count()
        if (socket.bufferedAmount <= MOST_UNREAD_BYTES) socket.pong(data)
      })
    }
    answerPings(connection.transport)
    connection.on('upgrade', answerPings)
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
  on(event: 'upgrade', listener: (transport: Transport) => void): void
  transport: Transport
  close(discard: boolean): void
}

/** Of long polling there is no socket. */
type Transport = {
  socket?:
    | { bufferedAmount: number; on(event: 'ping', listener: (data: Buffer) => void): void; pong(data: Buffer): void; terminate(): void }
    | undefined
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
