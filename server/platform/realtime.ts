import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createAdapter } from '@socket.io/postgres-adapter'
import { Server, type Socket } from 'socket.io'
import { REALTIME_API_PATH, REALTIME_PATH, type RealtimeEvent, type RealtimeEvents, type RealtimePayload } from '../../shared/realtime.ts'
import { rolesFor, type StaffRole, type WantedRole } from '../../shared/staff-rules.ts'
import type { Db, Tx } from './db.ts'
import { isToken } from './hash-token.ts'
import { type Log, warnSparingly } from './log.ts'
import { countSocketRefused } from './metrics.ts'
import { type Connection, cut, type Gate, guardSockets, LOGGED_EVERY_MS, type SocketLimits } from './socket-limits.ts'

/** Who receives an announcement: one user's devices, staff with one of the roles (owners always), or everyone signed in. */
export type Audience = { user: string } | { staff: WantedRole } | 'everyone'

export type Realtime = {
  /** Sends an event; call it after the commit. Never throws: clients that miss one read afresh when they reconnect. */
  announce<E extends RealtimeEvent>(audience: Audience, event: E, payload: RealtimePayload<E>): void
  /** Closes a user's sockets on every process, after a ban, sign-out or change of level. */
  disconnectUser(userId: string): void
  disconnectSession(sessionHash: Buffer): void
  /** The sessions of this process's sockets, without duplicates. */
  sessions(): Buffer[]
  /** The number of sockets connected to this process. */
  connected(): number
  close(): Promise<void>
}

export type SocketUser = { id: string; roles: readonly StaffRole[]; sessionHash: Buffer }
type Refusal = 'UNAUTHENTICATED' | 'TOO_MANY' | 'UNAVAILABLE'
type Authenticate = (token: string) => Promise<SocketUser | null>
type AppServer = Server<Record<string, never>, RealtimeEvents, Record<string, never>, { sessionHash: Buffer }>
type AppSocket = Socket<Record<string, never>, RealtimeEvents, Record<string, never>, { sessionHash: Buffer }>

const MAX_FRAME_BYTES = 16_384
/** PostgreSQL limits a notification to under 8,000 bytes; the adapter's own limit is one too high. */
const NOTIFY_LIMIT_BYTES = 7_900
/** Within which a client joins after its handshake; a phone on a slow line needs a few round trips. */
const CONNECT_MS = 10_000
const GOODBYE_MS = 500
const API_NAMESPACE = '/api'

export function openRealtime({
  server,
  authenticate,
  log,
  shared,
  limits,
  isOpenAt = async () => true,
}: {
  server: HttpServer
  authenticate: Authenticate
  log: Log
  /** Set when several processes share the database; announcements are then relayed between them. */
  shared?: Db | undefined
  /** No limits when unset, for benchmarks. */
  limits?: SocketLimits | undefined
  /** Whether the channel is there at the host that a request asks. */
  isOpenAt?: (request: IncomingMessage) => Promise<boolean>
}): Realtime {
  let gate: Gate | undefined
  const io: AppServer = new Server(server, {
    path: REALTIME_PATH,
    serveClient: false,
    connectTimeout: CONNECT_MS,
    maxHttpBufferSize: MAX_FRAME_BYTES,
    allowRequest: (request, decide) => {
      if (!isSameOrigin(request) || gate?.hasRoom(request) === false) return decide(null, false)
      isOpenAt(request).then(
        (isOpen) => decide(null, isOpen),
        () => decide(null, false),
      )
    },
  })
  if (limits) gate = guardSockets(io, limits, log)
  const listening = shared && openAdapterPool(shared)
  if (listening) {
    io.adapter(
      createAdapter(listening.pool, {
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
  // A client given the API's base address uses its path as a namespace; serve the same channel there.
  const namespaces = [io.of('/'), io.of(API_NAMESPACE)] as const
  const held = (userId: string) => namespaces.reduce((sum, { adapter }) => sum + (adapter.rooms.get(`user:${userId}`)?.size ?? 0), 0)

  const lines = new Set<Duplex>()
  server.on('upgrade', (_request: IncomingMessage, line: Duplex) => {
    lines.add(line)
    line.once('close', () => lines.delete(line))
  })

  const warn = warnSparingly(LOGGED_EVERY_MS)
  const most = limits?.perUser ?? Number.POSITIVE_INFINITY
  async function refusalOf(socket: AppSocket): Promise<Refusal | null> {
    const token = tokenOf(socket)
    // A made-up token seldom looks like one, and costs nothing then.
    if (!isToken(token)) return 'UNAUTHENTICATED'
    const enter = () => admit(socket, token, authenticate, { held, most })
    return gate ? gate.inTurn(socket.conn, enter) : enter()
  }

  for (const namespace of namespaces) {
    const askedOn = new WeakSet<object>()
    namespace.use((socket, next) => {
      const { conn } = socket
      // A client asks once and, when it is refused, on a new connection.
      if (askedOn.has(conn)) cut(conn as unknown as Connection)
      if (conn.readyState !== 'open' || askedOn.has(conn)) return next(new Error('UNAVAILABLE'))
      askedOn.add(conn)
      const refuse = (why: Refusal) => {
        next(new Error(why))
        if (conn.readyState !== 'open') return
        countSocketRefused(why)
        // The answer is sent on the next tick.
        setImmediate(() => conn.close())
      }
      refusalOf(socket).then(
        (refusal) => {
          if (refusal !== null) return refuse(refusal)
          gate?.admit(conn)
          next()
        },
        (error: unknown) => {
          if (conn.readyState === 'open') warn(log, { err: error }, 'a socket could not be authenticated')
          refuse('UNAVAILABLE')
        },
      )
    })
  }

  return {
    announce(audience, event, payload) {
      for (const namespace of namespaces) {
        if (!listening && namespace.sockets.size === 0) continue
        const target = audience === 'everyone' ? namespace : namespace.to(roomsOf(audience))
        // `emit`'s typing cannot follow the union of events; the signature above has checked the pair.
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
      // A phone that lost its signal never confirms the close and would delay shutdown by half a minute.
      const hangUp = setTimeout(() => {
        for (const line of lines) line.destroy()
      }, GOODBYE_MS)
      await closed
      clearTimeout(hangUp)
      listening?.close()
    },
  }
}

function roomsOf(audience: Exclude<Audience, 'everyone'>): string[] {
  return 'user' in audience ? [`user:${audience.user}`] : rolesFor(audience.staff).map(staffRoom)
}

function staffRoom(role: StaffRole): string {
  return `staff:${role}`
}

/** Read from the handshake's `auth` or Authorization header, never from the URL, which proxies and browsers log. */
function tokenOf({ handshake }: AppSocket): string {
  const token: unknown = handshake.auth.token
  if (token !== undefined) return typeof token === 'string' ? token : ''
  return /^Bearer ([A-Za-z0-9_-]{20,100})$/.exec(handshake.headers.authorization ?? '')?.[1] ?? ''
}

/** The reason to refuse a socket, or null. */
async function admit(
  socket: AppSocket,
  token: string,
  authenticate: Authenticate,
  { held, most }: { held: (userId: string) => number; most: number },
): Promise<Refusal | null> {
  const user = await authenticate(token)
  if (!user) return 'UNAUTHENTICATED'
  if (held(user.id) >= most) return 'TOO_MANY'
  socket.data.sessionHash = user.sessionHash
  await socket.join([`user:${user.id}`, sessionRoom(user.sessionHash), ...user.roles.map(staffRoom)])
  // Check again: a ban or demotion between authenticating and joining would not have closed this socket.
  const still = await authenticate(token)
  return still !== null && still.roles.join() === user.roles.join() ? null : 'UNAUTHENTICATED'
}

/**
 * The adapter never releases a connection that died, nor one that it was still opening when it was closed. The pool would
 * wait for such a connection when it ends, so both are released here. A connection that dies while it begins to listen makes
 * the adapter open two; the newest replaces the one before.
 */
function openAdapterPool(pool: Db): { pool: Db; close(): void } {
  const held = new Set<Tx>()
  let isClosed = false
  // An error would make the adapter try again.
  const nothing = () => new Promise<never>(() => undefined)

  async function connect() {
    if (isClosed) return nothing()
    const client = await pool.connect()
    const release = client.release.bind(client)
    // The pool gives a client another release() for each loan, so the end of a connection must call the one of this loan.
    const giveBack = (broken?: Error | boolean) => {
      if (held.delete(client)) release(broken)
    }
    client.release = giveBack
    for (const earlier of held) {
      // Its end is meant, and must not make the adapter open a third.
      earlier.removeAllListeners('end')
      earlier.release(true)
    }
    held.add(client)
    client.once('end', () => giveBack(true))
    if (!isClosed) return client
    giveBack()
    return nothing()
  }

  return {
    // The adapter uses only these two methods of the pool.
    pool: { connect, query: gatherNotifications(pool) } as unknown as Db,
    close() {
      isClosed = true
      for (const client of held) client.release(true)
    },
  }
}

/** What the adapter sends for each announcement; one sale makes eight. */
const NOTIFY_ONE = 'SELECT pg_notify($1, $2)'
const NOTIFY_ALL =
  'select pg_notify(n.channel, n.payload) from unnest($1::text[], $2::text[]) with ordinality as n (channel, payload, place) order by place'

/** A pool's `query` that sends what is announced at the same moment in one statement, in its order. */
function gatherNotifications(pool: Db): (text: string, values: string[]) => Promise<unknown> {
  let waiting: [channel: string, payload: string][] = []
  let sent: Promise<unknown> | null = null
  return (text, values) => {
    if (text !== NOTIFY_ONE) return pool.query(text, values)
    waiting.push(values as [string, string])
    // Once what runs now is done, so that nothing is left to send when the channel is closed.
    sent ??= Promise.resolve().then(() => {
      const all = waiting
      waiting = []
      sent = null
      return pool.query(NOTIFY_ALL, [all.map(([channel]) => channel), all.map(([, payload]) => payload)])
    })
    return sent
  }
}

function sessionRoom(sessionHash: Buffer): string {
  return `session:${sessionHash.toString('base64url')}`
}

/** Browsers send Origin; refuse sockets opened by other sites. */
function isSameOrigin(request: IncomingMessage): boolean {
  const origin = request.headers.origin
  if (origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === request.headers.host
}
