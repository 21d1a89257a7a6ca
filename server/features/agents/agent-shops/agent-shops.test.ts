import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { GuestPurchase, ListedShop, OwnShopReply, PublicShop, ShopDay, ShopRules, ShopSale } from '../../../../shared/agent-shops.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { PaymentReply } from '../../../../shared/payments.ts'
import { REALTIME_API_PATH, REALTIME_PATH } from '../../../../shared/realtime.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { shopNameOf } from '../../../../test/agent-shop.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, findProduct, makeUser } from '../../../../test/builders.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { gatewayThat, makeCtx, paid } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { insertPayment } from '../../card/payments/payments.sql.ts'
import { settlePayment } from '../../card/payments/settle-payment.ts'
import { changeShop } from './change-shop.ts'
import { readShopPage } from './queries.ts'

const GUEST = '0245550142'
const LATER_MS = 48 * 3_600_000

let shop: TestShop
let owner: SignedInUser
let agent: SignedInUser
let slug: string
let house: string
let shopId: string
let mtn: string
let count = 0

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  house = new URL(shop.url).hostname
  owner = await makeUser(shop, { level: 'Admin' })
  mtn = (await findProduct(shop, 'MTN'))._id
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

beforeEach(async () => {
  await query('update packages set price_customer_pesewas = 550, price_agent_pesewas = 470 where product_id = $1', [mtn])
  await query('update agent_shop_rules set enabled = true, new_shops = true, max_markup = 30, min_profit_pesewas = 10')
  agent = await makeUser(shop, { level: 'Agent' })
  slug = `shop-${++count}`
  const { body } = await openShop(agent, slug)
  shopId = body.shop?.id ?? ''
})

function query(text: string, values: unknown[] = []) {
  return shop.database.db.query(text, values)
}

function openShop(as: SignedInUser, link: string, name = shopNameOf(link)) {
  const body = { slug: link, name, about: 'Madina', colour: 'plum', phone: '0245550100', whatsapp: null }
  return call<OwnShopReply & ErrorBody>(shop, 'POST', '/my-shop', { as, body })
}

function setPrices(prices: { offer: string; price: number | null; hidden?: boolean }[], as = agent) {
  const body = { prices: prices.map((line) => ({ productId: mtn, ...line })) }
  return call<OwnShopReply & ErrorBody>(shop, 'PUT', '/my-shop/prices', { as, body })
}

async function today(): Promise<ShopDay | null> {
  return (await call<{ day: ShopDay | null }>(shop, 'GET', '/my-shop/today', { as: agent })).body.day
}

function visit(link = slug) {
  return call<{ shop: PublicShop } & ErrorBody>(shop, 'GET', `/shops/${link}`)
}

async function priceOf(offer: string) {
  return (await visit()).body.shop.offers.find((line) => line.productId === mtn && line.offer === offer)?.price
}

/** Notes a guest's payment as the endpoint does, without the loop of the shop coming first. */
async function begin({ price = 570, surcharge = 17, offer = '1GB', receiver = '0551234567', to = shopId } = {}) {
  return beginMany([{ price, offer, receiver }], { surcharge, to })
}

async function beginMany(wanted: { price: number; offer: string; receiver: string }[], { surcharge = 0, to = shopId } = {}) {
  const reference = crypto.randomUUID().replaceAll('-', '').slice(0, 20)
  await insertPayment(shop.database.db, {
    reference,
    userId: null,
    guest: { shopId: to, phone: GUEST },
    purpose: 'order',
    lines: wanted.map(({ price, offer, receiver }) => {
      return { product: mtn, network: null, offer, receiver, expectedPricePesewas: price, clientId: null }
    }),
    pricePesewas: wanted.reduce((sum, { price }) => sum + price, 0),
    surchargePesewas: surcharge,
    now: shop.clock.now,
    checkAt: new Date(shop.clock.now.getTime() + LATER_MS),
  })
  return reference
}

function settle(reference: string, pesewas = 587) {
  return settlePayment(makeCtx(shop).ctx, gatewayThat(paid(pesewas)), reference)
}

async function buy(): Promise<{ reference: string; order: { id: string; status: string } }> {
  await setPrices([{ offer: '1GB', price: 5.7 }])
  const reference = await begin()
  await settle(reference)
  const { rows } = await query('select id, status from orders where payment_reference = $1', [reference])
  return { reference, order: rows[0] as { id: string; status: string } }
}

function decide(orderId: string, status: 'completed' | 'rejected') {
  return call(shop, 'PUT', `/order/update-status/${orderId}`, { as: owner, body: { status } })
}

/** Refunds a completed order through its guest's report, the only way there is. */
async function refundDelivered(orderId: string) {
  const found = await query('select reference from orders where id = $1', [orderId])
  const { reference } = found.rows[0] as { reference: string }
  shop.clock.advance(LATER_MS)
  // An admin who has done nothing for so long is signed out.
  owner = await makeUser(shop, { level: 'Admin' })
  for (let times = 0; times < 2; times++) {
    const reported = await call(shop, 'POST', `/shops/order/${reference}/report`, { body: { text: 'Nothing came' } })
    expect(reported.status).toBe(200)
  }
  const { rows } = await query(`select id from reports where order_id = $1 and status = 'open'`, [orderId])
  const body = { outcome: 'refunded', text: 'It never came' }
  return call(shop, 'PUT', `/admin/reports/${(rows[0] as { id: string }).id}/end`, { as: owner, body })
}

/** In pesewas: the house's accounts that guests' money passes, and the agent's earnings and debt. */
async function books() {
  const { rows } = await query(
    `select (select coalesce(sum(pesewas), 0) from house_balances where account_id = 9)::integer as guests,
       (select coalesce(sum(p.amount_pesewas), 0) from postings p join journal_entries e on e.id = p.entry_id
        join refunds r on e.key in ('order-refund:' || r.order_id, 'guest-refund:' || r.payment_reference) and p.account_id = 15
        join payments m on m.reference = r.payment_reference where m.shop_id = $1)::integer as refunds,
       w.balance_pesewas as earnings, w.debt_pesewas as debt from wallets w where w.shop_id = $1`,
    [shopId],
  )
  return rows[0]
}

async function linesOf(key: string) {
  const { rows } = await query(
    `select case when p.account_id >= 1000 then split_part(a.code, ':', 1) else p.account_id::text end as account, p.amount_pesewas as pesewas
     from journal_entries e join postings p on p.entry_id = e.id join accounts a on a.id = p.account_id where e.key = $1 order by p.line`,
    [key],
  )
  return Object.fromEntries((rows as { account: string; pesewas: number }[]).map(({ account, pesewas }) => [account, pesewas]))
}

describe('a shop', () => {
  test('is opened once by an agent, under a link of its own, and sells as the house does until prices are set', async () => {
    const { body } = await visit()
    expect(body.shop).toMatchObject({ slug, name: shopNameOf(slug), colour: 'plum', closed: null, logo: null })
    expect(await priceOf('1GB')).toBe(5.5)
    expect((await openShop(agent, 'another')).status).toBe(409)
    const taken = await openShop(await makeUser(shop, { level: 'Agent' }), slug, 'Another Name')
    expect([taken.status, taken.body.code, taken.body.issues]).toEqual([
      409,
      'TAKEN',
      [{ path: 'slug', message: 'That link is not free. Please choose another.' }],
    ])
    expect((await visit('nobody')).status).toBe(404)
  })

  test('opened twice at the same time, it is one shop with one wallet', async () => {
    const as = await makeUser(shop, { level: 'Agent' })
    const replies = await Promise.all([openShop(as, `${slug}-a`), openShop(as, `${slug}-b`), openShop(as, `${slug}-c`)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const { rows } = await query(
      'select count(*)::integer as n from wallets w join agent_shops a on a.id = w.shop_id where a.owner_id = $1',
      [as._id],
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  test.each(['Akosua', 'ab', 'a--b', '-ab', 'admin', 'a b c'])('%j is no link', async (link) => {
    const reply = await openShop(await makeUser(shop, { level: 'Agent' }), link)
    expect([reply.status, link === 'Akosua' || reply.body.issues?.[0]?.path]).toEqual(link === 'Akosua' ? [200, true] : [400, 'slug'])
  })

  test('is for agents alone', async () => {
    const customer = await makeUser(shop)
    expect((await openShop(customer, 'customers')).status).toBe(403)
    expect((await call(shop, 'GET', '/my-shop', { as: customer })).status).toBe(403)
    expect((await setPrices([{ offer: '1GB', price: 6 }], customer)).status).toBe(403)
    expect((await setPrices([{ offer: '1GB', price: 6 }], await makeUser(shop, { level: 'Agent' }))).status).toBe(404)
  })

  test('keeps its link when its name changes, and is closed and opened by its agent', async () => {
    await call(shop, 'PUT', '/my-shop', { as: agent, body: { name: 'Akosua & Sons', open: false } })
    expect((await visit()).body.shop).toMatchObject({ slug, name: 'Akosua & Sons', offers: [], closed: expect.any(String) })
    await call(shop, 'PUT', '/my-shop', { as: agent, body: { open: true } })
    expect(await priceOf('1GB')).toBe(5.5)
  })

  test('asks for a host name, which a change of it has approved anew', async () => {
    const own = (host: string | null) => call<OwnShopReply & ErrorBody>(shop, 'PUT', '/my-shop', { as: agent, body: { host } })
    expect((await own(`${slug}.example.com`)).body.shop?.host).toEqual({ name: `${slug}.example.com`, approved: false })
    const approve = { as: owner, body: { hostApproved: true, seenHost: `${slug}.example.com` } }
    const { body } = await call<{ shop: ListedShop }>(shop, 'PUT', `/agent-shops/${shopId}`, approve)
    expect(body.shop.host?.approved).toBe(true)
    expect((await own(`${slug}.example.org`)).body.shop?.host?.approved).toBe(false)
    // The agent changed it while the owner was looking at the one before.
    for (const [more, status] of [
      [{ seenHost: `${slug}.example.com` }, 409],
      [{}, 400],
    ] as const) {
      expect((await call(shop, 'PUT', `/agent-shops/${shopId}`, { as: owner, body: { hostApproved: true, ...more } })).status).toBe(status)
    }
    expect((await own(`${slug}.example.org`)).body.shop?.host?.approved).toBe(false)
    expect((await own('localhost')).status).toBe(400)
    // That of another shop once it is approved there, and the house's own.
    const host = `${slug}.example.net`
    await own(host)
    const other = await makeUser(shop, { level: 'Agent' })
    const otherShop = (await openShop(other, `${slug}-other`)).body.shop?.id ?? ''
    const claim = () => call<OwnShopReply & ErrorBody>(shop, 'PUT', '/my-shop', { as: other, body: { host: `${slug}.example.NET` } })
    expect((await claim()).body.shop?.host).toEqual({ name: host, approved: false })
    const approveFor = (id: string) =>
      call<ErrorBody>(shop, 'PUT', `/agent-shops/${id}`, { as: owner, body: { hostApproved: true, seenHost: host } })
    expect((await approveFor(shopId)).status).toBe(200)
    expect((await approveFor(otherShop)).status).toBe(409)
    await call(shop, 'PUT', '/my-shop', { as: other, body: { host: null } })
    const taken = await claim()
    expect([taken.status, taken.body.code]).toEqual([409, 'TAKEN'])
    const ours = (host: string) =>
      changeShop(makeCtx(shop).ctx, { host }, { name: 'House', host: 'data.house.example' }).catch((error: unknown) => error)
    for (const like of ['data.house.example', 'pay.data.house.example', 'house.example']) {
      expect(await ours(like)).toMatchObject({ status: 409, code: 'TAKEN' })
    }
    expect((await own(`xn--${slug}-9za.example`)).status).toBe(400)
  })

  test('reads which host name the owner refused, until another is asked for', async () => {
    const own = (host: string | null) => call<OwnShopReply>(shop, 'PUT', '/my-shop', { as: agent, body: { host } })
    const limit = (refuseHost: string) =>
      call<{ shop: ListedShop } & ErrorBody>(shop, 'PUT', `/agent-shops/${shopId}`, { as: owner, body: { refuseHost } })
    const refused = `${slug}.refused.example`
    await own(refused)
    expect(await limit('changed.example.com')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(await limit('no host')).toMatchObject({ status: 400, body: { code: 'INVALID' } })
    const replies = await Promise.all([limit(refused), limit(refused)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 200)?.body.shop.host).toBeNull()
    const { body } = await call<OwnShopReply>(shop, 'GET', '/my-shop', { as: agent })
    expect(body.shop).toMatchObject({ host: null, refusedHost: refused })
    // A change of something else leaves the news standing, and the name is free for another shop.
    await call(shop, 'PUT', '/my-shop', { as: agent, body: { about: 'Fast data' } })
    expect((await call<OwnShopReply>(shop, 'GET', '/my-shop', { as: agent })).body.shop?.refusedHost).toBe(refused)
    const other = await makeUser(shop, { level: 'Agent' })
    await openShop(other, `${slug}-freed`)
    expect((await call(shop, 'PUT', '/my-shop', { as: other, body: { host: refused } })).status).toBe(200)
    expect((await own(`${slug}.second.example`)).body.shop).toMatchObject({ refusedHost: null, host: { approved: false } })
    const waiting = async (query: object) => {
      const reply = await call<ListedShop[]>(shop, 'GET', '/agent-shops', { as: owner, query: { search: slug, ...query } })
      return [reply.status, reply.status === 200 ? reply.body.map((one) => one.host?.name ?? null) : null]
    }
    expect(await waiting({ host: 'waiting' })).toEqual([200, [refused, `${slug}.second.example`]])
    await call(shop, 'PUT', `/agent-shops/${shopId}`, { as: owner, body: { hostApproved: true, seenHost: `${slug}.second.example` } })
    expect(await waiting({ host: 'waiting' })).toEqual([200, [refused]])
    expect(await waiting({})).toEqual([200, [refused, `${slug}.second.example`]])
    expect(await waiting({ host: 'yes' })).toEqual([400, null])
    expect(await waiting({ names: 'theirs' })).toEqual([400, null])
    // As it could be called before such names were refused.
    const oursOf = async () =>
      (await call<ListedShop[]>(shop, 'GET', '/agent-shops', { as: owner, query: { names: 'ours' } })).body.map((one) => one.name)
    expect(await oursOf()).toEqual([])
    await shop.database.db.query(`update agent_shops set name = 'DWADI Official' where id = $1`, [shopId])
    expect(await oursOf()).toEqual(['DWADI Official'])
    const listed = await call<ListedShop[]>(shop, 'GET', '/agent-shops', { as: owner, query: { search: slug } })
    expect(listed.body.map(({ likeOurs }) => likeOurs).sort()).toEqual([false, true])
  })

  describe('at its own host name', () => {
    const KNOWN = '/api/shops/payment/unknownreference12345/confirm'
    let host: string

    const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' = 'GET') =>
      shop.app.inject({ method, url, headers: { host, ...headers }, ...(method === 'POST' && { payload: {} }) })
    const approve = (hostApproved: boolean) =>
      call(shop, 'PUT', `/agent-shops/${shopId}`, { as: owner, body: { hostApproved, seenHost: host } })

    beforeEach(async () => {
      host = `${slug}.own.example`
      await call(shop, 'PUT', '/my-shop', { as: agent, body: { host } })
      await approve(true)
    })

    test('is the shop, its payment and the tracker, and nothing else', async () => {
      const there: [string, number][] = [
        [`/api/shops/${slug}`, 200],
        [`/api/track/unknownreference12345`, 404],
      ]
      for (const [url, status] of there) expect([url, (await ask(url)).statusCode]).toEqual([url, status])
      // The payment's own answer, not that there is nothing.
      expect((await ask(KNOWN, {}, 'POST')).json()).toMatchObject({ message: 'That payment does not exist.' })
      expect((await ask(`/api/shops/${slug}/payment`, {}, 'POST')).statusCode).toBe(400)
      const as = { authorization: `Bearer ${owner.token}` }
      const gone = [
        '/api/user/me',
        '/api/order/allorders',
        '/api/admin/inbox',
        '/api/product',
        '/api/shop',
        '/v1/openapi.json',
        '/api/docs',
        '/metrics',
      ]
      for (const url of [...gone, '/api/shops/another', '/s/another', '/store', '/admin', '/agent', '/user', '/login', '/app-shell']) {
        const { statusCode, headers, body } = await ask(url, as)
        expect([url, statusCode, JSON.parse(body).code, headers['set-cookie']]).toEqual([url, 404, 'NOT_FOUND', undefined])
      }
      const login = await ask('/api/user/login', {}, 'POST')
      expect([login.statusCode, login.headers['set-cookie']]).toEqual([404, undefined])
      // A browser that comes with an old link goes to the shop.
      const page = await ask('/admin', { accept: 'text/html' })
      expect([page.statusCode, page.headers.location]).toEqual([302, '/'])
      // Where a refund's code is used is the house's.
      const wallet = await ask('/user/finance', { accept: 'text/html' })
      expect([wallet.statusCode, wallet.headers.location]).toEqual([302, expect.stringMatching(/^http:\/\/[^/]+\/user\/finance$/)])
      expect(new URL(String(wallet.headers.location)).hostname).not.toBe(host)
    })

    test.each([
      ['in capitals, with a port and a dot at the end', () => `${host.toUpperCase()}.:8080`, 404],
      ['of the house', () => house, 401],
      ['that nobody has', () => 'nobody.example', 401],
      ['in digits', () => '192.0.2.7', 401],
      ['with a quote', () => `${host}'`, 401],
    ])('a name %s is looked up as it is', async (_, given, status) => {
      expect((await ask('/api/user/me', { host: given() })).statusCode).toBe(status)
    })

    test('another header than Host changes nothing, here or at the house', async () => {
      const forwarded = { 'x-forwarded-host': house, forwarded: `host=${house}`, 'x-host': house }
      expect((await ask('/api/user/me', forwarded)).statusCode).toBe(404)
      expect((await ask('/api/user/me', { host: house, 'x-forwarded-host': host })).statusCode).toBe(401)
    })

    test('the realtime channel does not answer, by whatever path and way', async () => {
      const { port } = new URL(shop.url)
      const handshake = async (path: string, named: string, upgrade: boolean) => {
        const ask = request({
          port,
          path: `${path}?EIO=4&transport=${upgrade ? 'websocket' : 'polling'}`,
          headers: {
            host: named,
            connection: upgrade ? 'upgrade' : 'close',
            ...(upgrade && { upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' }),
          },
        }).end()
        const [reply, socket] = await Promise.race([once(ask, 'response'), once(ask, 'upgrade')])
        ;(socket ?? reply).destroy()
        return reply.statusCode
      }
      for (const path of [REALTIME_PATH, REALTIME_API_PATH]) {
        for (const named of [host, `${host.toUpperCase()}.:8080`]) {
          expect([await handshake(path, named, false), await handshake(path, named, true)]).toEqual([403, 400])
        }
        expect([await handshake(path, house, false), await handshake(path, house, true)]).toEqual([200, 101])
      }
    })

    test('needs the owner’s approval, and keeps its name while the shop is closed', async () => {
      await approve(false)
      expect((await ask('/api/user/me')).statusCode).toBe(401)
      await approve(true)
      await call(shop, 'PUT', `/agent-shops/${shopId}`, { as: owner, body: { closed: 'Complaints' } })
      expect((await ask('/api/user/me')).statusCode).toBe(404)
      expect((await ask(`/api/shops/${slug}`)).json()).toMatchObject({ shop: { closed: 'This shop is closed.', offers: [] } })
      const other = await makeUser(shop, { level: 'Agent' })
      await openShop(other, `${slug}-other`)
      expect((await call(shop, 'PUT', '/my-shop', { as: other, body: { host } })).status).toBe(409)
    })

    test('its address is that of its page wherever it is read, once it is approved', async () => {
      const read = (ownHost: boolean) => readShopPage(shop.database.db, { slug, house: 'https://house.example', ownHost })
      expect(await read(false)).toMatchObject({ origin: 'https://house.example', canonical: `https://${host}/` })
      expect(await read(true)).toMatchObject({ origin: `https://${host}`, canonical: `https://${host}/` })
      await approve(false)
      expect(await read(false)).toMatchObject({ canonical: `https://house.example/s/${slug}` })
      expect(await readShopPage(shop.database.db, { slug: 'nobody', house: 'https://house.example', ownHost: false })).toBeNull()
    })
  })
})

describe('a price', () => {
  test.each([
    [4.7, 'MTN 1GB is too close to your cost. Lowest is ¢4.80.'],
    [4.69, 'MTN 1GB is below your cost of ¢4.70. Lowest is ¢4.80.'],
    [6.01, 'MTN 1GB sells for at most ¢6.00.'],
  ])('of %d is refused, and none of the others is saved', async (price, message) => {
    const { status, body } = await setPrices([
      { offer: '2GB', price: 5.6 },
      { offer: '1GB', price },
    ])
    expect([status, body.issues]).toEqual([400, [{ path: 'prices.1.price', message }]])
    expect(await priceOf('2GB')).toBe(5.5)
  })

  test.each([4.8, 6])('of %d, at the edge, is sold', async (price) => {
    await setPrices([{ offer: '1GB', price }])
    expect(await priceOf('1GB')).toBe(price)
  })

  test('is at most what the owner’s percentage allows, to the pesewa', async () => {
    const cost = async (pesewas: number) =>
      query('update packages set price_agent_pesewas = $2 where product_id = $1 and offer = $3', [mtn, pesewas, '1GB'])
    await cost(460)
    const tried = [(await setPrices([{ offer: '1GB', price: 5.99 }])).status, (await setPrices([{ offer: '1GB', price: 5.98 }])).status]
    await cost(470)
    expect(tried).toEqual([400, 200])
  })

  test('that the house has overtaken is not sold until the agent looks, and neither is a hidden package', async () => {
    await setPrices([
      { offer: '1GB', price: 5.7 },
      { offer: '2GB', price: null, hidden: true },
    ])
    await query('update packages set price_agent_pesewas = 570 where product_id = $1', [mtn])
    expect([await priceOf('1GB'), await priceOf('2GB')]).toEqual([undefined, undefined])
    const { body } = await call<OwnShopReply>(shop, 'GET', '/my-shop', { as: agent })
    const states = body.offers.filter(({ productId }) => productId === mtn).map(({ offer, state }) => [offer, state])
    expect(states).toContainEqual(['1GB', 'below-cost'])
    expect(states).toContainEqual(['2GB', 'hidden'])
  })

  test('above a limit that the owner lowers is not sold', async () => {
    await setPrices([{ offer: '1GB', price: 6 }])
    await call(shop, 'PUT', `/agent-shops/${shopId}`, { as: owner, body: { maxMarkup: 10 } })
    expect(await priceOf('1GB')).toBeUndefined()
    await call(shop, 'PUT', `/agent-shops/${shopId}`, { as: owner, body: { maxMarkup: null } })
    expect(await priceOf('1GB')).toBe(6)
    const { body } = await call<{ rules: ShopRules }>(shop, 'PUT', '/agent-shops/rules', { as: owner, body: { maxMarkup: 5 } })
    expect(body.rules).toEqual({ enabled: true, newShops: true, maxMarkup: 5, minProfit: 0.1, subAgents: false, mostSubAgents: 10 })
    expect(await priceOf('1GB')).toBeUndefined()
  })
})

describe("a guest's payment", () => {
  test('is started at the shop’s price with the surcharge, and nothing is booked', async () => {
    await setPrices([{ offer: '1GB', price: 5.7 }])
    const items = [{ productId: mtn, offer: '1GB', phoneNumber: '0551234567', amount: 5.7 }]
    const { status, body } = await call<PaymentReply>(shop, 'POST', `/shops/${slug}/payment`, { body: { phone: GUEST, items } })
    expect([status, body.amount]).toEqual([200, 587])
    const asked = await call<GuestPurchase>(shop, 'POST', `/shops/payment/${body.reference}/confirm`, { body: {} })
    expect(asked.body).toMatchObject({ payment: { status: 'open', total: 5.87 }, shop: { slug }, orders: [], refund: null })
  })

  test('of another price than the guest saw is refused with the new one', async () => {
    const items = [{ productId: mtn, offer: '1GB', phoneNumber: '0551234567', amount: 5.4 }]
    const { status, body } = await call<ErrorBody>(shop, 'POST', `/shops/${slug}/payment`, { body: { phone: GUEST, items } })
    expect([status, body.code, body.message]).toEqual([409, 'PRICE_CHANGED', 'The price of MTN 1GB is now GHS 5.50. Nothing was charged.'])
  })

  test('becomes an order that the guest can follow, paid from the account for guests, which it leaves empty', async () => {
    const { reference, order } = await buy()
    expect(await linesOf(`card-payment:${reference}`)).toEqual({ 5: -587, 9: 587 })
    expect(await linesOf(`order:${order.id}`)).toEqual({ 9: -570, 8: 570 })
    expect(await linesOf(`card-surcharge:${reference}`)).toEqual({ 9: -17, 2: 17 })
    expect(await books()).toEqual({ guests: 0, refunds: 0, earnings: 0, debt: 0 })
    const { body } = await call<GuestPurchase>(shop, 'POST', `/shops/payment/${reference}/confirm`, { body: {} })
    expect(body).toMatchObject({ payment: { status: 'paid', message: null }, orders: [{ offer: '1GB', price: 5.7, status: 'pending' }] })
    const tracked = await call<{ order: { status: string } }>(shop, 'GET', `/track/${body.orders[0]?.reference}`)
    expect([tracked.status, tracked.body.order.status]).toEqual([200, 'pending'])
    // Staff find it among all orders, and nobody finds it among the agent's own.
    const all = await call<Order[]>(shop, 'GET', '/order/allorders', { as: owner, query: { search: GUEST, page: '1' } })
    expect(all.body.find(({ _id }) => _id === order.id)).toMatchObject({ user: `guest ${GUEST}`, guest: true })
    expect((await call<Order[]>(shop, 'GET', '/order/allorders', { as: agent })).body).toEqual([])
    expect((await call(shop, 'GET', `/admin/orders/${order.id}`, { as: owner })).status).toBe(200)
  })

  test('for several packages is an order for each, in the order of the lines, with its part of the surcharge and the agent’s part', async () => {
    await setPrices([
      { offer: '1GB', price: 5.7 },
      { offer: '2GB', price: 5.9 },
    ])
    const wanted = [
      { offer: '1GB', price: 570, receiver: '0551234567' },
      { offer: '2GB', price: 590, receiver: '0245550177' },
      { offer: '1GB', price: 570, receiver: '0200000001' },
    ]
    const reference = await beginMany(wanted, { surcharge: 52 })
    expect(await settle(reference, 1782)).toMatchObject({ status: 'paid' })
    const { rows } = await query(
      `select o.offer, o.price_pesewas as price, o.receiver, o.surcharge_pesewas as surcharge, o.agent_profit_pesewas as profit,
         s.price_pesewas - s.cost_pesewas as share, s.floor_pesewas as floor, s.ceiling_pesewas as ceiling, e.memo
       from orders o join profit_shares s on s.order_id = o.id join journal_entries e on e.key = 'order:' || o.id
       where o.payment_reference = $1 order by o.seq`,
      [reference],
    )
    const parts = [17, 17, 18]
    expect(rows).toEqual(
      wanted.map(({ offer, price, receiver }, place) => {
        const kept = { surcharge: parts[place], profit: price - 470, share: price - 470, floor: 480, ceiling: 600 }
        return { offer, price, receiver, ...kept, memo: `MTN ${offer} to ${receiver}` }
      }),
    )
    expect(await books()).toEqual({ guests: 0, refunds: 0, earnings: 0, debt: 0 })
  })

  test('for several packages of which one is not sold any more buys none of them', async () => {
    const wanted = ['1GB', '2GB'].map((offer) => ({ offer, price: 550, receiver: '0551234567' }))
    const reference = await beginMany(wanted, { surcharge: 33 })
    await setPrices([{ offer: '2GB', price: null, hidden: true }])
    expect(await settle(reference, 1133)).toMatchObject({ status: 'held', reason: 'a product is not available any more' })
    expect((await query('select from orders where payment_reference = $1', [reference])).rowCount).toBe(0)
    expect(await books()).toEqual({ guests: 0, refunds: 1133, earnings: 0, debt: 0 })
  })

  test('settled many times at once becomes one order', async () => {
    const reference = await begin({ price: 550 })
    await Promise.all(Array.from({ length: 8 }, () => settle(reference, 567)))
    const { rows } = await query('select count(*)::integer as n from orders where payment_reference = $1', [reference])
    expect(rows).toEqual([{ n: 1 }])
  })

  test.each<[string, string, () => Promise<unknown>]>([
    ['the price changed meanwhile', 'a price has changed since', () => setPrices([{ offer: '1GB', price: 5.8 }])],
    [
      'the house’s price overtook it',
      'a product is not available any more',
      () => query('update packages set price_agent_pesewas = 570 where product_id = $1', [mtn]),
    ],
    ['the limit was lowered', 'a product is not available any more', () => query('update agent_shop_rules set max_markup = 5')],
    ['the agent closed the shop', 'the shop has closed', () => call(shop, 'PUT', '/my-shop', { as: agent, body: { open: false } })],
    [
      'the owner closed the shop',
      'the shop has closed',
      () => call(shop, 'PUT', `/agent-shops/${shopId}`, { as: owner, body: { closed: 'Complaints' } }),
    ],
    ['the owner closed all shops', 'the shop has closed', () => query('update agent_shop_rules set enabled = false')],
    ['the agent was banned', 'the shop has closed', () => query(`update users set status = 'Banned' where id = $1`, [agent._id])],
    ['the agent is none any more', 'the shop has closed', () => query(`update users set level = 'Customer' where id = $1`, [agent._id])],
  ])('goes back when %s: all of it is owed to the guest, nobody else has it', async (_, reason, happens) => {
    await setPrices([{ offer: '1GB', price: 5.7 }])
    const reference = await begin()
    await happens()
    expect(await settle(reference)).toMatchObject({ status: 'held', reason, inWallet: false })
    await settle(reference)
    expect(await books()).toEqual({ guests: 0, refunds: 587, earnings: 0, debt: 0 })
    const { rows } = await query('select phone, amount_pesewas as pesewas, order_id as order from refunds where payment_reference = $1', [
      reference,
    ])
    expect(rows).toEqual([{ phone: GUEST, pesewas: 587, order: null }])
    const { body } = await call<GuestPurchase>(shop, 'POST', `/shops/payment/${reference}/confirm`, { body: {} })
    expect(body).toMatchObject({ payment: { status: 'held' }, orders: [], refund: { amount: 5.87 } })
  })

  test('of too little goes back, and of too much only the rest', async () => {
    const little = await begin({ price: 550 })
    await settle(little, 500)
    const much = await begin({ price: 550 })
    expect(await settle(much, 600)).toMatchObject({ status: 'paid' })
    const { rows } = await query('select amount_pesewas as pesewas from refunds where payment_reference = any ($1) order by seq', [
      [little, much],
    ])
    expect(rows).toEqual([{ pesewas: 500 }, { pesewas: 33 }])
    expect(await books()).toEqual({ guests: 0, refunds: 533, earnings: 0, debt: 0 })
  })

  test('that comes in late, after the guest bought the same again, goes back', async () => {
    const late = await begin({ price: 550 })
    await query(`update payments set status = 'expired', reason = 'x' where reference = $1`, [late])
    await settle(await begin({ price: 550 }), 567)
    expect(await settle(late, 567)).toMatchObject({ status: 'held', reason: 'it came in late, after you had bought the same again' })
  })

  test('of somebody with an account cannot be looked at as a guest', async () => {
    const user = await makeUser(shop)
    const reference = crypto.randomUUID().replaceAll('-', '').slice(0, 20)
    await query(
      `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, created_at) values ($1, $2, 'agent-upgrade', 5000, 0, now())`,
      [reference, user._id],
    )
    expect((await call(shop, 'POST', `/shops/payment/${reference}/confirm`, { body: {} })).status).toBe(404)
    expect((await call(shop, 'POST', `/payment/${(await buy()).reference}/confirm`, { as: user, body: {} })).status).toBe(404)
  })
})

describe("an agent's profit", () => {
  test('is theirs when the order is delivered, once, and the house sells at the agent’s price', async () => {
    const { order } = await buy()
    expect((await decide(order.id, 'completed')).status).toBe(200)
    expect((await decide(order.id, 'completed')).status).toBe(409)
    expect(await linesOf(`delivery:${order.id}`)).toMatchObject({ 8: -570, 1: 470, earnings: 100 })
    expect(await books()).toEqual({ guests: 0, refunds: 0, earnings: 100, debt: 0 })
    const sales = await call<ShopSale[]>(shop, 'GET', '/my-shop/sales', { as: agent })
    expect(sales.body).toMatchObject([{ offer: '1GB', price: 5.7, cost: 4.7, keep: 1, share: 'earned', status: 'completed' }])
    expect(sales.body[0]?.receiver).toMatch(/^••• ••• •\d{3}$/)
    expect(await today()).toEqual({ orders: 1, completed: 1, pending: 0, earned: 1 })
    const { body } = await call<ListedShop[]>(shop, 'GET', '/agent-shops', { as: owner, query: { search: slug } })
    expect(body).toMatchObject([{ slug, orders: 1, sold: 5.7, earned: 1, earnings: 1, debt: 0, agent: { username: agent.username } }])
    shop.clock.advance(24 * 3_600_000)
    expect(await today()).toEqual({ orders: 0, completed: 0, pending: 0, earned: 0 })
    owner = await makeUser(shop, { level: 'Admin' })
  })

  test('is none when the order is refunded before: the guest is owed price and surcharge', async () => {
    const { reference, order } = await buy()
    expect((await decide(order.id, 'rejected')).status).toBe(200)
    expect(await linesOf(`order-refund:${order.id}`)).toEqual({ 15: 587, 8: -570, 2: -17 })
    expect(await books()).toEqual({ guests: 0, refunds: 587, earnings: 0, debt: 0 })
    const { body } = await call<GuestPurchase>(shop, 'POST', `/shops/payment/${reference}/confirm`, { body: {} })
    expect(body).toMatchObject({ orders: [{ status: 'rejected' }], refund: { amount: 5.87 } })
    expect((await call<ShopSale[]>(shop, 'GET', '/my-shop/sales', { as: agent })).body).toMatchObject([{ share: 'none' }])
    await buy()
    expect(await today()).toEqual({ orders: 2, completed: 0, pending: 1, earned: 0 })
  })

  test('is taken back by a refund after the delivery', async () => {
    const { order } = await buy()
    await decide(order.id, 'completed')
    expect(await today()).toEqual({ orders: 1, completed: 1, pending: 0, earned: 1 })
    expect((await refundDelivered(order.id)).status).toBe(200)
    expect(await linesOf(`order-refund:${order.id}`)).toEqual({ 15: 587, 1: -470, earnings: -100, 2: -17 })
    expect(await books()).toEqual({ guests: 0, refunds: 587, earnings: 0, debt: 0 })
    expect((await call<ShopSale[]>(shop, 'GET', '/my-shop/sales', { as: agent })).body).toMatchObject([{ share: 'taken-back' }])
    expect(await today()).toEqual({ orders: 0, completed: 0, pending: 0, earned: 0 })
  })

  test('that is gone by then becomes a debt, which later profit repays before anything else', async () => {
    const first = await buy()
    await decide(first.order.id, 'completed')
    await query(
      `select post_entry('test-withdrawal:' || $1, 'admin-debit', '', null, array[account_id, 6], array[-70, 70], now()) from wallets where shop_id = $2`,
      [first.reference, shopId],
    )
    await refundDelivered(first.order.id)
    expect(await linesOf(`order-refund:${first.order.id}`)).toEqual({ 15: 587, 1: -470, earnings: -30, 19: -70, 2: -17 })
    expect(await books()).toMatchObject({ earnings: 0, debt: 70 })
    const second = await buy()
    await decide(second.order.id, 'completed')
    expect(await linesOf(`delivery:${second.order.id}`)).toMatchObject({ 8: -570, 1: 470, 19: 70, earnings: 30 })
    expect(await books()).toMatchObject({ earnings: 30, debt: 0 })
    await query(
      `select post_entry('test-withdrawal:' || $1, 'admin-debit', '', null, array[account_id, 6], array[-30, 30], now()) from wallets where shop_id = $2`,
      [second.reference, shopId],
    )
    await refundDelivered(second.order.id)
    expect(await linesOf(`order-refund:${second.order.id}`)).toEqual({ 15: 587, 1: -470, 19: -100, 2: -17 })
    const third = await buy()
    await decide(third.order.id, 'completed')
    expect(await linesOf(`delivery:${third.order.id}`)).toEqual({ 8: -570, 1: 470, 19: 100 })
    expect(await books()).toMatchObject({ earnings: 0, debt: 0 })
  })

  test('of two orders delivered at the same time repays a debt once', async () => {
    const [one, two] = [await buy(), await buy()]
    await query('update wallets set debt_pesewas = 70 where shop_id = $1', [shopId])
    await query(`select post_entry('test-debt:' || $1, 'admin-debit', '', null, array[19, 6], array[-70, 70], now())`, [one.reference])
    const complete = `update orders set status = 'completed', decided_at = $2 where id = $1`
    const first = await shop.database.db.connect()
    await first.query('begin')
    await first.query(complete, [one.order.id, shop.clock.now])
    const second = query(complete, [two.order.id, shop.clock.now])
    await until(() => isWaitedFor(first))
    await first.query('commit')
    first.release()
    await second
    await query(
      `insert into admin_actions (action, subject_type, subject_id, created_at)
       select 'order.completed', 'order', id, $2 from unnest($1::text[]) id`,
      [[one.order.id, two.order.id], shop.clock.now],
    )
    expect(await books()).toMatchObject({ earnings: 130, debt: 0 })
  })

  test('that is withdrawn as its order is refunded becomes a debt', async () => {
    const { order, reference } = await buy()
    await decide(order.id, 'completed')
    const withdrawal = await shop.database.db.connect()
    await withdrawal.query('begin')
    await withdrawal.query(
      `select post_entry('test-withdrawal:' || $1, 'admin-debit', '', null, array[account_id, 6], array[-100, 100], now()) from wallets where shop_id = $2`,
      [reference, shopId],
    )
    const refund = refundDelivered(order.id)
    await until(() => isWaitedFor(withdrawal))
    await withdrawal.query('commit')
    withdrawal.release()
    expect((await refund).status).toBe(200)
    expect(await books()).toMatchObject({ earnings: 0, debt: 100 })
  })

  test('is released once, and taken back once, also when the database is asked to do it again', async () => {
    const [delivered, refused] = [await buy(), await buy()]
    await decide(delivered.order.id, 'completed')
    await decide(refused.order.id, 'rejected')
    for (const { order } of [delivered, refused]) {
      await expect(query('select release_profit($1, now())', [order.id])).rejects.toThrow('was released or has ended before')
    }
    await expect(query('select take_back_profit($1, now())', [refused.order.id])).rejects.toThrow('has ended before')
    expect(await books()).toMatchObject({ earnings: 100, debt: 0 })
  })

  test('of an order that was bought goes on when the shop is closed', async () => {
    const { order } = await buy()
    await call(shop, 'PUT', `/agent-shops/${shopId}`, { as: owner, body: { closed: 'Complaints' } })
    await decide(order.id, 'completed')
    expect(await books()).toMatchObject({ earnings: 100 })
  })
})

describe('the owner', () => {
  test('closes one shop with a reason for its agent, and no other is touched', async () => {
    const other = await makeUser(shop, { level: 'Agent' })
    await openShop(other, `${slug}-other`)
    const close = (closed: string | null) =>
      call<{ shop: ListedShop }>(shop, 'PUT', `/agent-shops/${shopId}`, { as: owner, body: { closed } })
    expect((await close('Complaints')).body.shop.closed).toMatchObject({ reason: 'Complaints', by: owner.username })
    expect((await visit()).body.shop).toMatchObject({ offers: [], closed: 'This shop is closed.' })
    expect((await call<OwnShopReply>(shop, 'GET', '/my-shop', { as: agent })).body.shop?.closedByOwner).toBe('Complaints')
    expect((await visit(`${slug}-other`)).body.shop.closed).toBeNull()
    const items = [{ productId: mtn, offer: '1GB', phoneNumber: '0551234567', amount: 5.5 }]
    expect((await call(shop, 'POST', `/shops/${slug}/payment`, { body: { phone: GUEST, items } })).status).toBe(409)
    expect((await close(null)).body.shop.closed).toBeNull()
    expect(await priceOf('1GB')).toBe(5.5)
  })

  test('alone limits shops: other staff see them, agents and customers do not', async () => {
    const support = await makeUser(shop, { roles: ['support'] })
    expect((await call(shop, 'GET', '/agent-shops', { as: support })).status).toBe(200)
    expect((await call(shop, 'PUT', `/agent-shops/${shopId}`, { as: support, body: { closed: 'Mine now' } })).status).toBe(403)
    expect((await call(shop, 'GET', '/agent-shops', { as: agent })).status).toBe(403)
    expect((await call(shop, 'PUT', '/agent-shops/rules', { as: agent, body: { maxMarkup: 500 } })).status).toBe(403)
    expect((await call(shop, 'PUT', `/agent-shops/${crypto.randomUUID()}`, { as: owner, body: { closed: null } })).status).toBe(404)
  })

  test('takes no new shops when they say so', async () => {
    await call(shop, 'PUT', '/agent-shops/rules', { as: owner, body: { newShops: false } })
    const as = await makeUser(shop, { level: 'Agent' })
    expect((await openShop(as, `${slug}-new`)).status).toBe(409)
    expect((await call<OwnShopReply>(shop, 'GET', '/my-shop', { as })).body).toMatchObject({ shop: null, mayOpen: false })
  })
})
