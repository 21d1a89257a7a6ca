import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { SignedInUser, User } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'

let shop: TestShop
let admin: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  admin = await makeUser(shop, { level: 'Admin' })
})

function changeStatus<T = { user: User }>(as: { token: string }, userId: string, status: unknown) {
  return call<T>(shop, 'PUT', `/user/${userId}/status`, { as, body: { status } })
}

async function countActive(...users: { _id: string }[]): Promise<number> {
  const { rows } = await shop.database.db.query<{ total: number }>(
    `select count(*) as total from users where status = 'Active' and id = any ($1)`,
    [users.map((user) => user._id)],
  )
  return rows[0]!.total
}

describe('a ban', () => {
  test('stops the user at once and does not touch their money', async () => {
    const user = await makeUser(shop, { balance: 20 })
    const { status, body } = await changeStatus(admin, user._id, 'Banned')
    expect([status, body.user.status, body.user.balance]).toEqual([200, 'Banned', 20])
    expect((await checkout(shop, user, [await cartLine(shop)])).status).toBe(401)
    expect(await balanceOf(shop, user._id)).toBe(2000)
  })

  test('against 32 purchases in flight: each was made before it or not at all', async () => {
    const user = await makeUser(shop, { balance: 32 * 5.5 })
    const line = await cartLine(shop)
    const purchases = Array.from({ length: 32 }, () => checkout(shop, user, [line]))
    const [replies] = await Promise.all([Promise.all(purchases), changeStatus(admin, user._id, 'Banned')])
    const made = replies.filter(({ status }) => status === 200).length
    expect(replies.filter(({ status }) => ![200, 401, 403].includes(status))).toEqual([])
    expect(await balanceOf(shop, user._id)).toBe((32 - made) * 550)
    expect((await checkout(shop, user, [line])).status).toBe(401)
  })

  test('is lifted by the same call, and repeating either changes nothing', async () => {
    const user = await makeUser(shop)
    for (const status of ['Banned', 'Banned', 'Active', 'Active']) {
      expect((await changeStatus(admin, user._id, status)).body.user.status).toBe(status)
    }
    const { rows } = await shop.database.db.query(
      `select before, after from admin_actions where action = 'user.status' and subject_id = $1 order by id`,
      [user._id],
    )
    expect(rows).toEqual([
      { before: { status: 'Active' }, after: { status: 'Banned' } },
      { before: { status: 'Banned' }, after: { status: 'Active' } },
    ])
  })

  test('of oneself is refused', async () => {
    await makeUser(shop, { level: 'Admin' })
    const { status, body } = await changeStatus<ErrorBody>(admin, admin._id, 'Banned')
    expect([status, body.code, body.message]).toEqual([409, 'CONFLICT', 'You cannot ban yourself.'])
    expect(await countActive(admin)).toBe(1)
  })

  test('of each other by two admins at once leaves one of them', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [await makeUser(shop, { level: 'Admin' }), await makeUser(shop, { level: 'Admin' })]
      await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [admin._id])
      const replies = await Promise.all([changeStatus(one, other._id, 'Banned'), changeStatus(other, one._id, 'Banned')])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
      expect(await countActive(one, other)).toBe(1)
      await shop.database.db.query(`update users set status = 'Banned' where id = any ($1)`, [[one._id, other._id]])
    }
  })

  test.each(['Customer', 'Agent'] as const)('cannot be given or lifted by a %s', async (level) => {
    const [user, other] = [await makeUser(shop, { level }), await makeUser(shop)]
    for (const status of ['Banned', 'Active']) {
      for (const target of [user, other, admin]) expect((await changeStatus(user, target._id, status)).status).toBe(403)
    }
    expect(await countActive(user, other, admin)).toBe(3)
  })

  test.each(['banned', 'Deleted', '', null, true])('is spelt Banned, not %j', async (status) => {
    const user = await makeUser(shop)
    const reply = await changeStatus<ErrorBody>(admin, user._id, status)
    expect([reply.status, reply.body.code, reply.body.issues?.[0]?.path]).toEqual([400, 'INVALID', 'status'])
    expect(await countActive(user)).toBe(1)
  })

  test('of an unknown user is 404', async () => {
    expect((await changeStatus(admin, randomUUID(), 'Banned')).status).toBe(404)
  })
})
