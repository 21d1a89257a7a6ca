import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OwnAccount } from '../../../../shared/account.ts'
import type { ApiKey } from '../../../../shared/api-keys.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, makeUser, PASSWORD } from '../../../../test/builders.ts'

const MINUTE_MS = 60_000

let shop: TestShop
let agent: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  agent = await makeUser(shop, { level: 'Agent', balance: 100 })
})

type Made = { key: ApiKey; secret: string } & ErrorBody

function make(headers: Record<string, string> = {}, body: object = {}) {
  const wanted = { name: 'Till', scopes: ['orders:read', 'orders:write'], ...body }
  return call<Made>(shop, 'POST', '/api-keys', { as: agent, headers, body: wanted })
}

const rotate = ({ _id }: ApiKey, headers: Record<string, string> = {}) =>
  call<Made>(shop, 'POST', `/api-keys/${_id}/rotate`, { as: agent, headers, body: { overlapHours: 24 } })

async function buy(secret: string) {
  const { amount, phoneNumber } = await cartLine(shop, { as: 'Agent' })
  const reply = await shop.app.inject({
    method: 'POST',
    url: '/v1/orders',
    headers: { authorization: `Bearer ${secret}`, 'idempotency-key': randomUUID() },
    payload: { network: 'MTN', offer: '1GB', receiver: phoneNumber, expected_price: amount.toFixed(2) },
  })
  return { status: reply.statusCode, message: String(reply.json().title) }
}

const confirm = () => call(shop, 'POST', '/user/me/confirm-password', { as: agent, body: { password: PASSWORD } })

describe('making a key', () => {
  test('or replacing one asks for the password again, and its owner is told by mail', async () => {
    shop.clock.advance(5 * MINUTE_MS + 1)
    expect((await make()).body.code).toBe('PASSWORD_NEEDED')
    await confirm()
    const { body, status } = await make()
    expect(status).toBe(200)
    shop.clock.advance(5 * MINUTE_MS + 1)
    expect((await rotate(body.key)).body.code).toBe('PASSWORD_NEEDED')
    await confirm()
    expect((await rotate(body.key)).status).toBe(200)
    const { rows } = await shop.database.db.query<{ to: string }>(
      `select data ->> 'to' as to from jobs.job where data ->> 'userId' = $1 and data ->> 'what' = 'api-key'`,
      [agent._id],
    )
    expect(rows.map(({ to }) => to)).toEqual([agent.email, agent.email])
  })
})

describe('a change of the password', () => {
  test.each([true, false, undefined])('ends the keys if its owner wants that: %s', async (endKeys) => {
    const { secret } = (await make()).body
    expect((await call<OwnAccount>(shop, 'GET', '/user/me/account', { as: agent })).body.workingKeys).toBe(1)
    const body = { password: PASSWORD, newPassword: 'seven green umbrellas', ...(endKeys !== undefined && { endKeys }) }
    expect((await call(shop, 'PUT', '/user/me/password', { as: agent, body })).status).toBe(200)
    expect((await buy(secret)).status).toBe(endKeys ? 401 : 201)
    expect((await call<OwnAccount>(shop, 'GET', '/user/me/account', { as: agent })).body.workingKeys).toBe(endKeys ? 0 : 1)
  })
})

describe('an agent who is made a customer', () => {
  test('and an agent again has no key that works, until a new one is made', async () => {
    const { secret } = (await make()).body
    expect((await buy(secret)).status).toBe(201)
    const owner = await makeUser(shop, { level: 'Admin' })
    for (const level of ['Customer', 'Agent']) {
      await call(shop, 'PUT', `/user/${agent._id}/level`, { as: owner, body: { userLevel: level } })
      expect((await buy(secret)).status).toBe(401)
    }
    expect((await buy((await make()).body.secret)).status).toBe(201)
  })
})

describe('somebody who worked for the shop', () => {
  test.each([
    ['with no role any more', (user: SignedInUser) => ({ path: `/admin/staff/${user._id}`, body: { roles: [] } })],
    ['made a customer', (user: SignedInUser) => ({ path: `/user/${user._id}/level`, body: { userLevel: 'Customer' } })],
  ])('%s and then an agent has no key that works', async (_how, dismiss) => {
    const owner = await makeUser(shop, { level: 'Admin' })
    agent = await makeUser(shop, { roles: ['support'], balance: 100 })
    const { secret } = (await make()).body
    expect((await buy(secret)).status).toBe(201)
    const { path, body } = dismiss(agent)
    expect((await call(shop, 'PUT', path, { as: owner, body })).status).toBe(200)
    await call(shop, 'PUT', `/user/${agent._id}/level`, { as: owner, body: { userLevel: 'Agent' } })
    expect((await buy(secret)).status).toBe(401)
  })
})

describe('a PIN that the wallet asks for', () => {
  test('is asked for keys that are older, which buy nothing until they are replaced with it', async () => {
    const { key, secret } = (await make()).body
    expect((await buy(secret)).status).toBe(201)
    await call(shop, 'POST', '/user/me/pin', { as: agent, body: { password: PASSWORD, pin: '7392', atCheckout: true } })
    const refused = await buy(secret)
    expect([refused.status, refused.message]).toEqual([
      403,
      'This key was made before its owner chose a PIN, so it buys nothing. Replace it under For developers.',
    ])
    const line = { product: (await cartLine(shop)).productId, offer: '1GB', receiver: '0551234567', price: 550 }
    const placed = await shop.database.db.query<{ placed: unknown }>(
      `select place_key_orders((select hash from api_keys where id = $1), $2, '\\x00', $3, $4) as placed`,
      [key._id, randomUUID(), JSON.stringify([line]), shop.clock.now],
    )
    expect(placed.rows[0]?.placed).toBeNull()
    const listed = async () => (await call<ApiKey[]>(shop, 'GET', '/api-keys', { as: agent })).body.map(({ lacksPin }) => lacksPin)
    expect(await listed()).toEqual([true])
    expect((await rotate(key)).body.code).toBe('PIN_REQUIRED')
    const { body } = await call<{ proof: string }>(shop, 'POST', '/user/me/pin/proof', { as: agent, body: { pin: '7392' } })
    const replaced = await rotate(key, { 'pin-proof': body.proof })
    expect([replaced.status, replaced.body.key.lacksPin, (await buy(replaced.body.secret)).status]).toEqual([200, false, 201])
    expect((await buy(secret)).status).toBe(403)
  })

  test('that is not asked for at the checkout leaves keys alone, and counts for those made meanwhile once it is', async () => {
    await call(shop, 'POST', '/user/me/pin', { as: agent, body: { password: PASSWORD, pin: '7392', atCheckout: false } })
    const { secret } = (await make()).body
    expect((await buy(secret)).status).toBe(201)
    await call(shop, 'PUT', '/user/me/pin', { as: agent, body: { currentPin: '7392', atCheckout: true } })
    expect((await buy(secret)).status).toBe(403)
  })
})
