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
  app.decorateRequest('ctx', {
    getter(this: FastifyRequest) {
      let ctx = made.get(this)
      if (!ctx) {
        ctx = { db, actor: this.actor ?? null, now: now(), ip: this.ip, realtime, jobs, log: this.log }
        made.set(this, ctx)
      }
      return ctx
    },
  })
}
