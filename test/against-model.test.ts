import { afterAll, beforeAll, expect, test } from 'vitest'
import { playSome, type Target } from '../resilience/against-model.ts'
import { reconcileLedger } from '../server/features/office/reconciliation/reconcile-ledger.ts'
import { checkLedger } from '../server/ledger/check-ledger.ts'
import { createLog } from '../server/platform/log.ts'
import { openTestShop, type TestShop } from './app.ts'
import { call, makeUser } from './builders.ts'

let shop: TestShop
let target: Target
beforeAll(async () => {
  // No webhook events: the model could not tell when they arrive.
  shop = await openTestShop({ withSandbox: true })
  const admin = await makeUser(shop, { level: 'Admin' })
  const { db } = shop.database
  target = {
    db,
    admin: { ...admin, id: admin._id } as never,
    async call(method, path, { as, body, headers = {} }) {
      shop.clock.advance(5_000)
      // What a card payment has left goes into the wallet by the clock: the model could not tell when.
      await db.query(`update payments set unspent_until = $1 where unspent_until < $1`, [new Date(shop.clock.now.getTime() + 86_400_000)])
      return (await call(shop, method as 'POST', path, { as: as as never, body: body as object, headers })) as never
    },
    async pay(reference) {
      shop.sandbox?.cardProvider.addFault({ call: 'webhook', kind: 'lose', reference, times: 100 })
      await db.query(`update payments set check_at = $2 where reference = $1 and status = 'open'`, [
        reference,
        new Date(shop.clock.now.getTime() + 86_400_000),
      ])
      await shop.sandbox?.cardProvider.pay(reference)
    },
    restart: async () => undefined,
    async prove() {
      await reconcileLedger({ db, now: shop.clock.now, log: createLog('silent') } as never, {}, { workMs: 60_000 })
      return (await checkLedger(db)).map(({ rule, subject, detail }) => `${rule}: ${subject}: ${detail}`)
    },
  }
})
afterAll(() => shop.close())

test.each([1, 2])(
  'whatever customers ask for, with ids used again, refused and claimed by cards, the shop answers as the model does and never pauses sales (%i)',
  async (seed) => {
    expect(await playSome(target, { seed, runs: 2, steps: 60 })).toBeNull()
  },
)
