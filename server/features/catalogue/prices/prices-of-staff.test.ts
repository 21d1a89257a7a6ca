import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { InboxReply } from '../../../../shared/inbox.ts'
import type { PricesReply } from '../../../../shared/prices.ts'
import type { Product } from '../../../../shared/products.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { Approval } from '../../../../shared/wallet.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, findProduct, makeUser } from '../../../../test/builders.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { publishScheduledPrices } from './publish-scheduled-prices.ts'

const MINUTE_MS = 60_000

let shop: TestShop
let owner: SignedInUser
let staff: SignedInUser
let finance: SignedInUser
let mtn: Product

beforeAll(async () => {
  shop = await openTestShop({ timings: { pricesMs: 1_440 * MINUTE_MS } })
  owner = await makeUser(shop, { level: 'Admin' })
  staff = await makeUser(shop, { roles: ['products'] })
  finance = await makeUser(shop, { roles: ['finance'] })
  mtn = await findProduct(shop, 'MTN')
})
afterAll(() => shop.close())

/** Each test begins with 1GB at 6.00 and 5.00 for agents, as an owner has agreed, and a cost of 4.00 that an owner has set. */
beforeEach(async () => {
  staff = await makeUser(shop, { roles: ['products'] })
  const { db } = shop.database
  await db.query(`update price_schedules set ended_at = now(), outcome = 'cancelled' where ended_at is null`)
  await db.query('update packages set price_customer_pesewas = 777, price_agent_pesewas = 666, hidden = false where product_id = $1', [
    mtn._id,
  ])
  const cost = await costNow()
  expect(
    (await publish(owner, to({ customer: [7.77, 6], agent: [6.66, 5] }), cost === 4 ? [] : [{ ...costLine(4), from: cost }])).status,
  ).toBe(200)
})

type To = { customer?: [number, number]; agent?: [number, number]; offer?: string }
const to = ({ customer, agent, offer = '1GB' }: To) => ({
  productId: mtn._id,
  offer,
  ...(customer && { priceCustomer: { from: customer[0], to: customer[1] } }),
  ...(agent && { priceAgent: { from: agent[0], to: agent[1] } }),
})
const costLine = (cost: number) => ({ productId: mtn._id, offer: '1GB', supplier: 'by-hand', to: cost })
const publish = (as: SignedInUser, change: object, costs: object[] = []) =>
  call<PricesReply & ErrorBody>(shop, 'POST', '/admin/prices/publish', { as, body: { changes: [change], costs } })

async function setCost(as: SignedInUser, cost: number | null, { productId = mtn._id, offer = '1GB' } = {}) {
  const body = { costs: [{ productId, offer, supplier: 'by-hand', cost }] }
  expect((await call(shop, 'PUT', '/admin/costs', { as, body })).status).toBe(200)
}

/** One so low takes an owner now, but stood before. */
async function noteOwnCost(cost: number, { productId = mtn._id, offer = '1GB' } = {}) {
  await shop.database.db.query(
    `insert into package_costs (product_id, offer, supplier, cost_pesewas, valid_from, set_by) values ($1, $2, 'by-hand', $3, $4, $5)`,
    [productId, offer, Math.round(cost * 100), shop.clock.now, staff._id],
  )
}

async function pictureUrl() {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  return `data:image/png;base64,${(await picture.png().toBuffer()).toString('base64')}`
}

async function packageNow(offer = '1GB', productId = mtn._id) {
  const { body } = await call<PricesReply>(shop, 'GET', '/admin/prices', { as: owner })
  return body.products.find(({ _id }) => _id === productId)?.packages.find((line) => line.offer === offer)
}
const costNow = async () => (await packageNow())?.cost ?? null
const pricesNow = async () => {
  const { priceCustomer, priceAgent } = (await packageNow()) ?? {}
  return [priceCustomer, priceAgent]
}

const proposals = async (as = owner) =>
  (await call<{ approvals: Approval[] }>(shop, 'GET', '/admin/approvals', { as })).body.approvals.filter(
    ({ proposedBy }) => proposedBy === staff.username,
  )
const approve = ({ _id, hash }: Approval, as = owner) =>
  call<ErrorBody>(shop, 'POST', `/admin/price-proposals/${_id}/approve`, { as, body: { hash } })

const DOORS: Record<string, (change: To) => Promise<{ status: number; body: ErrorBody }>> = {
  'the table of prices, a list pasted into it, or a change of all by a part': (change) => publish(staff, to(change)),
  'prices at a time to come': (change) =>
    call<ErrorBody>(shop, 'POST', '/admin/price-schedules', {
      as: staff,
      body: { liveAt: new Date(shop.clock.now.getTime() + MINUTE_MS).toISOString(), changes: [to(change)] },
    }),
  'the product': ({ customer, agent }) =>
    call<ErrorBody>(shop, 'PUT', `/product/${mtn._id}`, {
      as: staff,
      body: {
        network: 'MTN',
        status: 'available',
        packages: mtn.packages.map(({ offer }) =>
          offer === '1GB'
            ? { offer, priceCustomer: customer?.[1] ?? 6, priceAgent: agent?.[1] ?? 5 }
            : { offer, priceCustomer: 7.77, priceAgent: 6.66 },
        ),
      },
    }),
}

describe.each(Object.keys(DOORS))('through %s, somebody who is not an owner', (door) => {
  const change = DOORS[door] as (typeof DOORS)[string]

  test.each<[string, To, RegExp]>([
    ['to next to nothing', { customer: [6, 0.01] }, /^MTN 1GB at ¢0\.01 is under its cost of ¢4\.00\./],
    ['for agents to next to nothing', { agent: [5, 0.01] }, /^MTN 1GB at ¢0\.01 is under its cost/],
    ['just below the cost', { customer: [6, 3.99] }, /is under its cost/],
  ])('sets no price %s', async (_how, asked, reason) => {
    const { status, body } = await change(asked)
    expect([status, body.message ?? '']).toEqual([door === 'the product' ? 400 : 409, expect.stringMatching(reason)])
    expect(await pricesNow()).toEqual([6, 5])
  })

  test.each([
    [2, 3.99, 4, /more than a third below ¢6\.00/],
    [null, 5.39, 5.4, /more than a tenth below ¢6\.00, and nobody else has set its cost/],
  ])('sets none much lower, and one a little lower, at a cost of %s', async (cost, low, enough, reason) => {
    await call(shop, 'PUT', '/admin/costs', {
      as: owner,
      body: { costs: [{ productId: mtn._id, offer: '1GB', supplier: 'by-hand', cost }] },
    })
    const { status, body } = await change({ customer: [6, low] })
    expect([status === 200, body.message]).toEqual([false, expect.stringMatching(reason)])
    expect((await change({ customer: [6, enough] })).status).toBe(200)
  })

  test('sets one at the cost, and any that is higher', async () => {
    expect((await change({ agent: [5, 4] })).status).toBe(200)
    expect((await change({ customer: [6, 60] })).status).toBe(door.startsWith('prices at') ? 409 : 200)
  })
})

describe('a price that takes an owner', () => {
  test('is asked for in their inbox alone, once, and is live when they agree', async () => {
    for (let times = 0; times < 2; times++)
      expect((await publish(staff, to({ customer: [6, 3.5] }))).body).toMatchObject({ code: 'SECOND_PERSON_NEEDED' })
    const [proposal, ...others] = await proposals()
    expect([proposal?.prices, others]).toEqual([{ says: ['MTN 1GB at ¢3.50 is under its cost of ¢4.00.'], liveAt: null }, []])
    expect(await proposals(finance)).toEqual([])
    const inboxOf = async (as: SignedInUser) =>
      (await call<InboxReply>(shop, 'GET', '/admin/inbox', { as })).body.groups.filter(({ who }) => who === staff.username)
    expect([(await inboxOf(owner)).length, (await inboxOf(finance)).length]).toEqual([1, 0])
    for (const as of [staff, finance]) expect((await approve(proposal as Approval, as)).status).toBe(403)
    expect(await pricesNow()).toEqual([6, 5])
    expect((await approve({ ...(proposal as Approval), hash: 'other' })).status).toBe(409)
    const replies = await Promise.all([approve(proposal as Approval), approve(proposal as Approval)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await pricesNow()).toEqual([3.5, 5])
    // What an owner has agreed to is what later falls are measured by.
    expect((await publish(staff, to({ customer: [3.5, 3.4] }))).status).toBe(409)
  })

  test('is not live when a package has changed since, or its proposer may not change prices any more', async () => {
    await publish(staff, to({ customer: [6, 3.5] }))
    await publish(owner, to({ customer: [6, 6.5] }))
    const [proposal] = await proposals()
    expect((await approve(proposal as Approval)).status).toBe(409)
    await publish(owner, to({ customer: [6.5, 6] }))
    await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [staff._id])
    expect((await approve(proposal as Approval)).body.message).toBe(`${staff.username} may no longer change prices here.`)
    expect(await pricesNow()).toEqual([6, 5])
  })

  test('at a time to come is live then, once an owner agrees', async () => {
    const change = DOORS['prices at a time to come'] as (typeof DOORS)[string]
    expect((await change({ customer: [6, 3.5] })).status).toBe(409)
    expect((await approve((await proposals())[0] as Approval)).status).toBe(200)
    expect(await pricesNow()).toEqual([6, 5])
    shop.clock.advance(2 * MINUTE_MS)
    await publishScheduledPrices(makeCtx(shop).ctx)
    expect(await pricesNow()).toEqual([3.5, 5])
  })

  test('is declined by an owner, and not by finance', async () => {
    await publish(staff, to({ customer: [6, 3.5] }))
    const [proposal] = await proposals()
    const decline = (as: SignedInUser) => call(shop, 'POST', `/admin/approvals/${proposal?._id}/decline`, { as, body: {} })
    expect([(await decline(finance)).status, (await decline(owner)).status]).toEqual([404, 200])
    expect((await approve(proposal as Approval)).status).toBe(409)
  })

  test('is left out when it was scheduled while nobody knew the cost', async () => {
    const change = DOORS['prices at a time to come'] as (typeof DOORS)[string]
    expect((await change({ customer: [6, 4.2] })).status).toBe(200)
    await publish(owner, to({ agent: [5, 5.5] }), [{ ...costLine(4.5), from: 4 }])
    shop.clock.advance(2 * MINUTE_MS)
    await publishScheduledPrices(makeCtx(shop).ctx)
    expect(await pricesNow()).toEqual([6, 5.5])
  })
})

describe('what is measured is not moved by who changes the price', () => {
  test('many small falls are one large one', async () => {
    await publish(owner, to({ offer: '2GB', customer: [7.77, 10], agent: [6.66, 9] }))
    expect((await publish(staff, to({ offer: '2GB', customer: [10, 9.2] }))).status).toBe(200)
    expect((await publish(staff, to({ offer: '2GB', customer: [9.2, 8.5] }))).body.message).toMatch(
      /^MTN 2GB at ¢8\.50 is more than a tenth below ¢10\.00/,
    )
  })

  test('airtime costs its face value at least, whatever cost they set first', async () => {
    const airtime = await findProduct(shop, 'Airtime')
    const { offer } = airtime.packages[0] as Product['packages'][number]
    const face = Number(/GHS (\S+)/.exec(offer)?.[1])
    const price = (from: number, to: number) => ({ productId: airtime._id, offer, priceCustomer: { from, to } })
    const { priceCustomer = 0 } = (await packageNow(offer, airtime._id)) ?? {}
    expect((await publish(owner, price(priceCustomer, face + 0.05))).status).toBe(200)
    await noteOwnCost(0.5, { productId: airtime._id, offer })
    expect((await publish(staff, price(face + 0.05, face - 0.01))).body.message).toMatch(/is under its face value of/)
    expect((await publish(staff, price(face + 0.05, face))).status).toBe(200)
  })

  test('a cost that they set themselves does not lower the limit, and a higher one raises it', async () => {
    await noteOwnCost(0.01)
    expect((await publish(staff, to({ agent: [5, 3.99] }))).body.message).toMatch(/under its cost of ¢4\.00/)
    await setCost(staff, 4.5)
    expect((await publish(staff, to({ agent: [5, 4.4] }))).body.message).toMatch(/under its cost of ¢4\.50/)
  })

  test('a cost far below the last one, or below the price, takes an owner', async () => {
    const set = (cost: number) =>
      call<ErrorBody>(shop, 'PUT', '/admin/costs', {
        as: staff,
        body: { costs: [{ productId: mtn._id, offer: '1GB', supplier: 'by-hand', cost }] },
      })
    const low = await set(3.32)
    expect([low.status, low.body.code]).toEqual([409, 'SECOND_PERSON_NEEDED'])
    expect(low.body.message).toMatch(/^A cost of ¢3\.32 for MTN 1GB is more than a third below ¢5\.00\./)
    // With a price beside it, neither is changed.
    expect((await publish(staff, to({ customer: [6, 5.9] }), [{ ...costLine(3), from: 4 }])).status).toBe(409)
    expect([await costNow(), await pricesNow()]).toEqual([4, [6, 5]])
    const [first, second] = (await proposals()).toSorted(
      (a, b) => Number(a.prices?.says[0]?.includes('3.00')) - Number(b.prices?.says[0]?.includes('3.00')),
    )
    expect((await approve(first as Approval)).status).toBe(200)
    expect([await costNow(), await pricesNow()]).toEqual([3.32, [6, 5]])
    // The other was asked for while the cost was another.
    expect((await approve(second as Approval)).status).toBe(409)
    expect((await set(3.4)).status).toBe(200)
    await setCost(owner, 4)
  })

  test('where nobody else has set a cost, their own does not stand in for it', async () => {
    await setCost(owner, null)
    await noteOwnCost(0.5)
    expect((await publish(staff, to({ customer: [6, 5.3] }))).body.message).toMatch(/nobody else has set its cost/)
  })

  test('a second product with the same package has the cost of the first, also when the first is gone', async () => {
    const make = async (as: SignedInUser, price: number) => {
      const packages = [{ offer: '66GB', priceCustomer: price, priceAgent: price }]
      return await call<{ product: Product } & ErrorBody>(shop, 'POST', '/product/create', {
        as,
        body: { network: 'MTN', status: 'available', packages, image: await pictureUrl() },
      })
    }
    const first = (await make(owner, 10)).body.product
    await setCost(owner, 9, { productId: first._id, offer: '66GB' })
    expect((await make(staff, 8.9)).body.issues?.[0]?.message).toMatch(/under its cost of ¢9\.00/)
    const second = (await make(staff, 9.5)).body.product
    expect((await call(shop, 'DELETE', `/product/${first._id}`, { as: staff })).status).toBe(200)
    await noteOwnCost(0.5, { productId: second._id, offer: '66GB' })
    const fall = { productId: second._id, offer: '66GB', priceCustomer: { from: 9.5, to: 8.9 } }
    expect((await publish(staff, fall)).body.message).toMatch(/under its cost of ¢9\.00/)
    // What an owner says last of the product that is left counts.
    await setCost(owner, 8, { productId: second._id, offer: '66GB' })
    expect((await publish(staff, fall)).status).toBe(200)
  })

  test('a package hidden, made cheap and shown again, or undone, is measured by what it was', async () => {
    const hide = (from: boolean) => ({ productId: mtn._id, offer: '1GB', hidden: { from, to: !from } })
    expect((await publish(staff, hide(false))).status).toBe(200)
    expect((await publish(staff, to({ customer: [6, 0.01] }))).status).toBe(200)
    expect((await publish(staff, hide(true))).status).toBe(409)
    expect(await packageNow()).toMatchObject({ hidden: true })

    await publish(owner, to({ customer: [0.01, 6] }))
    await publish(owner, hide(true))
    await publish(owner, to({ customer: [6, 60] }))
    const last = (await call<PricesReply>(shop, 'GET', '/admin/prices', { as: owner })).body.lastPublication
    expect((await call(shop, 'POST', `/admin/prices/${last?._id}/undo`, { as: staff })).status).toBe(403)
    expect(await pricesNow()).toEqual([60, 5])
  })

  test('a new package, in a product new or old, or under another network, is hidden until an owner agrees', async () => {
    const image = await pictureUrl()
    const packages = [{ offer: '77GB', priceCustomer: 0.01, priceAgent: 0.01 }]
    const body = { network: 'MTN', status: 'available', packages, image }
    const { status, body: made } = await call<{ product: Product }>(shop, 'POST', '/product/create', { as: staff, body })
    expect([status, made.product.packages]).toEqual([200, []])
    const id = made.product._id
    expect(await packageNow('77GB', id)).toMatchObject({ hidden: true, priceAgent: 0.01 })
    // Naming it again does not show it, nor does the table of prices.
    const save = (as: SignedInUser, change: object) =>
      call<{ product: Product } & ErrorBody>(shop, 'PUT', `/product/${id}`, {
        as,
        body: { network: 'MTN', status: 'available', packages, ...change },
      })
    expect((await save(staff, {})).body.product.packages).toEqual([])
    const [proposal] = await proposals()
    expect(proposal?.prices?.says).toEqual(['MTN 77GB is new here, at ¢0.01, agents ¢0.01.'])
    // What an owner has seen is what they agree to.
    const dearer = [{ offer: '77GB', priceCustomer: 0.02, priceAgent: 0.01 }]
    await save(staff, { packages: dearer })
    expect((await approve(proposal as Approval)).status).toBe(409)
    await save(staff, {})
    expect((await approve(proposal as Approval)).status).toBe(200)
    expect((await save(owner, {})).body.product.packages.length).toBe(1)

    // A package of another network takes that network's measure with it.
    const cheap = { packages: [{ offer: '1GB', priceCustomer: 0.5, priceAgent: 0.5 }] }
    expect((await save(owner, { ...cheap, network: 'Telecel' })).status).toBe(200)
    await publish(owner, to({ customer: [6, 6.1] }))
    const moved = await save(staff, cheap)
    expect([moved.status, moved.body.issues?.map(({ path }) => path)]).toEqual([400, ['packages.0.priceCustomer', 'packages.0.priceAgent']])
    // Deleted and made again, it is no new one.
    expect((await call(shop, 'DELETE', `/product/${id}`, { as: staff })).status).toBe(200)
    expect((await call(shop, 'POST', '/product/create', { as: staff, body: { ...body, ...cheap } })).status).toBe(400)
  })

  test('one person has at most twenty that wait', async () => {
    for (let count = 0; count < 20; count++)
      expect((await publish(staff, to({ customer: [6, (100 + count) / 100] }))).body.code).toBe('SECOND_PERSON_NEEDED')
    expect((await publish(staff, to({ customer: [6, 1.5] }))).body.message).toBe('20 of your prices wait for an owner already.')
  })
})
