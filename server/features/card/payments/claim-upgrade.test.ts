import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser, User } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, makeUser } from '../../../../test/builders.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { until } from '../../../../test/until.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'

const MINUTE_MS = 60_000

let shop: TestShop
let user: SignedInUser
let count = 0

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
})
beforeEach(async () => {
  // The provider dates its payments by the real clock.
  shop.clock.now = new Date()
  user = await makeUser(shop, { balance: 20 })
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

const provider = () => shop.sandbox!.cardProvider

/** A payment that a client makes at the provider by itself; its reference. */
async function payThere(pesewas: number, { email = user.email, ...paying }: { email?: string; currency?: string } = {}): Promise<string> {
  count += 1
  const reference = `1764${String(count).padStart(9, '0')}`
  provider().control.payments.add({
    email,
    reference,
    requestedAmountPesewas: pesewas,
    currency: 'GHS',
    metadata: '',
    channels: ['card'],
  })
  await provider().pay(reference, paying)
  return reference
}

const upgrade = (as = user) => call<{ user: User } & ErrorBody>(shop, 'PUT', `/user/${as._id}/level`, { as, body: { userLevel: 'Agent' } })
const stateOf = async ({ _id }: SignedInUser) => {
  const { rows } = await shop.database.db.query<{ level: string; payments: number; fees: number }>(
    `select level, (select count(*)::int from payments where user_id = u.id) as payments,
       (select count(*)::int from journal_entries e where e.kind = 'agent-upgrade' and e.actor_id = u.id) as fees from users u where id = $1`,
    [_id],
  )
  return rows[0]
}
const UNTOUCHED = { level: 'Customer', payments: 0, fees: 0 }

describe('the level of an agent, asked for by a client that paid the fee at the provider by itself', () => {
  test('is given once, and the fee is booked; asking again changes nothing', async () => {
    await payThere(5_000)
    const { status, body } = await upgrade()
    expect([status, body.user.userLevel]).toEqual([200, 'Agent'])
    expect((await upgrade()).status).toBe(200)
    expect([await stateOf(user), await balanceOf(shop, user._id)]).toEqual([{ level: 'Agent', payments: 1, fees: 1 }, 2_000])
  })

  test('leaves the payment to whoever paid it, when the account becomes an agent’s meanwhile', async () => {
    const reference = await payThere(5_000)
    const owner = await shop.database.db.connect()
    try {
      await owner.query('begin')
      await owner.query('select from users where id = $1 for share', [user._id])
      const asked = upgrade()
      await until(() => isWaitedFor(owner))
      await owner.query(`update users set level = 'Agent' where id = $1`, [user._id])
      await owner.query('commit')
      expect((await asked).status).toBe(200)
    } finally {
      owner.release()
    }
    expect([await stateOf(user), await balanceOf(shop, user._id)]).toEqual([{ level: 'Agent', payments: 0, fees: 0 }, 2_000])
    const { rows } = await shop.database.db.query('select 1 from payments where reference = $1', [reference])
    expect(rows).toEqual([])
  })

  test('is given to two tabs at once by one payment, although two were made', async () => {
    await payThere(5_000)
    await payThere(5_000)
    const replies = await Promise.all([upgrade(), upgrade()])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(await stateOf(user)).toEqual({ level: 'Agent', payments: 1, fees: 1 })
  })

  test.each([
    ['51.00', 5_100],
    ['49.99', 4_999],
  ])('is not given for %s', async (_name, pesewas) => {
    await payThere(pesewas)
    expect((await upgrade()).body).toMatchObject({ code: 'UNPAID' })
    expect(await stateOf(user)).toEqual(UNTOUCHED)
  })

  test('is not given for a payment of somebody else, in another currency, or that never came', async () => {
    const other = await makeUser(shop)
    await payThere(5_000, { email: other.email })
    await payThere(5_000, { currency: 'NGN' })
    await provider().setStatus(await payThere(5_000), 'reversed')
    expect((await upgrade()).status).toBe(402)
    expect([await stateOf(user), (await upgrade(other)).status]).toEqual([UNTOUCHED, 200])
  })

  test.each([
    [59, 200],
    [61, 402],
  ])('is asked for %i minutes after the payment: %i', async (minutes, status) => {
    await payThere(5_000)
    shop.clock.advance(minutes * MINUTE_MS)
    expect((await upgrade()).status).toBe(status)
  })

  test('is not given for a payment that bought an order', async () => {
    const reference = await payThere(5_000)
    const { offer, phoneNumber: receiver, amount: totalAmount } = await cartLine(shop)
    const newOrder = { id: 'first', network: 'MTN', offer, receiver, totalAmount, reference }
    expect((await call<{ order: Order }>(shop, 'POST', '/order/create', { as: user, body: { newOrder } })).status).toBe(200)
    expect((await upgrade()).status).toBe(402)
    expect(await stateOf(user)).toEqual({ ...UNTOUCHED, payments: 1 })
    // Nor the other way round.
    const fee = await payThere(5_000)
    expect((await upgrade()).status).toBe(200)
    const again = await call(shop, 'POST', '/order/create', { as: user, body: { newOrder: { ...newOrder, id: 'second', reference: fee } } })
    expect(again.status).toBe(409)
  })

  test('is not given while the payment is disputed', async () => {
    const reference = await payThere(5_000)
    await shop.database.db.query(
      `insert into disputes (provider_id, reference, amount_pesewas, currency, category, status, outcome, heard_at)
       values ($1, $1, 5000, 'GHS', 'chargeback', 'pending', 'open', now())`,
      [reference],
    )
    expect((await upgrade()).body).toMatchObject({ code: 'UNPAID', message: expect.stringContaining('dispute') })
    expect(await stateOf(user)).toEqual(UNTOUCHED)
  })

  test.each(['customer', 'list'] as const)('is 502 and changes nothing while the provider’s %s fails', async (failing) => {
    await payThere(5_000)
    provider().addFault({ call: failing, kind: 'error' })
    expect((await upgrade()).body).toMatchObject({ code: 'OUTSIDE_SERVICE' })
    provider().addFault({ call: failing, kind: 'malformed' })
    expect((await upgrade()).status).toBe(502)
    expect([await stateOf(user), (await upgrade()).status]).toEqual([UNTOUCHED, 200])
  })

  test('is looked for a limited number of times', async () => {
    const before = provider().calls().length
    for (let asked = 0; asked < 6; asked++) expect((await upgrade()).status).toBe(402)
    expect([(await upgrade()).status, provider().calls().length - before]).toEqual([429, 6])
    shop.clock.advance(20_000)
    expect((await upgrade()).status).toBe(402)
  })

  test('follows the fee that the owner has set', async () => {
    await shop.database.db.query('update shop_settings set agent_fee_pesewas = 3500')
    try {
      await payThere(5_000)
      expect((await upgrade()).status).toBe(402)
      await payThere(3_500)
      expect((await upgrade()).status).toBe(200)
    } finally {
      await shop.database.db.query('update shop_settings set agent_fee_pesewas = null')
    }
  })
})
