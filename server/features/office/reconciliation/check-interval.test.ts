import { expect, test } from 'vitest'
import { openTestShop } from '../../../../test/app.ts'
import { call, makeUser } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'
import { readConfig } from '../../../platform/config.ts'
import { CHECK_QUEUE } from '../../../platform/queues.ts'

test('unless told otherwise, a shop checks its books half a minute after the last check: each schedules the next', async () => {
  const { reconcileEveryMs } = readConfig({}).timings
  expect(reconcileEveryMs).toBe(30_000)
  const shop = await openTestShop({ timings: { reconcileEveryMs } })
  expect((await call(shop, 'POST', '/admin/books/check', { as: await makeUser(shop, { level: 'Admin' }), body: {} })).status).toBe(200)
  const next = await until(async () => {
    const { rows } = await shop.database.db.query<{ seconds: number }>(
      `select extract(epoch from start_after - created_on)::float8 as seconds from jobs.job
       where name = $1 and state = 'created' and start_after > created_on`,
      [CHECK_QUEUE],
    )
    return rows[0]
  }, 30_000)
  expect(next.seconds).toBe(30)
  await shop.close()
})
