import type { FastifyInstance } from 'fastify'
import type { Db } from '../db.ts'
import type { DiskSpace } from '../disk-space.ts'

const READY_WITHIN_MS = 1_000

/** `/healthz`: the process runs. `/readyz`: it can sell, which needs the database and, where that is embedded, space on its disk. */
export function registerHealth(app: FastifyInstance, db: Db, disk: Pick<DiskSpace, 'isFull'> | null) {
  const quiet = { logLevel: 'warn' as const, schema: { hide: true } }
  app.get('/healthz', quiet, async () => ({ status: 'up' }))
  app.get('/readyz', quiet, async (_request, reply) => {
    const [isAnswering, isFull] = await Promise.all([answers(db), disk?.isFull() ?? false])
    const reasons = [!isAnswering && 'the database does not answer', isFull && 'the disk is full'].filter(Boolean)
    if (reasons.length === 0) return { status: 'ready' }
    return reply.code(503).send({ status: 'not ready', reason: reasons.join(', ') })
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
