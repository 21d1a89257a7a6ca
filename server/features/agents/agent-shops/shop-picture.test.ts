import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PublicShop } from '../../../../shared/agent-shops.ts'
import type { Network } from '../../../../shared/networks.ts'
import { openShopOf } from '../../../../test/agent-shop.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { makeUser } from '../../../../test/builders.ts'
import { drawableText } from '../../../platform/glyphs.ts'
import { encodePixels } from '../../shop/images/encode-image.ts'
import { composePixels, composeShopPicture } from './compose-shop-picture.ts'

const MOST_BYTES = 300_000
const offer = (network: Network, name: string, price: number) => ({
  productId: crypto.randomUUID(),
  network,
  image: '',
  offer: name,
  price,
})
const SHOP: PublicShop = {
  slug: 'akosua-data',
  name: 'Akosua Data',
  about: null,
  colour: 'plum',
  phone: null,
  whatsapp: null,
  logo: null,
  closed: null,
  offers: [offer('MTN', '1GB', 5.2), offer('MTN', '2GB', 10.2), offer('Telecel', '10GB', 48), offer('AirtelTigo', '5GB', 20)],
}
const compose = (change: Partial<PublicShop> = {}) => composeShopPicture({ ...SHOP, ...change }, 'https://dwadi.example/s/akosua-data')
const draw = (change: Partial<PublicShop> = {}) => composePixels(compose(change), null)

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

/** How many pixels of a part of the picture have not the colour of its ground. */
function inked({ pixels, width }: { pixels: Buffer; width: number }, box: { x: number; y: number; width: number; height: number }): number {
  const colourAt = (x: number, y: number) => pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3).toString('hex')
  const ground = colourAt(box.x, box.y)
  let count = 0
  for (let y = box.y; y < box.y + box.height; y += 1)
    for (let x = box.x; x < box.x + box.width; x += 1) if (colourAt(x, y) !== ground) count += 1
  return count
}
const NAME_BOX = { x: 250, y: 20, width: 940, height: 236 }
const EDGE_BOX = { x: 1150, y: 0, width: 50, height: 276 }

test.each([
  ['a plain one', 'Akosua Data'],
  ['markup', `"><script>alert('$&')</script>&amp;`],
  ['emoji alone', '🔥🔥🔥💸'],
  ['emoji between', '🔥 Kofi’s Data 🇬🇭 Hub 💯'],
  ['sixty letters without a space', 'W'.repeat(60)],
  ['sixty letters in words', 'Nana Akua Agyeiwaa Data Airtime and Checkers of Kumasi Central'.slice(0, 60)],
  ['Twi and accents', 'Ɛno Ɔdɔ bɛyɛ Éclair'],
  ['another script', 'متجر البيانات'],
])('a name of %s is drawn with nothing but letters, within the picture and the size that chats take', async (_name, name) => {
  const picture = draw({ name })
  const png = await encodePixels(picture)
  expect(png.byteLength).toBeLessThan(MOST_BYTES)
  expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  expect(inked(picture, NAME_BOX)).toBeGreaterThan(1_500)
  expect(inked(picture, EDGE_BOX)).toBe(0)
  expect(png.toString('latin1')).not.toContain('script')
})

test('what cannot be drawn goes, and a name of nothing else is that of the link', () => {
  expect(drawableText('🔥 Kofi’s  Dàta\t🇬🇭')).toBe("Kofi's Data")
  expect(drawableText('Ɛno ɔdɔ')).toBe('Ɛno ɔdɔ')
  expect(drawableText('\u0000constructor\u202E')).toBe('constructor')
  expect(compose({ name: '🔥🔥' }).name).toBe('akosua-data')
})

test('each network comes before a second package of another, in the catalogue’s order', () => {
  const many = Array.from({ length: 8 }, (_, at) => offer('MTN', `${at + 1}GB`, 5 + at))
  const { offers } = compose({ offers: [...many, offer('Telecel', '10GB', 48)] })
  expect(offers.map(({ network, offer: name, price }) => `${network} ${name} ${price}`)).toEqual([
    'MTN 1GB GHS 5.00',
    'MTN 2GB GHS 6.00',
    'MTN 3GB GHS 7.00',
    'MTN 4GB GHS 8.00',
    'MTN 5GB GHS 9.00',
    'Telecel 10GB GHS 48.00',
  ])
})

test('a changed price, name or colour is another picture, and the same facts are the same', () => {
  const hashes = [{}, { name: 'Akosua' }, { colour: 'blue' as const }, { closed: 'Closed.' }, { offers: [offer('MTN', '1GB', 5.3)] }].map(
    (change) => compose(change).hash,
  )
  expect(new Set(hashes).size).toBe(hashes.length)
  expect(compose().hash).toBe(hashes[0])
})

test('the server gives the picture of a shop as it is now, and none of a shop that does not exist', async () => {
  const agent = await makeUser(shop, { level: 'Agent' })
  const shopId = await openShopOf(shop, agent._id)
  const { rows } = await shop.database.db.query<{ slug: string }>('select slug from agent_shops where id = $1', [shopId])
  const path = `/images/shop-${rows[0]?.slug}.png`
  const get = (url: string) => shop.app.inject({ method: 'GET', url })
  const first = await get(path)
  expect([first.statusCode, first.headers['content-type'], first.headers['cache-control']]).toEqual([
    200,
    'image/png',
    'public, max-age=300',
  ])
  const [again, once] = await Promise.all([get(path), get(path)])
  expect([again.rawPayload.equals(first.rawPayload), once.rawPayload.equals(first.rawPayload)]).toEqual([true, true])
  await shop.database.db.query(`update agent_shops set name = 'Another name' where id = $1`, [shopId])
  expect((await get(path)).rawPayload.equals(first.rawPayload)).toBe(false)
  expect((await get('/images/shop-nobody-has-this.png')).statusCode).toBe(404)
  expect((await get('/images/shop-..%2F..%2Fetc.png')).statusCode).toBeGreaterThanOrEqual(400)
})
