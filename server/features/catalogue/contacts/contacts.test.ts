import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_CONTACTS, type Receiver } from '../../../../shared/contacts.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

const MUM = { network: 'MTN', phoneNumber: '0244123456', name: 'Mum' }
type Saved = { contact: { _id: string; name: string } }

async function receiversOf(as: SignedInUser) {
  return (await call<Receiver[]>(shop, 'GET', '/contact', { as })).body
}

function save<T = Saved & ErrorBody>(as: SignedInUser, contact: Record<string, unknown> = MUM) {
  return call<T>(shop, 'PUT', '/contact', { as, body: contact })
}

async function buy(as: SignedInUser, ...numbers: string[]) {
  const lines = await Promise.all(numbers.map((phoneNumber) => cartLine(shop, { phoneNumber })))
  const { status, body } = await checkout(shop, as, lines)
  expect(status).toBe(200)
  return body.orders
}

const shown = ({ name, phoneNumber, network }: Receiver) => `${name ?? '-'} ${phoneNumber} ${network}`

describe('a name for a number', () => {
  test('is kept, found again and changed; the same number has another name for another network', async () => {
    const user = await makeUser(shop)
    expect(await receiversOf(user)).toEqual([])
    const { status, body } = await save(user, { ...MUM, name: '  Mum ' })
    expect([status, body.contact.name]).toEqual([200, 'Mum'])
    await save(user, { ...MUM, network: 'Airtime', name: 'Mum (airtime)' })
    const renamed = await save(user, { ...MUM, name: 'Mama' })
    expect(renamed.body.contact._id).toBe(body.contact._id)
    expect((await receiversOf(user)).map(shown)).toEqual(['Mama 0244123456 MTN', 'Mum (airtime) 0244123456 Airtime'])
  })

  test('given by two phones at once is one contact', async () => {
    const user = await makeUser(shop)
    const names = Array.from({ length: 8 }, (_, at) => `Name ${at}`)
    const replies = await Promise.all(names.map((name) => save(user, { ...MUM, name })))
    expect(replies.map(({ status }) => status)).toEqual(names.map(() => 200))
    const [only, ...others] = await receiversOf(user)
    expect(others).toEqual([])
    expect(names).toContain(only?.name)
  })

  test('belongs to who gave it: nobody else sees or deletes it', async () => {
    const [owner, other] = [await makeUser(shop), await makeUser(shop, { level: 'Admin' })]
    const { contact } = (await save(owner)).body
    expect(await receiversOf(other)).toEqual([])
    expect((await call(shop, 'DELETE', `/contact/${contact._id}`, { as: other })).status).toBe(404)
    expect(await receiversOf(owner)).toHaveLength(1)
    expect((await call(shop, 'DELETE', `/contact/${contact._id}`, { as: owner })).status).toBe(200)
    expect((await call(shop, 'DELETE', `/contact/${contact._id}`, { as: owner })).status).toBe(404)
    expect(await receiversOf(owner)).toEqual([])
  })

  test.each([
    [{ name: '   ' }, 'name', 'Enter a name of 1 to 40 characters.'],
    [{ name: 'x'.repeat(41) }, 'name', 'Enter a name of 1 to 40 characters.'],
    [{ name: undefined }, 'name', 'Enter a name of 1 to 40 characters.'],
    [{ network: 'Glo' }, 'network', 'Choose a network from the list.'],
    [{ phoneNumber: '0101234567' }, 'phoneNumber', 'No mobile network in Ghana uses 010. Check the number.'],
    [{ phoneNumber: '024412345' }, 'phoneNumber', 'Enter a phone number of exactly 10 digits, like 0241234567.'],
  ])('is refused with %j', async (wrong, path, message) => {
    const user = await makeUser(shop)
    const { status, body } = await save(user, { ...MUM, ...wrong })
    expect([status, body.issues]).toEqual([400, [{ path, message }]])
    expect(await receiversOf(user)).toEqual([])
  })

  test(`is refused beyond ${MAX_CONTACTS} numbers, while those there are can still be renamed`, async () => {
    const user = await makeUser(shop)
    await shop.database.db.query(
      `insert into contacts (user_id, network, phone, name, created_at, updated_at)
       select $1, 'MTN', '024' || lpad(n::text, 7, '0'), 'Number ' || n, now(), now() from generate_series(1, $2) n`,
      [user._id, MAX_CONTACTS],
    )
    const { status, body } = await save(user)
    expect([status, body.code, body.message]).toEqual([409, 'CONFLICT', expect.stringContaining('at most 500 numbers')])
    expect((await save(user, { ...MUM, phoneNumber: '0240000001' })).status).toBe(200)
    expect(await receiversOf(user)).toHaveLength(MAX_CONTACTS)
  })
})

describe('recent receivers', () => {
  test('are listed last bought first, once each, with what was bought, and before names never bought for', async () => {
    const user = await makeUser(shop, { balance: 100 })
    await save(user, { ...MUM, name: 'Never bought for' })
    await save(user, { ...MUM, phoneNumber: '0551110001', name: 'Router' })
    await buy(user, '0551110001', '0551110002')
    await buy(user, '0551110003')
    await buy(user, '0551110002')
    const receivers = await receiversOf(user)
    expect(receivers.map(shown)).toEqual([
      '- 0551110002 MTN',
      '- 0551110003 MTN',
      'Router 0551110001 MTN',
      'Never bought for 0244123456 MTN',
    ])
    const product = (await cartLine(shop)).productId
    expect(receivers[2]).toMatchObject({ offer: '1GB', productId: product, lastBoughtAt: shop.clock.now.toISOString() })
    expect(receivers[3]).toMatchObject({ offer: null, productId: null, lastBoughtAt: null })
  })

  test('leave out a number whose only order was rejected', async () => {
    const [user, admin] = [await makeUser(shop, { balance: 100 }), await makeUser(shop, { level: 'Admin' })]
    const [wrong] = await buy(user, '0551110001', '0551110002')
    const decided = await call(shop, 'PUT', `/order/update-status/${wrong?._id}`, {
      as: admin,
      body: { status: 'rejected', override: { reason: 'A wrong number' } },
    })
    expect(decided.status).toBe(200)
    expect((await receiversOf(user)).map(({ phoneNumber }) => phoneNumber)).toEqual(
      ['0551110001', '0551110002'].filter((number) => number !== wrong?.receiver),
    )
  })

  test('are at most fifty without a name; a name bought for earlier is listed all the same', async () => {
    const user = await makeUser(shop, { balance: 1000 })
    await save(user, { ...MUM, phoneNumber: '0551110001', name: 'First of all' })
    await buy(user, '0551110001')
    for (let at = 0; at < 60; at += 30) {
      await buy(user, ...Array.from({ length: 30 }, (_, n) => `055222${String(at + n).padStart(4, '0')}`))
    }
    const receivers = await receiversOf(user)
    expect(receivers).toHaveLength(51)
    expect(receivers.at(-1)?.name).toBe('First of all')
  })

  test('are nobody else’s', async () => {
    const [one, other] = [await makeUser(shop, { balance: 100 }), await makeUser(shop, { balance: 100 })]
    await buy(one, '0551110001')
    expect(await receiversOf(other)).toEqual([])
    expect((await call(shop, 'GET', '/contact')).status).toBe(401)
    expect((await call(shop, 'DELETE', `/contact/${randomUUID()}`, { as: other })).status).toBe(404)
  })
})
