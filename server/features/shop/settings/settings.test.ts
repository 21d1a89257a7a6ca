import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { SettingsReply } from '../../../../shared/settings.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, makeUser } from '../../../../test/builders.ts'

let shop: TestShop
let admin: SignedInUser
let other: SignedInUser

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  admin = await makeUser(shop, { level: 'Admin' })
  other = await makeUser(shop, { level: 'Admin' })
})
afterAll(() => shop.close())

const read = async () => (await call<SettingsReply>(shop, 'GET', '/admin/settings', { as: admin })).body
const change = <T = SettingsReply>(body: object, as = admin) => call<T>(shop, 'PUT', '/admin/settings', { as, body })

describe('changing the settings', () => {
  test('keeps omitted settings, and shows who changed them last', async () => {
    const before = await read()
    const { status, body } = await change({ routes: { MTN: 'hubnet' }, smsDailyCap: 300 }, other)
    expect([status, body.settings]).toEqual([
      200,
      { ...before.settings, routes: { ...before.settings.routes, MTN: 'hubnet' }, smsDailyCap: 300 },
    ])
    expect(body.lastChange).toEqual({ by: other.username, at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) })
    expect((await read()).settings).toEqual(body.settings)
  })

  test('is refused when a field changed since the admin saw it; nothing is saved then', async () => {
    await change({ routes: { MTN: 'by-hand' }, smsDailyCap: 500, buyerSms: false })
    await change({ routes: { MTN: 'hubnet' } }, other)
    const before = (await read()).settings
    const refused = await change<ErrorBody>({
      routes: { MTN: 'remadata' },
      buyerSms: true,
      seen: { routes: { MTN: 'by-hand' }, buyerSms: false },
    })
    expect([refused.status, refused.body.code, refused.body.issues?.map(({ path }) => path)]).toEqual([409, 'CONFLICT', ['routes.MTN']])
    expect((await read()).settings).toEqual(before)
  })

  test('does not conflict with another admin’s change of other fields', async () => {
    await change({ smsDailyCap: 500, buyerSms: false })
    await change({ smsDailyCap: 400 }, other)
    const { status, body } = await change({ buyerSms: true, seen: { buyerSms: false } })
    expect([status, body.settings.buyerSms, body.settings.smsDailyCap]).toEqual([200, true, 400])
  })

  test('by many at once: one succeeds', async () => {
    await change({ smsDailyCap: 100 })
    const replies = await Promise.all([101, 102, 103, 104, 105].map((cap) => change({ smsDailyCap: cap, seen: { smsDailyCap: 100 } })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect((await read()).settings.smsDailyCap).toBe(replies.find(({ status }) => status === 200)?.body.settings.smsDailyCap)
  })

  test('of a shop with an older number that is no mobile number are shown, and can be changed', async () => {
    await shop.database.db.query(`update operations_settings set operator_phone = '0302123456'`)
    expect((await read()).settings.operatorPhone).toBe('0302123456')
    const { status, body } = await change({ operatorPhone: '0241234567', seen: { operatorPhone: '0302123456' } })
    expect([status, body.settings.operatorPhone]).toEqual([200, '0241234567'])
  })

  test('to an invalid value is refused by field', async () => {
    for (const [body, path] of [
      [{ smsDailyCap: -1 }, 'smsDailyCap'],
      [{ operatorPhone: '123' }, 'operatorPhone'],
      [{ operatorPhone: '0302123456' }, 'operatorPhone'],
      [{ routes: { AFA: 'hubnet' } }, 'routes.AFA'],
      [{ seen: { smsDailyCap: 'many' } }, 'seen.smsDailyCap'],
    ] as const) {
      const { status, body: reply } = await change<ErrorBody>(body)
      expect([status, reply.issues?.[0]?.path]).toEqual([400, path])
    }
  })
})
