import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { StaffReply } from '../../../../shared/staff.ts'
import type { StaffRole } from '../../../../shared/staff-rules.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, makeUser, PASSWORD, setUpCode } from '../../../../test/builders.ts'

const MINUTE_MS = 60_000

let shop: TestShop
let owner: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
// There is one owner alone.
beforeEach(async () => {
  await shop.database.db.query(`update users set level = 'Customer' where level = 'Admin'`)
  owner = await makeUser(shop, { roles: ['owner'] })
})

function give({ _id }: { _id: string }, roles: readonly (StaffRole | string)[], as: { token: string } = owner) {
  return call<StaffReply & ErrorBody>(shop, 'PUT', `/admin/staff/${_id}`, { as, body: { roles } })
}
async function rolesOf({ _id }: { _id: string }) {
  const { rows } = await shop.database.db.query<{ role: StaffRole; level: string }>(
    'select role from staff_roles where user_id = $1 order by role',
    [_id],
  )
  return rows.map(({ role }) => role)
}

describe('an owner', () => {
  test('invites somebody, who signs in anew with these roles and no others; they are recorded', async () => {
    const user = await makeUser(shop)
    const { status, body } = await give(user, ['support', 'orders', 'orders'])
    expect(status).toBe(200)
    expect(body.people).toMatchObject([
      { username: owner.username, roles: ['owner'], hasCode: false, here: true },
      { username: user.username, phone: user.phone, roles: ['orders', 'support'], hasCode: false, lastSeenAt: null, here: false },
    ])
    expect((await call(shop, 'GET', '/user/me', { as: user })).status).toBe(401)
    const signedIn = (await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: user.phone, password: PASSWORD } })).body
    expect(signedIn.roles).toEqual(['orders', 'support'])
    expect((await call(shop, 'PUT', '/user/balance', { as: signedIn, body: { chosenId: user._id, amount: 5 } })).status).toBe(403)
    const { rows } = await shop.database.db.query(`select action, before, after from admin_actions where subject_id = $1`, [user._id])
    expect(rows).toEqual([{ action: 'staff.roles', before: { roles: '' }, after: { roles: 'orders, support' } }])
  })

  test('changes roles, and lets people go: a customer again, without a code', async () => {
    const helper = await makeUser(shop, { roles: ['orders'] })
    await setUpCode(shop, helper)
    await give(helper, ['finance'])
    expect(await rolesOf(helper)).toEqual(['finance'])
    expect((await call(shop, 'GET', '/user/account-balances', { as: helper })).status).toBe(200)
    const { body } = await give(helper, [])
    expect(body.people.map(({ username }) => username)).toEqual([owner.username])
    expect(await rolesOf(helper)).toEqual([])
    expect((await call(shop, 'GET', '/user/me', { as: helper })).body).toMatchObject({ isAdmin: false, userLevel: 'Customer' })
    const login = await call(shop, 'POST', '/user/login', { body: { userPhone: helper.phone, password: PASSWORD } })
    expect(login.status).toBe(200)
  })

  test('gives the password again for it after five minutes', async () => {
    const user = await makeUser(shop)
    shop.clock.advance(5 * MINUTE_MS + 1)
    expect((await give(user, ['orders'])).body.code).toBe('PASSWORD_NEEDED')
    expect(await rolesOf(user)).toEqual([])
  })

  test('who is the last one stays, also when two demote each other at once', async () => {
    expect((await give(owner, ['finance'])).body.message).toBe('The last owner cannot be demoted. Make somebody else an owner first.')
    expect((await give(owner, [])).status).toBe(409)
    for (let round = 0; round < 5; round++) {
      const [one, other] = [owner, await makeUser(shop, { roles: ['owner'] })]
      const replies = await Promise.all([give(other, ['orders'], one), give(one, ['orders'], other)])
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      expect([...(await rolesOf(one)), ...(await rolesOf(other))].filter((role) => role === 'owner')).toHaveLength(1)
      await shop.database.db.query(`update staff_roles set role = 'owner' where user_id = $1`, [one._id])
      await shop.database.db.query(`update users set level = 'Customer' where id = $1`, [other._id])
    }
  })

  test('makes nobody staff who is banned, unknown, or with a role that there is not', async () => {
    const banned = await makeUser(shop)
    await call(shop, 'PUT', `/user/${banned._id}/status`, { as: owner, body: { status: 'Banned' } })
    expect((await give(banned, ['orders'])).status).toBe(409)
    expect((await give({ _id: '00000000-0000-4000-8000-000000000000' }, ['orders'])).status).toBe(404)
    expect((await give(await makeUser(shop), ['admin'])).status).toBe(400)
  })

  test('helps out whoever lost their phone: the code is off and their sessions end', async () => {
    const helper = await makeUser(shop, { roles: ['finance'] })
    const reset = (who: { _id: string }) => call<ErrorBody>(shop, 'POST', `/admin/staff/${who._id}/reset-code`, { as: owner, body: {} })
    expect((await reset(helper)).status).toBe(409)
    const { recoveryCodes } = await setUpCode(shop, helper)
    expect((await reset(helper)).status).toBe(200)
    expect((await call(shop, 'GET', '/user/me', { as: helper })).status).toBe(401)
    expect((await call(shop, 'POST', '/user/login', { body: { userPhone: helper.phone, password: PASSWORD } })).status).toBe(200)
    const { rows } = await shop.database.db.query('select from recovery_codes where user_id = $1', [helper._id])
    expect([rows.length, recoveryCodes.length]).toEqual([0, 10])
    await setUpCode(shop, owner)
    expect((await reset(owner)).status).toBe(409)
  })

  test('sets the rules for money, and hears the limits in cedis', async () => {
    const change = (body: object, as: { token: string } = owner) => call<StaffReply>(shop, 'PUT', '/admin/staff/rules', { as, body })
    const { body } = await change({ secondPersonAbove: 500, passwordAbove: null })
    expect(body.rules).toEqual({ secondFactorRequired: false, passwordAbove: null, secondPersonAbove: 500 })
    expect((await change({ secondPersonAbove: null, passwordAbove: 200.5 })).body.rules).toMatchObject({
      passwordAbove: 200.5,
      secondPersonAbove: null,
    })
    expect((await change({ passwordAbove: -1 })).status).toBe(400)
    await change({ secondPersonAbove: null, passwordAbove: 500 })
  })
})

test('a write of somebody whose role is taken away meanwhile waits for that or comes first, and is never half done', async () => {
  const customer = await makeUser(shop)
  for (let round = 0; round < 8; round++) {
    const helper = await makeUser(shop, { roles: ['finance'] })
    const credit = () => call(shop, 'PUT', '/user/balance', { as: helper, body: { chosenId: customer._id, amount: 1 } })
    const [credited, changed] = await Promise.all([credit(), give(helper, ['support'])])
    expect(changed.status).toBe(200)
    expect([200, 403]).toContain(credited.status)
    expect((await credit()).status).toBe(403)
  }
})
