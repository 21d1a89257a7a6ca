import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ShopFace } from '../../../shared/agent-shops.ts'
import type { Product } from '../../../shared/products.ts'
import type { Shop } from '../../../shared/shop.ts'
import type { Figures } from '../../../shared/stats.ts'
import type { AgentShopPage } from './pages.ts'
import { registerWebApp } from './web-app.ts'

const HEAD =
  '<meta name="theme-color" content="#fff" media="(prefers-color-scheme: light)" /><link rel="icon" href="/i.svg" /><link rel="manifest" href="/m" />' +
  '<meta name="description" content="ours" />'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-app-'))
  for (const name of ['web/assets', 'prerender']) await mkdir(join(folder, name), { recursive: true })
  const page = `<html><head>${HEAD}<title>x</title></head><body><p id="help"></p><div id="root"></div></body></html>`
  await writeFile(join(folder, 'web/index.html'), page)
  await writeFile(join(folder, 'web/service-worker.js'), '')
  await writeFile(join(folder, 'prerender/screens.json'), '{}')
  await writeFile(join(folder, 'prerender/prerender.js'), 'exports.prerender = async () => "<main></main>"')
})
afterAll(() => rm(folder, { recursive: true }))

const PRODUCTS = [{ _id: 'one', network: 'MTN', packages: [{ offer: '</script><script>alert(1)' }] }] as unknown as Product[]

type Serving = {
  mode?: Shop['mode']
  contacts?: Partial<Shop>
  readFigures?: () => Promise<Figures>
  readAgentShop?: () => Promise<AgentShopPage | null>
  readFaceOfOrder?: () => Promise<ShopFace | null>
}

async function open(
  path: string,
  {
    mode = 'sandbox',
    contacts = {},
    readFigures = async () => ({}) as Figures,
    readAgentShop = async () => null,
    readFaceOfOrder = async () => null,
  }: Serving,
) {
  const app = Fastify()
  app.decorateRequest('agentShop', null)
  app.decorate('methodsAt', () => [])
  const shop = { name: 'Shop', tagline: 'Data', whatsapp: ['0245550100'], mode, ...contacts } as unknown as Shop
  await registerWebApp(app, {
    root: join(folder, 'web'),
    shop,
    readProducts: async () => PRODUCTS,
    readFigures,
    readAgentShop,
    readFaceOfOrder,
  })
  const { body, statusCode } = await app.inject({ url: path, headers: { accept: 'text/html' } })
  await app.close()
  return { body, statusCode }
}

test('only a sandbox shows its building blocks at /design', async () => {
  expect((await open('/design', { mode: 'sandbox' })).statusCode).toBe(200)
  expect((await open('/design', { mode: 'live' })).statusCode).toBe(404)
})

test.each(['/assets/..%2findex.html', '/assets/absent.js', '/images/absent', '/icon-absent.png'])(
  'a file that does not exist is no page, whichever host is asked: %s',
  async (path) => {
    const { body, statusCode } = await open(path, {})
    expect([statusCode, body]).toEqual([404, expect.not.stringContaining('<')])
  },
)

test.each([
  [{}, '<p id="help">You can buy by message too: <a class="underline" href="https://wa.me/233245550100">WhatsApp us</a>.</p>'],
  [
    { whatsapp: [], ussdCode: '*928*01#' },
    '<p id="help">You can buy without internet too: dial <a class="underline" href="tel:*928*01%23">*928*01#</a>.</p>',
  ],
  [
    { ussdCode: '*928#' },
    'WhatsApp us</a>.<br>You can buy without internet too: dial <a class="underline" href="tel:*928%23">*928#</a>.</p>',
  ],
  [{ whatsapp: [] }, '<body><div id="root" data-path="/">'],
])('a page that cannot be shown names the other ways to buy: %j', async (contacts, words) => {
  expect((await open('/', { contacts })).body).toContain(words)
})

test.each([
  ['never come', () => new Promise<never>(() => {})],
  ['cannot be read', () => Promise.reject(new Error('too slow'))],
])('the store has its catalogue, as data and nothing else, although the figures %s', async (_name, readFigures) => {
  const { body: page } = await open('/store', { readFigures })
  const known = /id="catalogue">([^<]*)<\/script>/.exec(page)?.[1] ?? 'nothing'
  expect(JSON.parse(known)).toEqual(PRODUCTS)
  expect(page).not.toContain('id="figures"')
})

describe("an agent's shop", () => {
  const NAME = `"><script>alert('$&')</script> & Sons`
  const page = {
    shop: { slug: 'sons', name: NAME, about: NAME, colour: 'plum', logo: '/images/a"b', closed: null, offers: [{ network: 'MTN' }] },
    origin: 'https://house.example',
    canonical: 'https://data.example/',
    ownHost: false,
    picture: '/images/shop-sons.png?v=a"b',
  } as unknown as AgentShopPage
  const read = (wanted: Partial<AgentShopPage['shop']> = {}) =>
    open('/s/sons', { readAgentShop: async () => ({ ...page, shop: { ...page.shop, ...wanted } }) })
  const escaped = '&#34;&#62;&#60;script&#62;alert(&#39;$&#38;&#39;)&#60;/script&#62; &#38; Sons'

  test('has its own name, picture and colour in the head, whatever its name is made of', async () => {
    const { body, statusCode } = await read()
    expect(statusCode).toBe(200)
    expect(body).toContain(`<title>${escaped}</title>`)
    expect(body).toContain(`<meta property="og:title" content="${escaped}">`)
    expect(body).toContain(`<meta property="og:image" content="https://house.example/images/shop-sons.png?v=a&#34;b">`)
    expect(body).toContain('<link rel="canonical" href="https://data.example/">')
    expect(body).toContain('<meta name="theme-color" content="#7a1f4b" media')
    expect(body).toContain(`<meta name="description" content="${escaped}. MTN bundles. Pay by mobile money or card, without an account.`)
    expect(body).not.toMatch(/<script>alert|rel="manifest"/)
    const data = /id="agent-shop">([^<]*)<\/script>/.exec(body)?.[1] ?? 'nothing'
    expect(JSON.parse(data)).toMatchObject({ slug: 'sons', name: NAME })
  })

  test('that is closed says so and is not for search engines; one that does not exist is not found', async () => {
    const closed = 'This shop is closed.'
    const { body } = await read({ closed, logo: null })
    expect(body).toContain(`<meta property="og:description" content="${closed}"><meta property="og:url"`)
    expect(body).toContain('<meta name="robots" content="noindex">')
    expect((await open('/s/sons', {})).statusCode).toBe(404)
  })

  test('is left to the browser when it cannot be read now', async () => {
    const { body, statusCode } = await open('/s/sons', { readAgentShop: () => Promise.reject(new Error('away')) })
    expect([statusCode, body.includes('og:title')]).toEqual([200, false])
  })
})

test('the link of an order that was placed at an agent’s shop is that shop’s page', async () => {
  const face = {
    slug: 'kumasi',
    name: 'Akosua <Data>',
    about: null,
    colour: 'green',
    phone: null,
    whatsapp: '0245550142',
    logo: null,
  } as const
  const { body, statusCode } = await open('/t/AAAAAAAAAAAAAAAAAAAA', { readFaceOfOrder: async () => face })
  expect([statusCode, /<title>([^<]*)/.exec(body)?.[1]]).toEqual([200, 'Akosua &#60;Data&#62;'])
  expect(body).toContain('"slug":"kumasi"')
  expect((await open('/t/AAAAAAAAAAAAAAAAAAAA', {})).body).not.toContain('kumasi')
})
