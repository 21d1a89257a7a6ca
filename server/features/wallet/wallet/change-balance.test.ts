import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { ShopDebit } from '../../../../shared/wallet.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'

let shop: TestShop
let admin: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin' })
})
afterAll(() => shop.close())

type Change = { chosenId: string; amount: number; note?: string }
function changeBalance<T = { balance: number }>(as: { token: string }, body: Change | Record<string, unknown>, key?: string) {
  return call<T>(shop, 'PUT', '/user/balance', { as, body, ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }) })
}

async function actionsOf(userId: string) {
  const { rows } = await shop.database.db.query<{ action: string; before: unknown; after: unknown; note: string }>(
    `select action, before, after, note from admin_actions where subject_type = 'user' and subject_id = $1 order by id`,
    [userId],
  )
  return rows
}

describe('an admin', () => {
  test('credits and debits, and each is recorded with actor and reason', async () => {
    const user = await makeUser(shop)
    const credit = await changeBalance(admin, { chosenId: user._id, amount: 50.25, note: 'Cash at the counter' })
    const debit = await changeBalance(admin, { chosenId: user._id, amount: -20 })
    expect([credit.status, credit.body, debit.body]).toEqual([200, { balance: 50.25 }, { balance: 30.25 }])
    expect(await actionsOf(user._id)).toEqual([
      { action: 'wallet.credit', before: { balancePesewas: 0 }, after: { balancePesewas: 5025 }, note: 'Cash at the counter' },
      { action: 'wallet.debit', before: { balancePesewas: 5025 }, after: { balancePesewas: 3025 }, note: '' },
    ])
    await changeBalance(admin, { chosenId: user._id, amount: 0.01 })
    const { rows } = await shop.database.db.query(
      `select e.kind, e.memo, e.actor_id, p.amount_pesewas, p.balance_after_pesewas from postings p join journal_entries e on e.id = p.entry_id
       join wallets w on w.account_id = p.account_id where w.user_id = $1 order by e.id`,
      [user._id],
    )
    expect(rows).toEqual([
      { kind: 'admin-credit', memo: 'Cash at the counter', actor_id: admin._id, amount_pesewas: 5025, balance_after_pesewas: 5025 },
      { kind: 'admin-debit', memo: 'Debit by the shop', actor_id: admin._id, amount_pesewas: -2000, balance_after_pesewas: 3025 },
      { kind: 'admin-credit', memo: 'Credit by the shop', actor_id: admin._id, amount_pesewas: 1, balance_after_pesewas: 3026 },
    ])
  })

  test('debits down to zero, and not a pesewa below', async () => {
    const user = await makeUser(shop, { balance: 20 })
    const tooMuch = await changeBalance<ErrorBody>(admin, { chosenId: user._id, amount: -20.01 })
    expect([tooMuch.status, tooMuch.body.code, tooMuch.body.message]).toEqual([
      402,
      'INSUFFICIENT_BALANCE',
      'The balance is not enough for that.',
    ])
    expect(await balanceOf(shop, user._id)).toBe(2000)
    expect((await changeBalance(admin, { chosenId: user._id, amount: -20 })).body).toEqual({ balance: 0 })
    expect((await changeBalance(admin, { chosenId: user._id, amount: -0.01 })).status).toBe(402)
    expect((await actionsOf(user._id)).map(({ action }) => action)).toEqual(['wallet.debit'])
  })

  test('may credit themself, which is recorded like any other', async () => {
    expect((await changeBalance(admin, { chosenId: admin._id, amount: 5 })).status).toBe(200)
    expect((await actionsOf(admin._id)).map(({ action }) => action)).toEqual(['wallet.credit'])
  })

  test('with one key moves the money once, and gets the same reply twice', async () => {
    const user = await makeUser(shop, { balance: 50 })
    const key = randomUUID()
    const replies = [
      await changeBalance(admin, { chosenId: user._id, amount: -20 }, key),
      await changeBalance(admin, { chosenId: user._id, amount: -20 }, key),
    ]
    expect(replies.map(({ status, body }) => [status, body])).toEqual(Array(2).fill([200, { balance: 30 }]))
    expect(await actionsOf(user._id)).toHaveLength(1)
  })

  test('with one key 32 times at once moves the money once', async () => {
    const user = await makeUser(shop, { balance: 50 })
    const key = randomUUID()
    const replies = await Promise.all(Array.from({ length: 32 }, () => changeBalance(admin, { chosenId: user._id, amount: -20 }, key)))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.balance}`))).toEqual(new Set(['200 30']))
    expect(await balanceOf(shop, user._id)).toBe(3000)
    expect(await actionsOf(user._id)).toHaveLength(1)
  })

  test.each([
    ['another amount', (user: string) => ({ chosenId: user, amount: 21 })],
    ['the other direction', (user: string) => ({ chosenId: user, amount: -20 })],
    ['another user', (_user: string, other: string) => ({ chosenId: other, amount: 20 })],
  ])('with a key that was used for %s is refused, and no money moves', async (_name, second) => {
    const [user, other] = [await makeUser(shop, { balance: 100 }), await makeUser(shop, { balance: 100 })]
    const key = randomUUID()
    await changeBalance(admin, { chosenId: user._id, amount: 20 }, key)
    const { status, body } = await changeBalance<ErrorBody>(admin, second(user._id, other._id), key)
    expect([status, body.code]).toEqual([409, 'KEY_REUSED'])
    expect([await balanceOf(shop, user._id), await balanceOf(shop, other._id)]).toEqual([12_000, 10_000])
  })

  test('and another admin may use the same key independently', async () => {
    const user = await makeUser(shop)
    const second = await makeUser(shop, { level: 'Admin' })
    const key = randomUUID()
    await changeBalance(admin, { chosenId: user._id, amount: 20 }, key)
    expect((await changeBalance(second, { chosenId: user._id, amount: 20 }, key)).body).toEqual({ balance: 40 })
  })

  test('without a key makes two changes with two requests', async () => {
    const user = await makeUser(shop)
    for (let time = 0; time < 2; time++) await changeBalance(admin, { chosenId: user._id, amount: 20 })
    expect(await balanceOf(shop, user._id)).toBe(4000)
  })

  test.each([
    ['no user', { amount: 5 }, 'chosenId', 'Choose a user from the list.'],
    ['a username for a user', { chosenId: 'ama', amount: 5 }, 'chosenId', 'Choose a user from the list.'],
    ['no amount', {}, 'amount', 'Enter an amount in cedis with at most two decimals.'],
    ['an amount in words', { amount: 'twenty' }, 'amount', 'Enter an amount in cedis with at most two decimals.'],
    ['a part of a pesewa', { amount: 0.005 }, 'amount', 'Enter an amount in cedis with at most two decimals.'],
    ['more than ten million', { amount: 10_000_000.01 }, 'amount', 'Enter an amount in cedis with at most two decimals.'],
    ['nothing at all', { amount: 0 }, 'amount', 'The amount cannot be zero.'],
    ['a note of 201 letters', { amount: 5, note: 'x'.repeat(201) }, 'note', 'The note must be at most 200 characters long.'],
  ])('with %s gets the field’s error', async (_name, wrong, path, message) => {
    const user = await makeUser(shop, { balance: 20 })
    const body = { ...(path === 'chosenId' ? {} : { chosenId: user._id }), ...wrong }
    const reply = await changeBalance<ErrorBody>(admin, body)
    expect([reply.status, reply.body.issues?.[0]?.path, reply.body.message]).toEqual([400, path, message])
    expect(await balanceOf(shop, user._id)).toBe(2000)
  })

  test('gets 404 for an unknown user', async () => {
    const { status, body } = await changeBalance<ErrorBody>(admin, { chosenId: randomUUID(), amount: 5 })
    expect([status, body.message]).toEqual([404, 'That user does not exist.'])
  })

  test('gets an error for an invalid key', async () => {
    const user = await makeUser(shop)
    const { status, body } = await changeBalance<ErrorBody>(admin, { chosenId: user._id, amount: 5 }, 'too short')
    expect([status, body.issues?.[0]?.path]).toEqual([400, 'idempotency-key'])
    expect(await balanceOf(shop, user._id)).toBe(0)
  })
})

test.each(['Customer', 'Agent'] as const)('a %s cannot fill their own wallet with it, nor empty another', async (level) => {
  const [user, other] = [await makeUser(shop, { level, balance: 20 }), await makeUser(shop, { balance: 20 })]
  for (const [chosenId, amount] of [
    [user._id, 100],
    [other._id, -20],
  ] as const) {
    expect((await changeBalance(user, { chosenId, amount })).status).toBe(403)
  }
  expect((await call(shop, 'PUT', '/user/balance', { body: { chosenId: user._id, amount: 100 } })).status).toBe(401)
  expect([await balanceOf(shop, user._id), await balanceOf(shop, other._id)]).toEqual([2000, 2000])
})

describe('a debit by the shop', () => {
  const debitsOf = async (user: { token: string }) => (await call<ShopDebit[]>(shop, 'GET', '/user/debits', { as: user })).body
  const dismiss = (user: { token: string }, id: string) => call<ErrorBody>(shop, 'POST', '/user/debits/dismiss', { as: user, body: { id } })

  test('is shown to its user with the reason until dismissed; later ones are shown again', async () => {
    const user = await makeUser(shop, { balance: 50 })
    const other = await makeUser(shop, { balance: 50 })
    await changeBalance(admin, { chosenId: user._id, amount: 5 })
    await changeBalance(admin, { chosenId: user._id, amount: -20.05, note: 'Order sent twice' })
    await changeBalance(admin, { chosenId: user._id, amount: -1 })
    await changeBalance(admin, { chosenId: other._id, amount: -2 })
    const debits = await debitsOf(user)
    expect(debits).toMatchObject([
      { amount: 1, note: '' },
      { amount: 20.05, note: 'Order sent twice' },
    ])
    expect((await dismiss(user, debits[1]!.id)).status).toBe(200)
    expect(await debitsOf(user)).toMatchObject([{ amount: 1 }])
    expect((await dismiss(user, debits[0]!.id)).status).toBe(200)
    // An older page of theirs dismisses nothing anew.
    expect((await dismiss(user, debits[1]!.id)).status).toBe(200)
    expect(await debitsOf(user)).toEqual([])
    expect(await debitsOf(other)).toMatchObject([{ amount: 2 }])
    await changeBalance(admin, { chosenId: user._id, amount: -3 })
    expect(await debitsOf(user)).toMatchObject([{ amount: 3 }])
  })

  test('can be dismissed by its user only, and only if it is a debit', async () => {
    const [user, other] = [await makeUser(shop, { balance: 50 }), await makeUser(shop, { balance: 50 })]
    await changeBalance(admin, { chosenId: user._id, amount: -20 })
    const [debit] = await debitsOf(user)
    expect((await dismiss(other, debit!.id)).status).toBe(404)
    expect((await dismiss(user, String(Number(debit!.id) + 1000))).status).toBe(404)
    expect((await dismiss(user, 'x')).body.issues).toMatchObject([{ path: 'id' }])
    expect(await debitsOf(user)).toHaveLength(1)
    expect((await call(shop, 'GET', '/user/debits')).status).toBe(401)
  })
})

describe('at the same time', () => {
  test('32 debits of 1.00 from 20.00: twenty succeed, nothing is left', async () => {
    const user = await makeUser(shop, { balance: 20 })
    const replies = await Promise.all(Array.from({ length: 32 }, () => changeBalance(admin, { chosenId: user._id, amount: -1 })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(replies.filter(({ status }) => status === 402)).toHaveLength(12)
    expect(await balanceOf(shop, user._id)).toBe(0)
    expect(await actionsOf(user._id)).toHaveLength(20)
  })

  test('two admins, by different amounts: both count', async () => {
    const user = await makeUser(shop)
    const second = await makeUser(shop, { level: 'Admin' })
    await Promise.all([
      changeBalance(admin, { chosenId: user._id, amount: 10.01 }),
      changeBalance(second, { chosenId: user._id, amount: 20.02 }),
    ])
    expect(await balanceOf(shop, user._id)).toBe(3003)
  })

  test('credits, debits and purchases on one wallet: the balance is the sum of what was acknowledged', async () => {
    const user = await makeUser(shop, { balance: 40 })
    const line = await cartLine(shop)
    const change = async (amount: number) => {
      const { status } = await changeBalance(admin, { chosenId: user._id, amount })
      return status === 200 ? amount * 100 : 0
    }
    const buy = async () => ((await checkout(shop, user, [line])).status === 200 ? -550 : 0)
    const effects = await Promise.all(Array.from({ length: 32 }, () => [change(3), change(-4), buy()]).flat())
    expect(await balanceOf(shop, user._id)).toBe(effects.reduce((sum, effect) => sum + effect, 4000))
  })
})
