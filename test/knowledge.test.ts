import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Order } from '../shared/orders.ts'
import type { SignedInUser } from '../shared/users.ts'
import { AFA_FORM, makeAfaOrder, newGhanaCard } from './afa.ts'
import { IN_GUEST_BROWSER, openShopOf, payInGuestBrowser } from './agent-shop.ts'
import { openTestShop, type TestShop } from './app.ts'
import { call, cartLine, checkout, makeUser } from './builders.ts'
import { stockCheckers } from './checkers.ts'

// What one must know to open something without an account can't be tried at will: each door counts wrong answers for each thing behind it, from
// wherever they come. (PINs, passwords, payout codes and codes at sign-in are counted for each account: their features' tests.)

const HOUR_MS = 3_600_000

let shop: TestShop
let buyer: SignedInUser
/** Orders that were made a guest's, each with the reference that it had. */
const made: [id: string, reference: string][] = []
beforeAll(async () => {
  shop = await openTestShop({ rateLimits: true })
})
afterAll(() => shop.close())
afterEach(async () => {
  // The buyer's again, who paid for them.
  await shop.database.db.query('alter table orders disable trigger orders_decided_once')
  for (const [id, reference] of made.splice(0)) {
    const own = [id, reference, buyer._id]
    await shop.database.db.query(
      'update orders set reference = $2, user_id = $3, shop_id = null, guest_phone = null, payment_reference = null, paid_with = $4 where id = $1',
      [...own, 'wallet'],
    )
  }
  await shop.database.db.query(`delete from payments where reason = 'made up'`)
  await shop.database.db.query('alter table orders enable trigger orders_decided_once')
})
beforeEach(async () => {
  shop.clock.advance(30 * 24 * HOUR_MS)
  buyer = await makeUser(shop, { balance: 500 })
})

let addresses = 0
/** An address that nobody has used. */
function newAddress(): string {
  addresses += 1
  return `198.51.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`
}

async function ask(
  path: string,
  body: object,
  remoteAddress = newAddress(),
): Promise<{ status: number; body: { code?: string; checkers?: unknown[] } }> {
  const reply = await shop.app.inject({ method: 'POST', url: `/api${path}`, payload: body, remoteAddress, headers: IN_GUEST_BROWSER })
  return { status: reply.statusCode, body: reply.json() }
}

async function buy(phoneNumber: string): Promise<Order> {
  const as = await makeUser(shop, { balance: 20 })
  return (await checkout(shop, as, [await cartLine(shop, { phoneNumber })])).body.orders[0] as Order
}

const RECEIVER = '0551234567'
const GUEST = '0245550142'

/** A guest's order of the package BECE, made one by its columns alone. */
async function guestOrder(network: 'WAEC Checkers' | 'AFA'): Promise<{ reference: string }> {
  const agent = await makeUser(shop, { level: 'Agent' })
  const shopId = await openShopOf(shop, agent._id)
  const id = network === 'AFA' ? await makeAfaOrder(shop, buyer) : await checkerOrder()
  const reference = randomUUID().replaceAll('-', '').slice(0, 20)
  await shop.database.db.query('alter table orders disable trigger orders_decided_once')
  const { rows } = await shop.database.db.query<{ reference: string }>('select reference from orders where id = $1', [id])
  made.push([id, rows[0]!.reference])
  await shop.database.db.query('update orders set reference = $2, user_id = null, shop_id = $3, guest_phone = $4 where id = $1', [
    id,
    reference,
    shopId,
    GUEST,
  ])
  const payment = randomUUID().replaceAll('-', '').slice(0, 20)
  await shop.database.db.query(
    `insert into payments (reference, shop_id, guest_phone, purpose, lines, price_pesewas, surcharge_pesewas, status, reason, received_pesewas,
       created_at, settled_at) values ($1, $2, $3, 'order', '[]', 500, 0, 'held', 'made up', 500, $4, $4)`,
    [payment, shopId, GUEST, shop.clock.now],
  )
  await payInGuestBrowser(shop)
  await shop.database.db.query(`update orders set payment_reference = $2, paid_with = 'card' where id = $1`, [id, payment])
  await shop.database.db.query('alter table orders enable trigger orders_decided_once')
  return { reference }
}

async function checkerOrder(): Promise<string> {
  await stockCheckers(shop, 'WASSCE', 1)
  const line = await cartLine(shop, { network: 'WAEC Checkers', offer: 'WASSCE', phoneNumber: RECEIVER })
  return ((await checkout(shop, buyer, [line])).body.orders[0] as Order)._id
}

/**
 * `most` wrong answers from everywhere, and one more after `everyMs`; `atOneAddress` of these. Wrong ones differ; `right` opens it.
 */
type Door = {
  atOneAddress: number | null
  most: number
  everyMs: number
  /** Whether a new address has a try of its own, whatever strangers did. */
  firstTries?: true
  prepare: () => Promise<{ wrong: (n: number) => [string, object]; right: [string, object] }>
}

const stranger = (n: number) => `024${String(4_000_000 + n)}`

const DOORS: Record<string, Door> = {
  'an order’s number with its receiver: many receivers': {
    atOneAddress: 10,
    most: 60,
    everyMs: HOUR_MS / 2,
    firstTries: true,
    prepare: async () => {
      const { number } = await buy(RECEIVER)
      return {
        wrong: (n) => ['/track', { reference: number, phoneNumber: stranger(n) }],
        right: ['/track', { reference: number, phoneNumber: RECEIVER }],
      }
    },
  },
  'an order’s number with its receiver: counting orders of a known phone': {
    atOneAddress: 20,
    most: 60,
    everyMs: HOUR_MS / 2,
    firstTries: true,
    prepare: async () => {
      const known = stranger(addresses)
      const { number } = await buy(known)
      return {
        wrong: (n) => ['/track', { reference: String(900_000 + n), phoneNumber: known }],
        right: ['/track', { reference: number, phoneNumber: known }],
      }
    },
  },
  'the codes of a guest’s checkers': {
    atOneAddress: 10,
    most: 60,
    everyMs: HOUR_MS / 2,
    prepare: async () => {
      const { reference } = await guestOrder('WAEC Checkers')
      return {
        // Having them sent is the same door.
        wrong: (n) => [`/track/${reference}/checkers${n % 2 === 0 ? '' : '/send'}`, { phoneNumber: stranger(n) }],
        right: [`/track/${reference}/checkers`, { phoneNumber: GUEST }],
      }
    },
  },
  'whether a Ghana Card is registered, by a guest’s AFA order': {
    atOneAddress: null,
    most: 5,
    everyMs: 3 * HOUR_MS,
    prepare: async () => {
      const taken = newGhanaCard()
      const other = await makeAfaOrder(shop, buyer)
      await call(shop, 'POST', `/order/${other}/afa`, { as: buyer, body: { ...AFA_FORM, ghanaCard: taken } })
      const { reference } = await guestOrder('AFA')
      const path = `/shops/order/${reference}/afa`
      return { wrong: () => [path, { ...AFA_FORM, ghanaCard: taken }], right: [path, { ...AFA_FORM, ghanaCard: newGhanaCard() }] }
    },
  },
}

describe.each(Object.entries(DOORS))('%s', (_name, { atOneAddress, most, everyMs, firstTries = false, prepare }) => {
  test.runIf(firstTries)('lets a new address in however many strangers have guessed, once, and 300 of them before others', async () => {
    const { wrong, right } = await prepare()
    const strangers = Array.from({ length: most }, () => newAddress())
    for (const [n, stranger] of strangers.entries()) expect((await ask(...wrong(n), stranger)).status).toBe(404)
    expect((await ask(...right, strangers[0])).status).toBe(429)
    const home = newAddress()
    for (let n = 0; n < 3; n++) expect((await ask(...right, home)).status).toBe(200)
    expect((await ask(...wrong(most), home)).status).toBe(404)
    expect((await ask(...right, home)).status).toBe(429)
    for (let n = 1; n < 300; n++) expect([n, (await ask(...wrong(most + n))).status]).toEqual([n, 404])
    expect((await ask(...right)).status).toBe(429)
    // Twenty days are not over for those that guessed; for the rest of the world one more each ten minutes.
    shop.clock.advance(HOUR_MS / 6)
    expect((await ask(...right, home)).status).toBe(429)
    expect((await ask(...right)).status).toBe(200)
  })

  test('closes after a few wrong answers from anywhere, opens slowly again, and stays open to who knows', async () => {
    const { wrong, right } = await prepare()
    for (let n = 0; n < 3; n++) expect((await ask(...right)).status).toBe(200)
    const strangers = Array.from({ length: most }, () => newAddress())
    for (const [n, stranger] of strangers.entries())
      expect([n, [404, 409].includes((await ask(...wrong(n), stranger)).status)]).toEqual([n, true])
    const [one, other] = strangers
    expect((await ask(...wrong(most), one)).status).toBe(429)
    expect((await ask(...right, one)).status).toBe(429)
    shop.clock.advance(everyMs - 1_000)
    expect((await ask(...right, one)).status).toBe(429)
    shop.clock.advance(1_000)
    expect((await ask(...right, one)).status).toBe(200)
    expect([404, 409]).toContain((await ask(...wrong(most + 1), one)).status)
    expect((await ask(...wrong(most + 2), other)).status).toBe(429)
  })

  test.skipIf(atOneAddress === null)('closes at a stranger’s address alone, while who knows comes from elsewhere', async () => {
    const { wrong, right } = await prepare()
    const strangers = newAddress()
    const statuses: number[] = []
    for (let n = 0; n < most; n++) statuses.push((await ask(...wrong(n), strangers)).status)
    expect(statuses.filter((status) => status !== 429)).toHaveLength(atOneAddress ?? 0)
    expect((await ask(...right, strangers)).status).toBe(429)
    expect((await ask(...right)).status).toBe(200)
  })
})

test('many accounts made at one address are invited by the same agent three times a day, and by another as often', async () => {
  await shop.database.db.query('update referral_rules set enabled = true')
  const codes: string[] = []
  for (let n = 0; n < 2; n++) {
    const agent = await makeUser(shop, { level: 'Agent' })
    codes.push((await call<{ code: string }>(shop, 'POST', '/referrals/link', { as: agent })).body.code)
  }
  const invited = async (invitation: string, name: string) => {
    const payload = {
      username: `invited ${name}`,
      email: `${name}@example.com`,
      phone: `0208${name.padStart(6, '0')}`,
      password: 'a good password',
      invitation,
    }
    const reply = await shop.app.inject({ method: 'POST', url: '/api/user/register', payload, remoteAddress: '203.0.113.77' })
    const { rows } = await shop.database.db.query<{ counts: boolean }>(
      `select check_at is not null as counts from referrals where referred_id = $1`,
      [reply.json()._id],
    )
    return rows[0]?.counts
  }
  const first = await Promise.all(Array.from({ length: 8 }, (_, n) => invited(codes[0] as string, `10${n}`)))
  expect(first.filter(Boolean)).toHaveLength(3)
  expect(await invited(codes[1] as string, '201')).toBe(true)
  shop.clock.advance(8 * HOUR_MS)
  expect([await invited(codes[0] as string, '301'), await invited(codes[0] as string, '302')]).toEqual([true, false])
})

describe('a guest’s answers', () => {
  test('are the same for a card that is registered and one that is not', async () => {
    const taken = newGhanaCard()
    const other = await makeAfaOrder(shop, buyer)
    await call(shop, 'POST', `/order/${other}/afa`, { as: buyer, body: { ...AFA_FORM, ghanaCard: taken } })
    const agent = await makeUser(shop, { level: 'Agent' })
    const shopId = await openShopOf(shop, agent._id)
    const { rows } = await shop.database.db.query<{ slug: string }>('select slug from agent_shops where id = $1', [shopId])
    for (const ghanaCard of [taken, newGhanaCard()]) {
      const reply = await ask(`/shops/${rows[0]?.slug}/afa`, { ...AFA_FORM, ghanaCard })
      expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['form']])
    }
  })

  test('show three digits of a receiver’s number, which the order’s link is passed on with', async () => {
    const { reference } = await buy(RECEIVER)
    const { body } = await call<{ order: { receiver: string } }>(shop, 'GET', `/track/${reference}`)
    expect(body.order.receiver.replace(/\D/g, '')).toBe('567')
  })
})
