import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { SignedInUser, User, UserLevel } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser, PASSWORD } from '../../../../test/builders.ts'

let shop: TestShop
let admin: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
// There is one admin alone.
beforeEach(async () => {
  await shop.database.db.query(`update users set level = 'Customer' where level = 'Admin'`)
  admin = await makeUser(shop, { level: 'Admin' })
})

function changeLevel<T = { user: User }>(as: { token: string }, userId: string, userLevel: unknown) {
  return call<T>(shop, 'PUT', `/user/${userId}/level`, { as, body: { userLevel } })
}

async function levelOf(userId: string): Promise<UserLevel> {
  const { rows } = await shop.database.db.query<{ level: UserLevel }>('select level from users where id = $1', [userId])
  return rows[0]!.level
}

async function countActions(userId: string): Promise<number> {
  const { rows } = await shop.database.db.query<{ total: number }>(
    `select count(*) as total from admin_actions where action = 'user.level' and subject_id = $1`,
    [userId],
  )
  return rows[0]!.total
}

describe('an admin', () => {
  test('makes a customer an agent, who pays agent prices from the next request on', async () => {
    const user = await makeUser(shop, { balance: 20 })
    const { status, body } = await changeLevel(admin, user._id, 'Agent')
    expect([status, body.user.userLevel, body.user.isAdmin]).toEqual([200, 'Agent', false])
    expect((await checkout(shop, user, [await cartLine(shop)])).status).toBe(409)
    expect((await checkout(shop, user, [await cartLine(shop, { as: 'Agent' })])).body.balance).toBe(15.3)
  })

  test('is asked for the password again before anybody stops being an admin', async () => {
    const helper = await makeUser(shop, { roles: ['orders'] })
    shop.clock.advance(6 * 60_000)
    const refused = await changeLevel<ErrorBody>(admin, helper._id, 'Customer')
    expect([refused.body.code, await levelOf(helper._id)]).toEqual(['PASSWORD_NEEDED', 'Admin'])
    await call(shop, 'POST', '/user/me/confirm-password', { as: admin, body: { password: PASSWORD } })
    expect((await changeLevel(admin, helper._id, 'Customer')).status).toBe(200)
  })

  test('makes another admin, who must sign in again, and demotes them at once', async () => {
    const user = await makeUser(shop)
    expect((await changeLevel(user, admin._id, 'Customer')).status).toBe(403)
    await changeLevel(admin, user._id, 'Admin')
    expect((await call(shop, 'GET', '/user', { as: user })).status).toBe(401)
    const { body: promoted } = await call<SignedInUser>(shop, 'POST', '/user/login', {
      body: { userPhone: user.phone, password: PASSWORD },
    })
    const seen = async () => (await call<User[]>(shop, 'GET', '/user', { as: promoted })).body.map(({ _id }) => _id)
    expect(await seen()).toEqual(expect.arrayContaining([user._id, admin._id]))
    await changeLevel(admin, user._id, 'Customer')
    expect((await changeLevel(promoted, admin._id, 'Customer')).status).toBe(403)
    expect(await seen()).toEqual([user._id])
  })

  test('is recorded: actor, user, before, after and address', async () => {
    const user = await makeUser(shop)
    await changeLevel(admin, user._id, 'Agent')
    const { rows } = await shop.database.db.query(
      `select actor_id, subject_type, before, after, ip, created_at from admin_actions where subject_id = $1`,
      [user._id],
    )
    expect(rows).toEqual([
      {
        actor_id: admin._id,
        subject_type: 'user',
        before: { level: 'Customer' },
        after: { level: 'Agent' },
        ip: '127.0.0.1',
        created_at: shop.clock.now,
      },
    ])
  })

  test('who sets the current level changes and records nothing', async () => {
    const user = await makeUser(shop)
    expect((await changeLevel(admin, user._id, 'Customer')).status).toBe(200)
    expect(await countActions(user._id)).toBe(0)
  })

  test('who clicks twice at once changes it once', async () => {
    const user = await makeUser(shop)
    const replies = await Promise.all(Array.from({ length: 16 }, () => changeLevel(admin, user._id, 'Agent')))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.user.userLevel}`))).toEqual(new Set(['200 Agent']))
    expect(await countActions(user._id)).toBe(1)
  })

  test.each(['customer', 'Owner', '', null, 3, ['Admin']])('cannot make anybody a %j', async (level) => {
    const user = await makeUser(shop)
    const { status, body } = await changeLevel<ErrorBody>(admin, user._id, level)
    expect([status, body.code, body.issues?.[0]?.path]).toEqual([400, 'INVALID', 'userLevel'])
    expect(await levelOf(user._id)).toBe('Customer')
  })

  test('gets 404 for an unknown user, and 400 for an invalid id', async () => {
    expect((await changeLevel<ErrorBody>(admin, randomUUID(), 'Agent')).body).toMatchObject({
      message: 'That user does not exist.',
      code: 'NOT_FOUND',
    })
    expect((await changeLevel<ErrorBody>(admin, 'ama', 'Agent')).status).toBe(400)
  })
})

describe('the last owner', () => {
  test('cannot be demoted, not even by themself', async () => {
    const { status, body } = await changeLevel<ErrorBody>(admin, admin._id, 'Customer')
    expect([status, body.code]).toEqual([409, 'CONFLICT'])
    expect(body.message).toBe('The last owner cannot be demoted. Make somebody else an owner first.')
    expect(await levelOf(admin._id)).toBe('Admin')
  })

  test('is counted without admins who have narrower roles', async () => {
    await makeUser(shop, { roles: ['orders', 'finance', 'products', 'support'] })
    expect((await changeLevel(admin, admin._id, 'Customer')).status).toBe(409)
  })

  test('is counted without banned admins', async () => {
    const banned = await makeUser(shop, { level: 'Admin' })
    await call(shop, 'PUT', `/user/${banned._id}/status`, { as: admin, body: { status: 'Banned' } })
    expect((await changeLevel(admin, admin._id, 'Agent')).status).toBe(409)
  })

  test('stays when two admins demote each other at once, or both resign', async () => {
    for (let round = 0; round < 10; round++) {
      const other = await makeUser(shop, { level: 'Admin' })
      const [mine, theirs] = round % 2 === 0 ? [other, admin] : [admin, other]
      await Promise.all([changeLevel(admin, mine._id, 'Customer'), changeLevel(other, theirs._id, 'Customer')])
      expect([await levelOf(admin._id), await levelOf(other._id)].filter((level) => level === 'Admin')).toHaveLength(1)
      await shop.database.db.query(`update users set level = case when id = $1 then 'Admin' else 'Customer' end`, [admin._id])
    }
  })
})

describe('staff who are no owners', () => {
  test.each(['orders', 'finance', 'products', 'support'] as const)('%s change nobody’s level, their own neither', async (role) => {
    const [staff, other] = [await makeUser(shop, { roles: [role] }), await makeUser(shop)]
    expect((await changeLevel(staff, other._id, 'Agent')).status).toBe(403)
    expect((await changeLevel(staff, staff._id, 'Agent')).status).toBe(403)
    expect((await changeLevel(staff, admin._id, 'Customer')).status).toBe(403)
    expect([await levelOf(staff._id), await levelOf(other._id), await levelOf(admin._id)]).toEqual(['Admin', 'Customer', 'Admin'])
  })

  test('whom an older version of the shop promotes is an owner, and has no role left after a demotion', async () => {
    const rolesOf = async (userId: string) =>
      (await shop.database.db.query<{ role: string }>('select role from staff_roles where user_id = $1', [userId])).rows.map(
        ({ role }) => role,
      )
    const user = await makeUser(shop)
    await shop.database.db.query(`update users set level = 'Admin' where id = $1`, [user._id])
    expect(await rolesOf(user._id)).toEqual(['owner'])
    await changeLevel(admin, user._id, 'Customer')
    expect(await rolesOf(user._id)).toEqual([])
  })
})

describe('someone who is not an admin', () => {
  test.each(['Customer', 'Agent'] as const)('a %s cannot change the level of anybody', async (level) => {
    const [user, other] = [await makeUser(shop, { level }), await makeUser(shop)]
    for (const wanted of ['Customer', 'Agent', 'Admin']) expect((await changeLevel(user, other._id, wanted)).status).toBe(403)
    expect((await changeLevel(user, user._id, 'Admin')).status).toBe(403)
    expect((await changeLevel({ token: 'x'.repeat(43) }, user._id, 'Agent')).status).toBe(401)
    expect([await levelOf(user._id), await levelOf(other._id)]).toEqual([level, 'Customer'])
  })

  test('a customer who has not paid the fee gets 402 and stays a customer', async () => {
    const user = await makeUser(shop, { balance: 100 })
    const { status, body } = await changeLevel<ErrorBody>(user, user._id, 'Agent')
    expect([status, body.code, body.message]).toEqual([402, 'UNPAID', 'The upgrade fee has not been paid yet. Use Become Agent to pay it.'])
    expect(await levelOf(user._id)).toBe('Customer')
  })

  test('an agent who asks again is told that they are one', async () => {
    const agent = await makeUser(shop, { level: 'Agent' })
    const { status, body } = await changeLevel(agent, agent._id, 'Agent')
    expect([status, body.user.userLevel]).toEqual([200, 'Agent'])
  })
})
