import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'socket.io'
import { addressKey, networkKey } from './address-key.ts'
import { TooManyAttempts } from './errors.ts'
import { laneOf, openFairTurns } from './fair-turns.ts'
import { type Log, warnSparingly } from './log.ts'
import { countShareRefused, countSocketRefused } from './metrics.ts'
import { type Bucket, memoryBuckets } from './rate-limiter.ts'
import { shareOf } from './shares.ts'

/**
 * Limits per process, each counting its own sockets. `perAddress` is wide because hundreds of phones share a mobile
 * operator's address. `trustedProxies` is as for requests.
 */
export type SocketLimits = {
  perUser: number
  perAddress: number
  messagesPerSecond: number
  trustedProxies: number
  /** Of all connections that nobody has signed in on, which cost a stranger nothing; beyond it, old ones make room. */
  notSignedIn?: number
  /** Counts a request with all others of its address, and says whether it has one left. */
  mayAsk?: (address: string) => boolean
}

/** A client that has not read so much gets no more answers to its pings. */
const MOST_UNREAD_BYTES = 64 * 1024

/** A phone on a slow line signs in within a few seconds of its handshake. */
const NOT_SIGNED_IN = 2_000
/** Signing in only reads the database; so few leave it to all others. A client gives up after twice as long. */
const SIGN_INS = { atOnce: 4, inAll: 2 * NOT_SIGNED_IN, waitMs: 10_000 }
export const LOGGED_EVERY_MS = 60_000
/** Browsers send one or two kilobytes. */
const MOST_HEADER_BYTES = 8 * 1024

export type Gate = {
  /** Whether this request may open one more connection from its address. Requests of an open connection always pass. */
  hasRoom(request: IncomingMessage): boolean
  /**
   * Does what signs in on a connection, with no more of its network than there is a place for.
   * @throws whatever `work` throws, or `openFairTurns` when there is no place or the connection has closed; `work` has not begun then.
   */
  inTurn<T>(connection: Pick<Connection, 'once' | 'off'>, work: () => Promise<T>): Promise<T>
  /** Takes a connection, once its token was genuine, out of those that make room for others. */
  admit(connection: object): void
}

/** Counts connections per address, also unauthenticated ones, and cuts those that flood the server. */
export function guardSockets(io: Pick<Server, 'engine'>, limits: SocketLimits, log: Log): Gate {
  const held = new Map<string, number>()
  const strangers = holdStrangers(limits.notSignedIn ?? NOT_SIGNED_IN, cut)
  const addressOf = (request: IncomingMessage) => clientAddress(request, limits.trustedProxies)
  const keyOf = (request: IncomingMessage) => addressKey(addressOf(request))
  const networks = new WeakMap<object, string>()
  const signIns = openFairTurns({ ...SIGN_INS, ...laneOf(shareOf('open requests')) })
  const warn = warnSparingly(LOGGED_EVERY_MS)

  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const refusal = headerBytes(request) > MOST_HEADER_BYTES ? 431 : limits.mayAsk?.(addressOf(request)) === false ? 429 : null
    if (refusal === null) return next()
    response.writeHead(refusal)
    response.end()
  })
  // `ws` would answer each ping by itself, however many and whether anybody reads the answers or not.
  const { ws } = io.engine as unknown as { ws?: { options: { autoPong: boolean } } }
  if (ws) ws.options.autoPong = false
  io.engine.on('connection', (connection: Connection) => {
    const key = keyOf(connection.request)
    networks.set(connection, networkKey(addressOf(connection.request)))
    held.set(key, (held.get(key) ?? 0) + 1)
    connection.request = slim(connection.request)
    strangers.add(key, connection)
    connection.once('close', () => {
      strangers.remove(connection)
      const left = (held.get(key) ?? 1) - 1
      if (left > 0) held.set(key, left)
      else held.delete(key)
    })
    const sent = memoryBuckets()
    const messages = messagesBucket(limits.messagesPerSecond)
    let isCut = false
    // At once: of long polling, hundreds of messages come in one piece.
    const count = () => {
      if (isCut) return
      const now = new Date()
      if (sent.left(messages, now).attempts > 0) {
        void sent.settle({ ...messages, cost: 1 }, now)
        return
      }
      isCut = true
      countSocketRefused('flood')
      warn(log, { address: key }, 'cut a socket that sent too many messages')
      cut(connection)
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
    async inTurn(connection, work) {
      const gone = new AbortController()
      const leave = () => gone.abort()
      connection.once('close', leave)
      const taking = signIns.take({ lane: networks.get(connection) ?? '' }, { signal: gone.signal })
      const turn = await taking.catch(refused).finally(() => connection.off('close', leave))
      try {
        return await work()
      } finally {
        turn.end()
      }
    },
    admit: (connection) => strangers.remove(connection as Connection),
  }
}

/** Connections that nobody has signed in on: beyond `most`, the oldest from the address that holds most of them is cut. */
function holdStrangers(most: number, cutOff: (connection: Connection) => void) {
  const addresses = new Map<string, Set<Connection>>()
  const addressOf = new Map<Connection, string>()

  function remove(connection: Connection) {
    const address = addressOf.get(connection)
    if (address === undefined) return
    addressOf.delete(connection)
    const there = addresses.get(address)
    there?.delete(connection)
    if (there?.size === 0) addresses.delete(address)
  }

  return {
    remove,
    add(address: string, connection: Connection) {
      addressOf.set(connection, address)
      const there = addresses.get(address) ?? new Set()
      addresses.set(address, there.add(connection))
      if (addressOf.size <= most) return
      let fullest = there
      for (const one of addresses.values()) if (one.size > fullest.size) fullest = one
      const [oldest = connection] = fullest
      remove(oldest)
      cutOff(oldest)
    },
  }
}

function refused(error: unknown): never {
  if (error instanceof TooManyAttempts) countShareRefused('open requests')
  throw error
}

/** Ends a connection at once. What has arrived of it and was not heard yet is dropped, the message that is being heard too. */
export function cut(connection: Connection) {
  connection.removeAllListeners('data')
  connection.close(true)
  // Whoever does not say goodbye in turn would be heard for another half a minute.
  connection.transport.socket?.terminate()
}

/** What Socket.IO reads of a handshake later on: the whole request would stay in memory for the life of its connection. */
function slim({ headers: { authorization }, url, socket, _query }: Handshake): Handshake {
  const { encrypted } = socket as { encrypted?: boolean }
  const kept = {
    headers: { ...(authorization !== undefined && { authorization }) },
    url: url?.slice(0, 200),
    _query,
    connection: { encrypted },
  }
  return kept as unknown as Handshake
}

function headerBytes({ rawHeaders, url = '' }: IncomingMessage): number {
  return rawHeaders.reduce((sum, part) => sum + part.length, url.length)
}

/** The part of an engine.io connection that is used here. */
export type Connection = {
  request: Handshake
  once(event: 'close', listener: () => void): void
  off(event: 'close', listener: () => void): void
  removeAllListeners(event: 'data'): void
  on(event: 'packet', listener: () => void): void
  on(event: 'upgrade', listener: (transport: Transport) => void): void
  transport: Transport
  close(discard: boolean): void
}

type Handshake = IncomingMessage & { _query?: Record<string, string> }

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
