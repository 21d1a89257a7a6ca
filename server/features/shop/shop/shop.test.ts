import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brandStyle } from '../../../../shared/brands.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Notice } from '../../../../shared/notice.ts'
import type { Shop } from '../../../../shared/shop.ts'
import type { PaymentNumber, Setup, ShopSettings } from '../../../../shared/shop-settings.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { openRealtimeProbe } from '../../../../test/realtime-probe.ts'
import { until } from '../../../../test/until.ts'

let shop: TestShop
let owner: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
  owner = await makeUser(shop, { level: 'Admin' })
})
afterAll(() => shop.close())

const readShop = async () => (await call<Shop>(shop, 'GET', '/shop')).body
const readNumbers = async () => (await call<PaymentNumber[]>(shop, 'GET', '/extra/payment-numbers')).body
const readSetup = async () => (await call<Setup>(shop, 'GET', '/admin/setup', { as: owner })).body

function put<T = { shop: ShopSettings } & ErrorBody>(path: string, body: unknown, as: { token: string } = owner) {
  return call<T>(shop, 'PUT', `/admin/${path}`, { as, body })
}

async function picture(format: 'png' | 'jpeg', width = 300, height = 200): Promise<string> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: 'red' } })
    .toFormat(format)
    .toBuffer()
  return `data:image/${format};base64,${bytes.toString('base64')}`
}

describe('what customers see of the shop', () => {
  test('begins as the environment says', async () => {
    expect(await readShop()).toMatchObject({ name: 'Dwadi', slug: 'dwadi', workHours: 'Mondays - Sundays, 7:40am - 8:30pm' })
    expect((await call<{ shop: ShopSettings }>(shop, 'GET', '/admin/shop', { as: owner })).body.shop).toMatchObject({
      name: 'Dwadi',
      brand: 'green',
      logo: null,
    })
    expect((await readSetup()).steps.find(({ step }) => step === 'shop')?.done).toBe(false)
  })

  test('changes at once, without a restart: details, file names, hours in numbers, colour', async () => {
    const { status, body } = await put('shop', {
      name: '  Akua’s Data & Airtime ',
      tagline: 'Data before you blink',
      phone: '0302550100',
      email: ' Hello@Akua.example ',
      whatsapp: ['0245550101', '0245550102'],
      workHours: 'Mondays - Saturdays, 8am - 6pm',
      brand: 'blue',
    })
    expect([status, body.shop.name, body.shop.email]).toEqual([200, 'Akua’s Data & Airtime', 'hello@akua.example'])
    expect(await readShop()).toMatchObject({
      name: 'Akua’s Data & Airtime',
      slug: 'akua-s-data-airtime',
      tagline: 'Data before you blink',
      phone: '0302550100',
      whatsapp: ['0245550101', '0245550102'],
      hours: { days: [1, 2, 3, 4, 5, 6], opens: 480, closes: 1080, closesAt: '6pm' },
      brand: 'blue',
      copyrightYear: 2024,
    })
    const hash = createHash('sha256').update(brandStyle('blue')).digest('base64')
    expect((await shop.app.inject('/nothing')).headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}'`)
    const { headers } = await call(shop, 'GET', '/export/admin-products', { as: owner })
    expect(headers['content-disposition']).toBe('attachment; filename="akua-s-data-airtime-admin-products.csv"')
    expect((await readSetup()).steps.find(({ step }) => step === 'shop')?.done).toBe(true)
  })

  test('an agent pays the fee that the owner has set, from then on', async () => {
    const price = async () => (await put('shop', { agentFee: 80.5 })).body.shop.agentFee
    expect([await price(), (await readShop()).agentFee]).toEqual([80.5, 80.5])
    const selling = await openTestShop({ withSandbox: true })
    const [admin, ama] = [await makeUser(selling, { level: 'Admin' }), await makeUser(selling)]
    const ask = async () =>
      (await call<{ amount: number }>(selling, 'POST', '/payment', { as: ama, body: { purpose: 'agent-upgrade' } })).body.amount
    expect(await ask()).toBe(5000)
    await call(selling, 'PUT', '/admin/shop', { as: admin, body: { agentFee: 80.5 } })
    expect(await ask()).toBe(8050)
    await selling.close()
  })

  test('keeps what is not sent, and hours that it cannot read as text only', async () => {
    await put('shop', { workHours: 'When the light is on', brand: 'green' })
    const now = await readShop()
    expect(now).toMatchObject({ tagline: 'Data before you blink', workHours: 'When the light is on', hours: null })
    expect(now).not.toHaveProperty('brand')
  })

  test('is what another process shows too, as soon as it looks', async () => {
    await shop.database.db.query(`update shop_settings set tagline = 'From another process'`)
    await until(async () => (await readShop()).tagline === 'From another process')
  })

  test.each<[unknown, string]>([
    [{ name: '' }, 'Enter the shop’s name.'],
    [{ name: 'x'.repeat(61) }, 'Use at most 60 characters.'],
    [{ tagline: 'two\nlines' }, 'Use letters, digits and signs on one line.'],
    [{ phone: '12345' }, 'Enter a phone number of exactly 10 digits, like 0241234567.'],
    [{ email: 'nobody' }, 'Enter a valid e-mail address, like ama@example.com.'],
    [{ whatsapp: [] }, 'Enter one WhatsApp number.'],
    [{ brand: '#ffff00' }, 'Choose a colour from the list.'],
    [{ agentFee: 0 }, 'The fee is from 1 to 10,000 cedis.'],
  ])('refuses %j', async (body, message) => {
    const reply = await put('shop', body)
    expect([reply.status, reply.body.message]).toEqual([400, message])
  })
})

describe('the logo', () => {
  test('is known by its content, stored anew in two sizes, and taken away', async () => {
    const { status, body } = await put('shop/logo', { image: await picture('jpeg') })
    expect([status, body.shop.logo]).toEqual([200, expect.stringMatching(/^\/images\/[0-9a-f]{64}\.webp$/)])
    const { logo, icon } = await readShop()
    for (const [address, width] of [
      [logo, 96],
      [icon, 512],
    ] as const) {
      const { rawPayload, headers } = await shop.app.inject({ url: address as string })
      expect(headers['content-type']).toBe('image/webp')
      expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'webp', width, height: width })
    }
    expect((await put('shop/logo', { image: null })).body.shop.logo).toBeNull()
    expect(await readShop()).not.toHaveProperty('logo')
  })

  test.each([
    ['text that says it is a picture', `data:image/png;base64,${Buffer.from('<svg onload=alert(1)>').toString('base64')}`],
    ['an SVG', `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`],
    ['an address', 'https://example.com/logo.png'],
  ])('is not %s', async (_name, image) => {
    expect((await put('shop/logo', { image })).status).toBe(400)
    expect(await readShop()).not.toHaveProperty('logo')
  })
})

describe('where customers pay', () => {
  const MTN = { network: 'MTN', phoneNumber: '0245550100', accountName: 'Akua Boateng' }
  const TELECEL = { network: 'Telecel', phoneNumber: '0205550100', accountName: 'Akua Boateng' }

  test('begins with the one number of the first version, under its network', async () => {
    expect(await readNumbers()).toEqual([{ network: 'MTN', phoneNumber: '0240000000', accountName: 'Dwadi Enterprise' }])
    expect((await readSetup()).steps.find(({ step }) => step === 'payment-numbers')?.done).toBe(false)
  })

  test('is one number for each network, the first of which old clients still read, and all hear of it', async () => {
    const listening = await openTestShop({ withSandbox: true })
    const admin = await makeUser(listening, { level: 'Admin' })
    const probe = await openRealtimeProbe(listening.url, (await makeUser(listening)).token)
    await call(listening, 'PUT', '/admin/shop/payment-numbers', { as: admin, body: { numbers: [MTN, TELECEL] } })
    await until(() => probe.heard.some(({ event }) => event === 'noticeUpdated'))
    probe.close()
    await listening.close()

    const { status, body } = await put('shop/payment-numbers', { numbers: [TELECEL, MTN] })
    expect([status, body.shop.paymentNumbers]).toEqual([200, [TELECEL, MTN]])
    expect(await readNumbers()).toEqual([TELECEL, MTN])
    const { body: notice } = await call<Notice>(shop, 'GET', '/extra/momo-details')
    expect(notice).toEqual({ noticeContent: expect.any(String), momoPhoneNumber: '0205550100', momoAccountName: 'Akua Boateng' })
    expect((await readSetup()).steps.find(({ step }) => step === 'payment-numbers')?.done).toBe(true)
  })

  test('follows a client of the first version that changes its one number', async () => {
    await put('shop/payment-numbers', { numbers: [MTN, TELECEL] })
    await call(shop, 'PUT', '/extra/momo-details', { as: owner, body: { momoPhoneNumber: '0551112222', momoAccountName: 'Akua Two' } })
    expect(await readNumbers()).toEqual([{ network: 'MTN', phoneNumber: '0551112222', accountName: 'Akua Two' }, TELECEL])
  })

  test('changes only for an owner who has just given the password', async () => {
    const before = await readNumbers()
    const start = shop.clock.now
    shop.clock.advance(6 * 60_000)
    const refused = await put('shop/payment-numbers', { numbers: [TELECEL] })
    expect([refused.status, refused.body.code, await readNumbers()]).toEqual([403, 'PASSWORD_NEEDED', before])
    await call(shop, 'POST', '/user/me/confirm-password', { as: owner, body: { password: PASSWORD } })
    expect((await put('shop/payment-numbers', { numbers: [TELECEL] })).status).toBe(200)
    shop.clock.now = start
  })

  test('at the same time by two owners is one of both, whole', async () => {
    const other = await makeUser(shop, { level: 'Admin' })
    await Promise.all([put('shop/payment-numbers', { numbers: [MTN] }), put('shop/payment-numbers', { numbers: [TELECEL] }, other)])
    const numbers = await readNumbers()
    const { body: notice } = await call<Notice>(shop, 'GET', '/extra/momo-details')
    expect([[MTN], [TELECEL]]).toContainEqual(numbers)
    expect(notice.momoPhoneNumber).toBe(numbers[0]?.phoneNumber)
  })

  test.each<[unknown, string]>([
    [[], 'Customers need one number at least.'],
    [[MTN, { ...MTN, phoneNumber: '0551112222' }], 'One number for each network.'],
    [[{ ...MTN, phoneNumber: '0301112222' }], 'No mobile network in Ghana uses 030. Check the number.'],
    [[{ ...MTN, accountName: ' ' }], 'Enter the account name.'],
    [[{ ...MTN, network: 'Glo' }], 'Choose MTN, Telecel or AirtelTigo.'],
  ])('refuses %j', async (numbers, message) => {
    const before = await readNumbers()
    const { status, body } = await put('shop/payment-numbers', { numbers })
    expect([status, body.message, await readNumbers()]).toEqual([400, message, before])
  })
})

describe('the first steps', () => {
  test('follow from what is there, and can be put away and brought back', async () => {
    const done = async () => (await readSetup()).steps.filter((step) => step.done).map(({ step }) => step)
    expect(await done()).not.toContain('prices')
    const { body: products } = await call<{ _id: string }[]>(shop, 'GET', '/product')
    await call(shop, 'PUT', `/product/${products[0]?._id}/status`, { as: owner, body: { status: 'out of stock' } })
    expect(await done()).toContain('prices')
    expect((await put<Setup>('setup', { hidden: true })).body.hidden).toBe(true)
    expect((await readSetup()).hidden).toBe(true)
    expect((await put<Setup>('setup', { hidden: false })).body.hidden).toBe(false)
  })
})

test('nobody but an owner changes any of it', async () => {
  const before = [await readShop(), await readNumbers()]
  for (const as of [await makeUser(shop), await makeUser(shop, { level: 'Agent' })]) {
    for (const [path, body] of [
      ['shop', { name: 'Thief' }],
      ['shop/logo', { image: null }],
      ['shop/payment-numbers', { numbers: [{ network: 'MTN', phoneNumber: '0240000009', accountName: 'Thief' }] }],
      ['setup', { hidden: true }],
    ] as const) {
      expect((await put(path, body, as)).status).toBe(403)
    }
  }
  expect([await readShop(), await readNumbers()]).toEqual(before)
})
