import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createAdapter } from '@socket.io/postgres-adapter'
import { Server, type Socket } from 'socket.io'
import { REALTIME_API_PATH, REALTIME_PATH, type RealtimeEvent, type RealtimeEvents, type RealtimePayload } from '../../shared/realtime.ts'
import type { Db } from './db.ts'
import type { Log } from './log.ts'
import { type Gate, guardSockets, type SocketLimits } from './socket-limits.ts'

/** Where an announcement goes: one user's devices, the admins, or everyone who is signed in. */
export type Audience = { user: string } | 'admins' | 'everyone'

export type Realtime = {
  /** Sends after a commit; never throws, since what is missed is read afresh on reconnect. */
  announce<E extends RealtimeEvent>(audience: Audience, event: E, payload: RealtimePayload<E>): void
  /** Closes a user's sockets on every process: the user was banned, signed out, or changed level. */
  disconnectUser(userId: string): void
  disconnectSession(sessionHash: Buffer): void
  /** Whose sessions the sockets of this process are, each once. */
  sessions(): Buffer[]
  /** How many sockets are connected to this process. */
  connected(): number
  close(): Promise<void>
}

export type SocketUser = { id: string; isAdmin: boolean; sessionHash: Buffer }
type Authenticate = (token: string) => Promise<SocketUser | null>
type AppServer = Server<Record<string, never>, RealtimeEvents, Record<string, never>, { sessionHash: Buffer }>
type AppSocket = Socket<Record<string, never>, RealtimeEvents, Record<string, never>, { sessionHash: Buffer }>

const MAX_FRAME_BYTES = 16_384
/** PostgreSQL takes a notification of less than 8,000 bytes; the adapter's own limit is one too high. */
const NOTIFY_LIMIT_BYTES = 7_900
const GOODBYE_MS = 500
const API_NAMESPACE = '/api'

export function openRealtime({
  server,
  authenticate,
  log,
  shared,
  limits,
}: {
  server: HttpServer
  authenticate: Authenticate
  log: Log
  /** Set when several processes share one database: announcements then cross from one to the others. */
  shared?: Db | undefined
  /** Unset: none, for measurements. */
  limits?: SocketLimits | undefined
}): Realtime {
  let gate: Gate | undefined
  const io: AppServer = new Server(server, {
    path: REALTIME_PATH,
    serveClient: false,
    maxHttpBufferSize: MAX_FRAME_BYTES,
    allowRequest: (request, decide) => decide(null, isSameOrigin(request) && gate?.hasRoom(request) !== false),
  })
  if (limits) gate = guardSockets(io, limits, log)
  if (shared) {
    io.adapter(
      createAdapter(givingBackDeadConnections(shared), {
        payloadThreshold: NOTIFY_LIMIT_BYTES,
        errorHandler: (error: Error) => log.warn({ err: error }, 'the realtime channel between processes failed'),
      }),
    )
  }

  const rewrite = (request: IncomingMessage) => {
    if (request.url?.startsWith(REALTIME_API_PATH)) request.url = request.url.slice(API_NAMESPACE.length)
  }
  server.prependListener('request', rewrite)
  server.prependListener('upgrade', rewrite)
  // A client that is given the API's base address takes its path for the name of a namespace: the same channel once more.
  const namespaces = [io.of('/'), io.of(API_NAMESPACE)] as const
  const held = (userId: string) => namespaces.reduce((sum, { adapter }) => sum + (adapter.rooms.get(`user:${userId}`)?.size ?? 0), 0)

  const lines = new Set<Duplex>()
  server.on('upgrade', (_request: IncomingMessage, line: Duplex) => {
    lines.add(line)
    line.once('close', () => lines.delete(line))
  })

  for (const namespace of namespaces) {
    namespace.use((socket, next) => {
      admit(socket, tokenOf(socket), authenticate, { held, most: limits?.perUser ?? Number.POSITIVE_INFINITY }).then(
        (refusal) => next(refusal === null ? undefined : new Error(refusal)),
        (error: unknown) => {
          log.warn({ err: error }, 'a socket could not be authenticated')
          next(new Error('UNAVAILABLE'))
        },
      )
    })
  }

  return {
    announce(audience, event, payload) {
      for (const namespace of namespaces) {
        const target = audience === 'everyone' ? namespace : namespace.to(audience === 'admins' ? 'admins' : `user:${audience.user}`)
        // The union of events is wider than the typing of emit can follow; the signature above has checked the pair.
        ;(target.emit as (name: string, body: unknown) => boolean).call(target, event, payload)
      }
    },
    disconnectUser(userId) {
      for (const namespace of namespaces) namespace.in(`user:${userId}`).disconnectSockets(true)
    },
    disconnectSession(sessionHash) {
      for (const namespace of namespaces) namespace.in(sessionRoom(sessionHash)).disconnectSockets(true)
    },
    sessions() {
      const hashes = namespaces.flatMap(({ sockets }) => [...sockets.values()].map(({ data }) => data.sessionHash))
      return [...new Map(hashes.map((hash) => [hash.toString('hex'), hash])).values()]
    },
    connected: () => io.engine.clientsCount,
    async close() {
      const closed = io.close()
      // A phone that lost its signal never answers a goodbye, and would keep the shop from closing for half a minute.
      const hangUp = setTimeout(() => {
        for (const line of lines) line.destroy()
      }, GOODBYE_MS)
      await closed
      clearTimeout(hangUp)
    },
  }
}

/** Of the handshake's `auth` or of its Authorization header; never of the address, which proxies and browsers keep. */
function tokenOf({ handshake }: AppSocket): string {
  const token: unknown = handshake.auth.token
  if (token !== undefined) return typeof token === 'string' ? token : ''
  return /^Bearer ([A-Za-z0-9_-]{20,100})$/.exec(handshake.headers.authorization ?? '')?.[1] ?? ''
}

/** Why a socket is not let in; null when it is. */
async function admit(
  socket: AppSocket,
  token: string,
  authenticate: Authenticate,
  { held, most }: { held: (userId: string) => number; most: number },
): Promise<'UNAUTHENTICATED' | 'TOO_MANY' | null> {
  const user = await authenticate(token)
  if (!user) return 'UNAUTHENTICATED'
  if (held(user.id) >= most) return 'TOO_MANY'
  socket.data.sessionHash = user.sessionHash
  await socket.join([`user:${user.id}`, sessionRoom(user.sessionHash), ...(user.isAdmin ? ['admins'] : [])])
  // Asked again: a ban or a demotion between the first answer and the joining found no socket to close.
  const still = await authenticate(token)
  return still !== null && still.isAdmin === user.isAdmin ? null : 'UNAUTHENTICATED'
}

/** The adapter takes a new connection when its own has died, and forgets to give the dead one back to the pool. */
function givingBackDeadConnections(pool: Db): Db {
  const connect = async () => {
    const client = await pool.connect()
    client.once('end', () => client.release(true))
    return client
  }
  // Of the pool, the adapter knows these two.
  return { connect, query: pool.query.bind(pool) } as unknown as Db
}

function sessionRoom(sessionHash: Buffer): string {
  return `session:${sessionHash.toString('base64url')}`
}

/** A browser names the page that opens a socket; a page of another site is refused. */
function isSameOrigin(request: IncomingMessage): boolean {
  const origin = request.headers.origin
  if (origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === request.headers.host
}
