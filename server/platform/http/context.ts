import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import type { Db } from '../db.ts'
import type { JobQueue } from '../job-queue.ts'
import type { Realtime } from '../realtime.ts'

/** Gives every request its `ctx`, with a fixed time for the whole request. */
export function registerContext(
  app: FastifyInstance,
  { db, realtime, jobs, now }: { db: Db; realtime: Realtime; jobs: JobQueue; now: () => Date },
) {
  const made = new WeakMap<FastifyRequest, Ctx>()
  const replies = new WeakMap<FastifyRequest, ServerResponse>()
  app.addHook('onRequest', async (request, reply) => void replies.set(request, reply.raw))
  app.decorateRequest('ctx', {
    getter(this: FastifyRequest) {
      let ctx = made.get(this)
      if (!ctx) {
        ctx = { db, actor: this.actor ?? null, now: now(), ip: this.ip, realtime, jobs, log: this.log, gone: signalGone(replies.get(this)) }
        made.set(this, ctx)
      }
      return ctx
    },
  })
}

/** Made when somebody asks for it, since few requests do. */
function signalGone(reply: ServerResponse | undefined): () => AbortSignal {
  let gone: AbortController | undefined
  return () => {
    if (gone) return gone.signal
    const made = new AbortController()
    gone = made
    if (reply?.destroyed) made.abort()
    else reply?.once('close', () => made.abort())
    return made.signal
  }
}
