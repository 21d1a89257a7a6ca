import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { StatementLine } from '../../../../shared/wallet.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { pick, randomFrom } from '../../../../test/random.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { SHARES } from '../../../platform/shares.ts'
import { readSheet } from '../../office/day-close/read-sheet.ts'
import { selectFunds } from '../../office/stats/stats.sql.ts'
import { releaseReservations } from './release-reservations.ts'
import { RESERVED_FOR_MS } from './reserve-balance.ts'

let shop: TestShop
let owner: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
  owner = await makeUser(shop, { level: 'Admin' })
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

type Reply = { balance: number; code: string; order: { _id: string } }

const debit = (as: SignedInUser, amount: unknown, chosenId = as._id) =>
  call<Reply>(shop, 'PUT', '/user/balance', { as, body: { chosenId, amount } })

const create = (as: SignedInUser, { id = randomUUID(), totalAmount = 5.5 } = {}) =>
  call<Reply>(shop, 'POST', '/order/create', {
    as,
    body: { newOrder: { id, totalAmount, offer: '1GB', receiver: '0551234567', network: 'MTN' } },
  })

/** Balance and what is set aside, in pesewas. */
async function walletOf(user: SignedInUser): Promise<[number, number]> {
  const { rows } = await shop.database.db.query<{ balance: number; reserved: number }>(
    'select balance_pesewas as balance, reserved_pesewas as reserved from wallets where user_id = $1',
    [user._id],
  )
  return [rows[0]!.balance, rows[0]!.reserved]
}

const release = () => releaseReservations(makeCtx(shop).ctx)

describe('a client that debits the wallet before it orders', () => {
  test('pays once for a cart of three', async () => {
    const ama = await makeUser(shop, { balance: 20 })
    expect((await debit(ama, -16.5)).body).toEqual({ balance: 3.5 })
    expect(await walletOf(ama)).toEqual([350, 1650])
    for (let item = 0; item < 3; item++) expect((await create(ama)).status).toBe(200)
    expect(await walletOf(ama)).toEqual([350, 0])
    const { body } = await call<StatementLine[]>(shop, 'GET', '/wallet/statement', { as: ama })
    expect(body.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
      ['Order', -5.5, 3.5],
      ['Order', -5.5, 9],
      ['Order', -5.5, 14.5],
      ['Back from set aside', 16.5, 20],
      ['Set aside', -16.5, 3.5],
      ['Credit by the shop', 20, 20],
    ])
  })

  test('sets all the wallet has aside and no more; what was set aside before counts', async () => {
    const ama = await makeUser(shop, { balance: 10 })
    expect([(await debit(ama, -10.01)).status, (await debit(ama, -6)).status, (await debit(ama, -4)).status]).toEqual([402, 200, 200])
    expect(await walletOf(ama)).toEqual([0, 1000])
    expect((await debit(ama, -7)).body).toEqual({ balance: 3 })
    expect(await walletOf(ama)).toEqual([300, 700])
  })

  test('from two tabs at once neither loses nor makes a pesewa', async () => {
    const ama = await makeUser(shop, { balance: 12 })
    await Promise.all(
      [1, 2].map(async () => {
        await debit(ama, -5.5)
        await create(ama)
      }),
    )
    expect(await walletOf(ama)).toEqual([100, 0])
  })

  test.each([
    ['a credit of oneself', 5, undefined],
    ["a debit of somebody else's wallet", -5, () => owner._id],
    ["a credit of somebody else's wallet", 5, () => owner._id],
  ])('is refused %s', async (_name, amount, whose) => {
    const ama = await makeUser(shop, { level: 'Agent', balance: 10 })
    expect((await debit(ama, amount, whose?.())).status).toBe(403)
    expect(await walletOf(ama)).toEqual([1000, 0])
  })

  test('with a note or a key it is a debit by the shop, for its staff alone', async () => {
    const ama = await makeUser(shop, { balance: 10 })
    const rich = await makeUser(shop, { level: 'Admin', balance: 10 })
    const body = (user: SignedInUser) => ({ chosenId: user._id, amount: -4, note: 'for the till' })
    expect((await call(shop, 'PUT', '/user/balance', { as: ama, body: body(ama) })).status).toBe(403)
    expect((await call(shop, 'PUT', '/user/balance', { as: rich, body: body(rich) })).status).toBe(200)
    const headers = { 'idempotency-key': randomUUID() }
    expect((await call(shop, 'PUT', '/user/balance', { as: rich, body: { chosenId: rich._id, amount: -1 }, headers })).status).toBe(200)
    expect(await walletOf(rich)).toEqual([500, 0])
    expect((await debit(rich, -5)).status).toBe(200)
    expect(await walletOf(rich)).toEqual([0, 500])
  })

  test('a limited number of times', async () => {
    const ama = await makeUser(shop, { balance: 10 })
    const statuses: number[] = []
    for (let time = 0; time < 61; time++) statuses.push((await debit(ama, -0.01)).status)
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([60, 429])
  })

  test('in a day no more than the share of money to and fro, which an order that uses it gives back', async () => {
    const ama = await makeUser(shop, { level: 'Agent', balance: 20 })
    const { most } = SHARES['money to and fro']
    for (let time = 0; time < most; time++) {
      expect((await debit(ama, -0.01)).status).toBe(200)
      // The other limit allows it again.
      shop.clock.advance(2_000)
    }
    expect((await debit(ama, -0.01)).status).toBe(429)
    // What is refused gives nothing back.
    expect((await create(ama, { totalAmount: 1 })).status).toBe(409)
    expect((await debit(ama, -0.01)).status).toBe(429)
    const { amount, ...line } = await cartLine(shop, { as: 'Agent' })
    const ways = [
      () => create(ama, { totalAmount: amount }),
      () => {
        const body = { total: amount, lines: [{ number: 1, text: 'one', ...line, amount, name: '' }] }
        return call(shop, 'POST', '/bulk', { as: ama, body, headers: { 'idempotency-key': randomUUID() } })
      },
    ]
    for (const buy of ways) {
      // A place has come again by itself.
      shop.clock.advance(SHARES['money to and fro'].everyMs)
      expect((await debit(ama, -0.02)).status).toBe(200)
      expect((await debit(ama, -0.02)).status).toBe(429)
      expect((await buy()).status).toBe(200)
      expect((await debit(ama, -0.02)).status).toBe(200)
      expect((await debit(ama, -0.02)).status).toBe(429)
    }
  })

  test('not while purchases are paused', async () => {
    const ama = await makeUser(shop, { balance: 10 })
    const { db } = shop.database
    await db.query(`insert into purchase_pauses (paused_at, found) values (now(), '[]')`)
    expect((await debit(ama, -5)).body.code).toBe('PURCHASES_PAUSED')
    await db.query(`update purchase_pauses set lifted_at = now(), lifted_by = $1, lift_reason = 'well'`, [owner._id])
    expect(await walletOf(ama)).toEqual([1000, 0])
  })
})

describe('what is set aside and never used', () => {
  test('is back after two minutes and not before, also for a banned customer, once', async () => {
    const [ama, kofi] = [await makeUser(shop, { balance: 10 }), await makeUser(shop, { balance: 8 })]
    await debit(ama, -6)
    await debit(kofi, -7)
    await call(shop, 'PUT', `/user/${kofi._id}/status`, { as: owner, body: { status: 'Banned' } })
    shop.clock.advance(RESERVED_FOR_MS - 1)
    await release()
    expect([await walletOf(ama), await walletOf(kofi)]).toEqual([
      [400, 600],
      [100, 700],
    ])
    shop.clock.advance(1)
    await Promise.all(Array.from({ length: 5 }, release))
    expect([await walletOf(ama), await walletOf(kofi)]).toEqual([
      [1000, 0],
      [800, 0],
    ])
  })

  test('counts as money in wallets, in the statistics and when the day is closed', async () => {
    const ama = await makeUser(shop, { balance: 10 })
    const range = { from: new Date(shop.clock.now.getTime() - 1), until: new Date(shop.clock.now.getTime() + 60_000) }
    const { db } = shop.database
    const before = await selectFunds(db)
    const sheet = await readSheet(db, range)
    await debit(ama, -6)
    expect(await selectFunds(db)).toEqual(before)
    expect((await readSheet(db, range)).closingPesewas).toBe(sheet.closingPesewas)
  })
})

describe('all that was set aside can be spent at once', () => {
  const ways: [string, (user: SignedInUser) => Promise<{ status: number }>][] = [
    ['in the cart', async (user) => checkout(shop, user, [await cartLine(shop, { as: 'Agent' })])],
    ['by POST /order/create', async (user) => create(user, { totalAmount: (await cartLine(shop, { as: 'Agent' })).amount })],
    [
      'by a list',
      async (user) => {
        const { amount, ...line } = await cartLine(shop, { as: 'Agent' })
        const lines = [{ number: 1, text: 'one', ...line, amount, name: '' }]
        return call(shop, 'POST', '/bulk', { as: user, body: { total: amount, lines }, headers: { 'idempotency-key': randomUUID() } })
      },
    ],
    ['by a debit of the shop', (user) => call(shop, 'PUT', '/user/balance', { as: owner, body: { chosenId: user._id, amount: -5 } })],
  ]

  test.each(ways)('%s', async (_name, spend) => {
    const user = await makeUser(shop, { level: 'Agent', balance: 5 })
    await debit(user, -5)
    expect(await walletOf(user)).toEqual([0, 500])
    expect(await spend(user)).toMatchObject({ status: 200 })
    expect((await walletOf(user))[1]).toBe(0)
  })
})

/** A customer as the model knows them, in pesewas. */
type Model = { user: SignedInUser; money: number; reserved: number; until: number; banned: boolean }

test.each([1, 2, 3])('whatever comes in between, the wallet is what the model says (%i)', async (seed) => {
  const random = randomFrom(seed)
  const models: Model[] = []
  for (const balance of [30, 12]) {
    models.push({ user: await makeUser(shop, { balance }), money: balance * 100, reserved: 0, until: 0, banned: false })
  }
  const spend = (model: Model, pesewas: number) => {
    model.reserved = 0
    if (model.money < pesewas) return 402
    model.money -= pesewas
    return 200
  }
  const steps: ((model: Model) => Promise<void>)[] = [
    async (model) => {
      const pesewas = 1 + Math.floor(random() * 1_500)
      const { status } = await debit(model.user, -pesewas / 100)
      if (model.banned) return expect(status).toBe(401)
      expect(status).toBe(model.money < pesewas ? 402 : 200)
      if (status !== 200) return
      model.reserved = (model.money - model.reserved < pesewas ? 0 : model.reserved) + pesewas
      model.until = shop.clock.now.getTime() + RESERVED_FOR_MS
    },
    async (model) => {
      const { status } = await create(model.user)
      expect(status).toBe(model.banned ? 401 : spend(model, 550))
    },
    async (model) => {
      const { status } = await checkout(shop, model.user, [await cartLine(shop)])
      expect(status).toBe(model.banned ? 401 : spend(model, 550))
    },
    async (model) => {
      const body = { chosenId: model.user._id, amount: -3.21 }
      expect((await call(shop, 'PUT', '/user/balance', { as: owner, body })).status).toBe(spend(model, 321))
    },
    async (model) => {
      const body = { chosenId: model.user._id, amount: 4.4 }
      expect((await call(shop, 'PUT', '/user/balance', { as: owner, body })).status).toBe(200)
      model.reserved = 0
      model.money += 440
    },
    async () => {
      shop.clock.advance(pick([1_000, RESERVED_FOR_MS / 2, RESERVED_FOR_MS], random))
      await release()
      for (const model of models) if (model.until <= shop.clock.now.getTime()) model.reserved = 0
    },
    async (model) => {
      model.banned = !model.banned
      const body = { status: model.banned ? 'Banned' : 'Active' }
      expect((await call(shop, 'PUT', `/user/${model.user._id}/status`, { as: owner, body })).status).toBe(200)
      if (model.banned) return
      const { body: login } = await call<SignedInUser>(shop, 'POST', '/user/login', {
        body: { userPhone: model.user.phone, password: 'a good password' },
      })
      model.user = login
    },
    // The process that was about to order dies: its transaction with it.
    async (model) => {
      if (model.banned) return
      const holder = await shop.database.db.connect()
      await holder.query('begin')
      await holder.query('select from wallets where user_id = $1 for update', [model.user._id])
      const asked = create(model.user)
      const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query ~ 'place_wallet_orders'`
      await until(async () => (await shop.database.db.query(waiting)).rowCount === 1)
      await shop.database.db.query(`select pg_terminate_backend(pid) from (${waiting}) waiting`)
      expect((await asked).status).toBeGreaterThanOrEqual(500)
      await holder.query('rollback')
      holder.release()
    },
  ]
  for (let step = 0; step < 60; step++) {
    const model = pick(models, random)
    await pick(steps, random)(model)
    for (const { user, money, reserved } of models) expect([step, ...(await walletOf(user))]).toEqual([step, money - reserved, reserved])
  }
})
