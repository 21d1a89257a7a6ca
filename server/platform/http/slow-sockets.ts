import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export type SlowSocketLimits = {
  /** A socket on which nothing moves is closed after this. */
  idleMs: number
  /** How long the shop itself may work on a request that has arrived whole. */
  workMs: number
  /** A body has this long, and a second more for each `bytesPerSecond` that came. */
  bodyMs: number
  bytesPerSecond: number
  lookEveryMs: number
}

export const SLOW_SOCKETS: SlowSocketLimits = { idleMs: 20_000, workMs: 60_000, bodyMs: 20_000, bytesPerSecond: 1_000, lookEveryMs: 2_000 }

/**
 * Lets slow requests live while they move, and closes sockets that stand still: a body that trickles in below a slow phone's rate, and
 * a socket on which nothing moves although it is the client's turn.
 */
export function limitSlowSockets(app: FastifyInstance, limits: SlowSocketLimits = SLOW_SOCKETS) {
  const { idleMs, workMs } = limits
  limitSlowBodies(app.server, limits)
  // Once the body is there, it is the shop's turn until its reply begins.
  app.addHook('preValidation', ({ raw }, _reply, done) => {
    allow(raw.socket, workMs)
    done()
  })
  app.addHook('onSend', ({ raw }, _reply, payload, done) => {
    allow(raw.socket, idleMs)
    done(null, payload)
  })
}

/** A request that `inject` makes up has no real socket. */
function allow(socket: Partial<Socket>, ms: number) {
  socket.setTimeout?.(ms)
}

type Arriving = { socket: Socket; since: number; bytesBefore: number; isComplete: () => boolean }

function limitSlowBodies(server: Server, { bodyMs, bytesPerSecond, lookEveryMs }: SlowSocketLimits) {
  const arriving = new Set<Arriving>()
  server.on('request', (request) => {
    if (request.complete) return
    const { socket } = request
    const one: Arriving = { socket, since: performance.now(), bytesBefore: socket.bytesRead, isComplete: () => request.complete }
    arriving.add(one)
    request.once('close', () => arriving.delete(one))
    request.once('end', () => arriving.delete(one))
  })
  const looking = setInterval(() => {
    const now = performance.now()
    for (const one of arriving) {
      const { socket, since, bytesBefore } = one
      const allowedMs = bodyMs + ((socket.bytesRead - bytesBefore) / bytesPerSecond) * 1_000
      if (one.isComplete() || now - since <= allowedMs) continue
      arriving.delete(one)
      // As Node says it of a request that takes too long, so the reply is the same.
      server.emit('clientError', Object.assign(new Error('the body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    }
  }, lookEveryMs)
  looking.unref()
  server.once('close', () => clearInterval(looking))
}
