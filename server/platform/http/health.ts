import type { FastifyInstance } from 'fastify'
import type { Db } from '../db.ts'

const READY_WITHIN_MS = 1_000

/** `/healthz`: the process runs. `/readyz`: it can serve, which needs the database. */
export function registerHealth(app: FastifyInstance, db: Db) {
  const quiet = { logLevel: 'warn' as const, schema: { hide: true } }
  app.get('/healthz', quiet, async () => ({ status: 'up' }))
  app.get('/readyz', quiet, async (_request, reply) => {
    if (await answers(db)) return { status: 'ready' }
    return reply.code(503).send({ status: 'not ready', reason: 'the database does not answer' })
  })
}

async function answers(db: Db): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(resolve, READY_WITHIN_MS, false).unref())
  const query = db.query('select 1').then(
    () => true,
    () => false,
  )
  return Promise.race([query, timeout])
}
