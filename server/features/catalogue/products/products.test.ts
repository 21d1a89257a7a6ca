import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdminAction } from '../../../../shared/admin-actions.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import { MAX_IMAGE_BYTES } from '../../../../shared/images.ts'
import type { Order } from '../../../../shared/orders.ts'
import { IMAGE_TOO_LARGE, type Product } from '../../../../shared/products.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { actionsAbout, call, checkout, makeUser } from '../../../../test/builders.ts'
import { openRealtimeProbe } from '../../../../test/realtime-probe.ts'
import { allow } from '../../../../test/slowness.ts'
import { until } from '../../../../test/until.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'
const PICTURE = 'Upload an image: PNG, JPEG, WebP, GIF or AVIF.'
const UNREADABLE = 'That file could not be read as a picture. Please upload another.'

let shop: TestShop
let admin: SignedInUser
let image: string

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin' })
  image = toDataUri(await plainPicture('red').png().toBuffer())
})
afterAll(() => shop.close())

function plainPicture(background: string) {
  return sharp({ create: { width: 64, height: 40, channels: 3, background } })
}

function toDataUri(bytes: Buffer, type = 'image/png'): string {
  return `data:${type};base64,${bytes.toString('base64')}`
}

const packages = [{ offer: '1GB', priceCustomer: 5.5, priceAgent: 4.8 }]

type Saved = { product: Product } & ErrorBody

function create(change: Record<string, unknown> = {}, as: { token: string } | null = admin) {
  return call<Saved>(shop, 'POST', '/product/create', {
    ...(as ? { as } : {}),
    body: { network: 'MTN', image, packages, status: 'available', ...change },
  })
}

async function created(change: Record<string, unknown> = {}): Promise<Product> {
  const { status, body } = await create(change)
  expect([status, body.message]).toEqual([200, undefined])
  return body.product
}

function change(id: string, body: Record<string, unknown>, as: { token: string } = admin) {
  return call<Saved>(shop, 'PUT', `/product/${id}`, { as, body: { network: 'MTN', packages, status: 'available', ...body } })
}

async function catalogue(): Promise<Product[]> {
  return (await call<Product[]>(shop, 'GET', '/product')).body
}

async function findListed(id: string): Promise<Product | undefined> {
  return (await catalogue()).find(({ _id }) => _id === id)
}

async function pictureAt(address: string) {
  const reply = await shop.app.inject({ url: address })
  return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload }
}

async function actionsOn(id: string): Promise<AdminAction[]> {
  return actionsAbout(shop, admin, id)
}

describe('a product', () => {
  test('appears in everyone’s catalogue when created, with its prices and picture', async () => {
    const product = await created({
      network: 'Telecel',
      packages: [...packages, { offer: ' 10GB ', priceCustomer: 40, priceAgent: 39.99 }],
    })
    expect(product).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      productId: expect.stringMatching(/^[0-9]+$/),
      network: 'Telecel',
      image: expect.stringMatching(/^\/images\/[0-9a-f]{64}\.webp$/),
      status: 'available',
      packages: [
        { _id: expect.any(String), offer: '1GB', priceCustomer: 5.5, priceAgent: 4.8 },
        { _id: expect.any(String), offer: '10GB', priceCustomer: 40, priceAgent: 39.99 },
      ],
    })
    expect(await findListed(product._id)).toEqual(product)
  })

  test('is available unless created with another status', async () => {
    expect((await created({ status: undefined })).status).toBe('available')
    expect((await created({ status: 'out of stock' })).status).toBe('out of stock')
  })

  test('is replaced as a whole, and keeps its picture when none is sent', async () => {
    const product = await created()
    const { status, body } = await change(product._id, {
      network: 'Airtime',
      status: 'out of stock',
      packages: [{ offer: 'GHS 5', priceCustomer: 5, priceAgent: 4.9 }],
    })
    expect([status, body.product]).toEqual([
      200,
      {
        ...product,
        network: 'Airtime',
        status: 'out of stock',
        packages: [{ _id: expect.any(String), offer: 'GHS 5', priceCustomer: 5, priceAgent: 4.9 }],
      },
    ])
    expect(await findListed(product._id)).toEqual(body.product)
    const same = await change(product._id, { image: product.image })
    expect(same.body.product.image).toBe(product.image)
    const other = await change(product._id, { image: toDataUri(await plainPicture('blue').png().toBuffer()) })
    expect(other.body.product.image).not.toBe(product.image)
  })

  test('marked out of stock cannot be bought, and can again once it is available', async () => {
    const product = await created({ network: 'Telecel' })
    const buyer = await makeUser(shop, { balance: 20 })
    const line = { productId: product._id, offer: '1GB', phoneNumber: '0201234567', amount: 5.5 }
    const out = await call<{ product: Product; status: string }>(shop, 'PUT', `/product/${product._id}/status`, {
      as: admin,
      body: { status: 'out of stock' },
    })
    expect([out.status, out.body.status, out.body.product.status]).toEqual([200, 'out of stock', 'out of stock'])
    expect((await checkout(shop, buyer, [line])).status).toBe(409)
    await call(shop, 'PUT', `/product/${product._id}/status`, { as: admin, body: { status: 'available' } })
    expect((await checkout(shop, buyer, [line])).status).toBe(200)
  })

  test('leaves the catalogue when deleted; its orders keep network, offer, price and picture', async () => {
    const product = await created({ network: 'Telecel' })
    const buyer = await makeUser(shop, { balance: 20 })
    const line = { productId: product._id, offer: '1GB', phoneNumber: '0201234567', amount: 5.5 }
    const bought = await checkout(shop, buyer, [line])
    expect(bought.status).toBe(200)
    const gone = await call(shop, 'DELETE', `/product/${product._id}`, { as: admin })
    expect([gone.status, gone.body]).toEqual([200, { message: 'Product deleted successfully' }])
    expect(await findListed(product._id)).toBeUndefined()
    expect((await checkout(shop, buyer, [line])).status).toBe(409)
    const { body: orders } = await call<Order[]>(shop, 'GET', '/order/allorders', { as: buyer })
    expect(orders).toEqual(bought.body.orders)
    expect(orders[0]).toMatchObject({ network: 'Telecel', offer: '1GB', totalAmount: 5.5, items: [{ image: product.image, amount: 5.5 }] })
    expect((await pictureAt(product.image)).status).toBe(200)
    const decided = await call<{ order: Order }>(shop, 'PUT', `/order/update-status/${orders[0]!._id}`, {
      as: admin,
      body: { status: 'rejected' },
    })
    expect(decided.body.order).toMatchObject({ status: 'rejected', network: 'Telecel', offer: '1GB', totalAmount: 5.5 })
  })

  test('deleted by two admins at once is deleted once, and leaves one record', async () => {
    const product = await created()
    const replies = await Promise.all(Array.from({ length: 6 }, () => call(shop, 'DELETE', `/product/${product._id}`, { as: admin })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404])
    expect((await actionsOn(product._id)).map(({ action }) => action)).toEqual(['product.delete', 'product.create'])
  })

  test('changed many times at once ends as one of the changes, and each record starts from the one before', async () => {
    const product = await created()
    const prices = [1, 2, 3, 4, 5, 6, 7, 8]
    await Promise.all(prices.map((price) => change(product._id, { packages: [{ offer: '1GB', priceCustomer: price, priceAgent: price }] })))
    const actions = (await actionsOn(product._id)).toReversed()
    expect(actions).toHaveLength(9)
    for (const [index, action] of actions.entries()) if (index > 0) expect(action.before).toEqual(actions[index - 1]!.after)
    expect(actions.at(-1)!.after).toMatchObject({
      packages: (await findListed(product._id))!.packages.map(({ _id: _, ...line }) => line),
    })
  })

  test('has changes recorded with actor, before and after, in cedis', async () => {
    const product = await created()
    await change(product._id, { packages: [{ offer: '1GB', priceCustomer: 6, priceAgent: 5 }] })
    await call(shop, 'PUT', `/product/${product._id}/status`, { as: admin, body: { status: 'out of stock' } })
    await call(shop, 'DELETE', `/product/${product._id}`, { as: admin })
    const actions = (await actionsOn(product._id)).toReversed()
    expect(actions.map(({ action, actor, ip, subject }) => [action, actor, ip, subject])).toEqual(
      ['create', 'update', 'status', 'delete'].map((verb) => [`product.${verb}`, admin.username, '127.0.0.1', 'MTN']),
    )
    const at = (price: number, agent: number, status: string) => ({
      network: 'MTN',
      status,
      imageHash: product.image.slice(8, 72),
      packages: [{ offer: '1GB', priceCustomer: price, priceAgent: agent }],
    })
    const states = [null, at(5.5, 4.8, 'available'), at(6, 5, 'available'), at(6, 5, 'out of stock'), null]
    expect(actions.map(({ before, after }) => [before, after])).toEqual(states.slice(1).map((after, index) => [states[index], after]))
  })
})

describe('an offer of a network that a supplier delivers', () => {
  const priced = (...offers: string[]) => offers.map((offer) => ({ offer, priceCustomer: 50, priceAgent: 40 }))
  const route = (routes: Record<string, string>) =>
    shop.database.db.query('update operations_settings set supplier_routes = $1', [JSON.stringify({ AirtelTigo: 'hubnet', ...routes })])

  test('must name one volume; older offers may stay, and a network without a supplier sells anything', async () => {
    const before = await created({ network: 'Telecel', packages: priced('Big one', '12000MB') })
    await route({ Telecel: 'remadata' })
    try {
      const refused = await create({ network: 'Telecel', packages: priced('1GB', '2GB + 500MB', '1,5GB', 'Big one') })
      const message = 'A Telecel offer goes to a supplier, so it names one volume, like 1GB or 500MB.'
      expect([refused.status, refused.body.issues]).toEqual([400, [1, 2, 3].map((at) => ({ path: `packages.${at}.offer`, message }))])
      const kept = await change(before._id, { network: 'Telecel', packages: priced('Big one', '12000MB', '15000 MB') })
      expect(kept.status).toBe(200)
      expect((await change(before._id, { network: 'Telecel', packages: priced('Big one', 'Bigger one') })).body.issues).toMatchObject([
        { path: 'packages.1.offer' },
      ])
      const renamed = await created({ network: 'MTN', packages: priced('Bigger one') })
      expect((await change(renamed._id, { network: 'Telecel', packages: priced('Bigger one') })).status).toBe(400)
    } finally {
      await route({})
    }
  })
})

describe('what is refused', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ['an unknown network', { network: 'Vodafone' }, 'network', 'Choose a network from the list.'],
    ['no network', { network: undefined }, 'network', 'Choose a network from the list.'],
    ['an unknown status', { status: 'sold out' }, 'status', 'The status is one of available, out of stock.'],
    ['no package', { packages: [] }, 'packages', 'Add at least one package.'],
    ['packages that are no list', { packages: 'all' }, 'packages', 'Add at least one package.'],
    ['a package without an offer', { packages: [{ ...packages[0], offer: '  ' }] }, 'packages.0.offer', 'Choose an offer.'],
    [
      'an offer of 61 characters',
      { packages: [{ ...packages[0], offer: 'x'.repeat(61) }] },
      'packages.0.offer',
      'An offer has at most 60 characters.',
    ],
    [
      'the same offer twice',
      { packages: [packages[0], { ...packages[0], offer: '1gb' }] },
      'packages',
      'Two packages have the same offer.',
    ],
    [
      '101 packages',
      { packages: Array.from({ length: 101 }, (_, index) => ({ ...packages[0], offer: `${index}GB` })) },
      'packages',
      'A product has at most 100 packages.',
    ],
    [
      'an AirtelTigo offer without a volume',
      { network: 'AirtelTigo', packages: [packages[0], { ...packages[0], offer: 'Big one' }] },
      'packages.1.offer',
      'An AirtelTigo offer goes to a supplier, so it names one volume, like 1GB or 500MB.',
    ],
    ...(['priceCustomer', 'priceAgent'] as const).flatMap((field) =>
      (
        [
          ...['5,5,5', 'five', null, true, [5], {}, undefined].map((value) => [value, 'Price must be a number']),
          [0, 'A price must be more than zero.'],
          [-1, 'A price must be more than zero.'],
          [5.555, 'A price has at most two decimals.'],
          [0.001, 'A price has at most two decimals.'],
          [1e9, 'A price is at most 10,000,000.00.'],
        ] as [unknown, string][]
      ).map(([value, message]): [string, Record<string, unknown>, string, string] => [
        `${field} ${JSON.stringify(value)}`,
        { packages: [packages[0], { offer: '2GB', priceCustomer: 9, priceAgent: 8, [field]: value }] },
        `packages.1.${field}`,
        message,
      ]),
    ),
    ['no picture', { image: undefined }, 'image', PICTURE],
    ['an address as picture', { image: 'https://example.com/x.png' }, 'image', PICTURE],
    ['the address of a stored picture for a new product', { image: '/images/x.webp' }, 'image', PICTURE],
    ['an SVG', { image: 'data:image/svg+xml;base64,PHN2Zy8+' }, 'image', PICTURE],
    ['a data URI with a charset', { image: 'data:image/png;charset=utf-8;base64,iVBORw0KGgo=' }, 'image', PICTURE],
    ['a data URI that is not base64', { image: 'data:image/png,abc' }, 'image', PICTURE],
    ['an empty data URI', { image: 'data:image/png;base64,' }, 'image', PICTURE],
  ])('%s', async (_name, wrong, path, message) => {
    const before = await catalogue()
    const { status, body } = await create(wrong)
    expect([status, body.code, body.issues?.[0], body.message]).toEqual([400, 'INVALID', { path, message }, message])
    const [existing] = before
    if (path !== 'image') expect((await change(existing!._id, wrong)).body.issues?.[0]).toEqual({ path, message })
    expect(await catalogue()).toEqual(before)
  })

  test('all that is wrong is named at once', async () => {
    const { body } = await create({ network: 'X', image: 'x', packages: [{ offer: '', priceCustomer: 'a', priceAgent: 'b' }] })
    expect(body.issues?.map(({ path }) => path)).toEqual([
      'network',
      'image',
      'packages.0.offer',
      'packages.0.priceCustomer',
      'packages.0.priceAgent',
    ])
  })

  test('a product that does not exist', async () => {
    const replies = [
      await change(NOBODY, {}),
      await call<Saved>(shop, 'PUT', `/product/${NOBODY}/status`, { as: admin, body: { status: 'available' } }),
      await call<Saved>(shop, 'DELETE', `/product/${NOBODY}`, { as: admin }),
    ]
    for (const { status, body } of replies) expect([status, body.message]).toEqual([404, 'That product does not exist.'])
    expect((await change('1', {})).status).toBe(400)
  })

  test('anyone but an admin: nothing changes, nothing is recorded', async () => {
    const product = await created()
    const agent = await makeUser(shop, { level: 'Agent' })
    expect((await create({}, agent)).status).toBe(403)
    expect((await create({}, null)).status).toBe(401)
    expect((await change(product._id, { status: 'out of stock' }, agent)).status).toBe(403)
    expect((await call(shop, 'PUT', `/product/${product._id}/status`, { as: agent, body: { status: 'out of stock' } })).status).toBe(403)
    expect((await call(shop, 'DELETE', `/product/${product._id}`, { as: agent })).status).toBe(403)
    expect(await findListed(product._id)).toEqual(product)
    expect(await actionsOn(product._id)).toHaveLength(1)
  })
})

/** A PNG of 1 bit a pixel, all of them black unless its pixels are left out. */
function blackPng(side: number, { withPixels }: { withPixels: boolean }): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = withPixels ? Buffer.alloc(side * (Math.ceil(side / 8) + 1)) : Buffer.alloc(1000)
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

describe('a picture', () => {
  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
    'that is %s is taken, and served as WebP under the hash of its bytes',
    async (format) => {
      const bytes = await plainPicture('green').toFormat(format).toBuffer()
      const { image: address } = await created({ image: toDataUri(bytes, `image/${format}`) })
      const served = await pictureAt(address)
      expect([served.status, served.headers['content-type'], served.headers['cache-control']]).toEqual([
        200,
        'image/webp',
        'public, max-age=31536000, immutable',
      ])
      expect(served.headers['x-content-type-options']).toBe('nosniff')
      const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(served.bytes))).toString('hex')
      expect(address).toBe(`/images/${digest}.webp`)
      expect(await sharp(served.bytes).metadata()).toMatchObject({ format: 'webp', width: 64, height: 40 })
    },
  )

  test('uploaded twice is stored once', async () => {
    const count = async () => (await shop.database.db.query('select from images')).rowCount
    const unique = toDataUri(await plainPicture('#123456').png().toBuffer())
    const before = await count()
    const [one, other] = await Promise.all([created({ image: unique }), created({ image: unique })])
    expect(one!.image).toBe(other!.image)
    expect(await count()).toBe((before ?? 0) + 1)
  })

  test('is recognised by its content, whatever type is claimed', async () => {
    const jpeg = await plainPicture('pink').jpeg().toBuffer()
    expect((await created({ image: toDataUri(jpeg, 'image/png') })).image).toMatch(/\.webp$/)
  })

  test('wider than a dense screen needs is scaled down', async () => {
    const wide = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const served = await pictureAt((await created({ image: toDataUri(wide) })).image)
    expect(await sharp(served.bytes).metadata()).toMatchObject({ width: 640, height: 400 })
  })

  test.each([
    ['text', Buffer.from('hello, I am no picture')],
    ['HTML under a false name', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a program', Buffer.from('MZ\u0090\u0000\u0003', 'latin1')],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF')],
    [
      'an SVG with a script under a false name',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script><rect width="9" height="9"/></svg>',
      ),
    ],
    ['half a PNG', Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13])],
    ['noise', randomBytes(5000)],
  ])('that is %s is refused', async (_name, bytes) => {
    const { status, body } = await create({ image: toDataUri(bytes) })
    expect([status, body.issues]).toEqual([400, [{ path: 'image', message: UNREADABLE }]])
  })

  test('of a type that is not on the list is refused, though it could be read', async () => {
    const tiff = await plainPicture('red').tiff().toBuffer()
    expect((await create({ image: toDataUri(tiff) })).body.message).toBe(UNREADABLE)
  })

  test('keeps only its pixels: HTML after a PNG, a script in a GIF', async () => {
    const script = '*/=1;alert(document.domain)//<script>alert(1)</script>'
    const gif = await plainPicture('white').gif().toBuffer()
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, script.length]), Buffer.from(script), Buffer.from([0])])
    const polyglot = Buffer.concat([gif.subarray(0, -1), comment, gif.subarray(-1), Buffer.from(script)])
    const png = Buffer.concat([await plainPicture('gray').png().toBuffer(), Buffer.from(`<html>${script}</html>`)])
    for (const bytes of [polyglot, png]) {
      const served = await pictureAt((await created({ image: toDataUri(bytes) })).image)
      expect(served.bytes.includes('alert')).toBe(false)
      expect((await sharp(served.bytes).metadata()).format).toBe('webp')
    }
  })

  test('loses its location data', async () => {
    const withPlace = await plainPicture('teal')
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Ama' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '5/1 36/1 0/1', GPSLongitudeRef: 'W' } })
      .toBuffer()
    expect((await sharp(withPlace).metadata()).exif?.includes('Ama')).toBe(true)
    const served = await pictureAt((await created({ image: toDataUri(withPlace, 'image/jpeg') })).image)
    const { exif, icc, xmp, iptc } = await sharp(served.bytes).metadata()
    expect([exif, icc, xmp, iptc]).toEqual([undefined, undefined, undefined, undefined])
    expect(served.bytes.includes('EXIF')).toBe(false)
  })

  test('taken with a rotated camera is stored upright', async () => {
    const sideways = await plainPicture('teal').jpeg().withMetadata({ orientation: 6 }).toBuffer()
    const served = await pictureAt((await created({ image: toDataUri(sideways, 'image/jpeg') })).image)
    expect(await sharp(served.bytes).metadata()).toMatchObject({ width: 40, height: 64 })
  })

  test('of 102,400 bytes is accepted; of 102,401 it is refused, however its base64 is padded', async () => {
    const png = await plainPicture('olive').png().toBuffer()
    const exactly = Buffer.concat([png, Buffer.alloc(MAX_IMAGE_BYTES - png.length)])
    expect((await create({ image: toDataUri(exactly) })).status).toBe(200)
    const tooMuch = toDataUri(Buffer.concat([exactly, Buffer.alloc(1)]))
    for (const uri of [tooMuch, tooMuch.replace(/=+$/, ''), tooMuch.replace(/=*$/, '=='), tooMuch.replace(/=*$/, '=')]) {
      const { status, body } = await create({ image: uri })
      expect([status, body.issues]).toEqual([400, [{ path: 'image', message: IMAGE_TOO_LARGE }]])
    }
    expect((await create({ image: toDataUri(Buffer.alloc(200_000)) })).status).toBe(413)
  })

  test('that is small as a file and huge when decoded is refused at once', async () => {
    const bombs = [blackPng(28_000, { withPixels: true }), blackPng(30_000, { withPixels: false })]
    for (const bomb of bombs) {
      expect(bomb.length).toBeLessThan(MAX_IMAGE_BYTES)
      const memory = process.memoryUsage.rss()
      const start = performance.now()
      const { status, body } = await create({ image: toDataUri(bomb) })
      expect([status, body.message]).toEqual([400, UNREADABLE])
      expect(performance.now() - start).toBeLessThan(allow(500))
      expect(process.memoryUsage.rss() - memory).toBeLessThan(50_000_000)
    }
  })

  test('of pure noise still fits', async () => {
    const noise = await sharp(randomBytes(640 * 400 * 3), { raw: { width: 640, height: 400, channels: 3 } })
      .jpeg({ quality: 50 })
      .toBuffer()
    expect(noise.length).toBeGreaterThan(90_000)
    expect((await create({ image: toDataUri(noise, 'image/jpeg') })).status).toBe(200)
  })

  test('that nobody uploaded is not found, and neither is any other name', async () => {
    expect((await pictureAt(`/images/${'0'.repeat(64)}.webp`)).status).toBe(404)
    for (const name of ['x.webp', '..%2f..%2fpackage.json', `${'0'.repeat(64)}.svg`, `${'A'.repeat(64)}.webp`]) {
      expect((await pictureAt(`/images/${name}`)).status).toBe(400)
    }
  })
})

describe('the catalogue', () => {
  test('of 100 products with a picture of 100 KB each is a list of less than 100 KB', async () => {
    const noise = await sharp(randomBytes(640 * 400 * 3), { raw: { width: 640, height: 400, channels: 3 } })
      .jpeg({ quality: 45 })
      .toBuffer()
    const product = await created({ image: toDataUri(noise, 'image/jpeg') })
    await shop.database.db.query(
      `with made as (
         insert into products (network, image_hash, status, created_at)
         select network, image_hash, status, created_at from products, generate_series(1, 100) where id = $1 returning id
       ) insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas)
         select id, 1, '1GB', 550, 480 from made`,
      [product._id],
    )
    const reply = await shop.app.inject({ url: '/api/product' })
    expect(reply.json().length).toBeGreaterThan(100)
    expect(reply.rawPayload.length).toBeLessThan(100_000)
  })
})

test('each change is announced to everyone who is signed in; a deleted product looks out of stock to a client of the specification', async () => {
  const url = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const probe = await openRealtimeProbe(url, (await makeUser(shop)).token)
  let shown = await catalogue()
  // What such a client does: replace the product with the same _id, or append it if absent.
  probe.socket.on('productsUpdated', (change) => {
    const known = shown.some(({ _id }) => _id === change._id)
    shown = known ? shown.map((product) => (product._id === change._id ? (change as Product) : product)) : [...shown, change as Product]
  })
  const product = await created()
  await change(product._id, { status: 'out of stock' })
  await call(shop, 'PUT', `/product/${product._id}/status`, { as: admin, body: { status: 'available' } })
  await call(shop, 'DELETE', `/product/${product._id}`, { as: admin })
  await until(() => probe.heard.length === 4)
  expect(probe.heard.map(({ event, payload }) => [event, 'deleted' in payload || ('status' in payload && payload.status)])).toEqual([
    ['productsUpdated', 'available'],
    ['productsUpdated', 'out of stock'],
    ['productsUpdated', 'available'],
    ['productsUpdated', true],
  ])
  expect(probe.heard[0]!.payload).toEqual(product)
  expect(probe.heard[3]!.payload).toEqual({ ...product, packages: expect.any(Array), status: 'out of stock', deleted: true })
  expect(shown.find(({ _id }) => _id === product._id)).toMatchObject({ network: 'MTN', image: product.image, status: 'out of stock' })
  for (const card of shown)
    expect(card).toMatchObject({ network: expect.any(String), image: expect.stringMatching(/^\/images\//), packages: expect.any(Array) })
  probe.close()
})
