import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Requests that one connection may send ahead. Browsers and proxies send none before the answer to the last. */
const MOST_WAITING = 16

type Line = { isBusy: boolean; waiting: (() => void)[] }

/**
 * Works on one request of a connection at a time: Node begins all that it has read, and an answer that nobody reads keeps those behind
 * it in memory. The next one begins once the answer before it is with the system. Call it before other hooks.
 */
export function answerInTurn(app: FastifyInstance) {
  const lines = new WeakMap<Socket, Line>()
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
    else socket.destroy()
  })
}
