import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Product } from '../../../shared/products.ts'
import type { Shop } from '../../../shared/shop.ts'
import type { Figures } from '../../../shared/stats.ts'
import { registerWebApp } from './web-app.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-app-'))
  for (const name of ['web/assets', 'prerender']) await mkdir(join(folder, name), { recursive: true })
  const page = '<html><head><title>x</title></head><body><div id="root"></div></body></html>'
  await writeFile(join(folder, 'web/index.html'), page)
  await writeFile(join(folder, 'web/service-worker.js'), '')
  await writeFile(join(folder, 'prerender/screens.json'), '{}')
  await writeFile(join(folder, 'prerender/prerender.js'), 'exports.prerender = async () => "<main></main>"')
})
afterAll(() => rm(folder, { recursive: true }))

const PRODUCTS = [{ _id: 'one', network: 'MTN', packages: [{ offer: '</script><script>alert(1)' }] }] as unknown as Product[]

type Serving = { mode?: Shop['mode']; readFigures?: () => Promise<Figures> }

async function open(path: string, { mode = 'sandbox', readFigures = async () => ({}) as Figures }: Serving) {
  const app = Fastify()
  const shop = { name: 'Shop', tagline: 'Data', mode } as Shop
  await registerWebApp(app, { root: join(folder, 'web'), shop, readProducts: async () => PRODUCTS, readFigures })
  const { body, statusCode } = await app.inject({ url: path, headers: { accept: 'text/html' } })
  await app.close()
  return { body, statusCode }
}

test('only a sandbox shows its building blocks at /design', async () => {
  expect((await open('/design', { mode: 'sandbox' })).statusCode).toBe(200)
  expect((await open('/design', { mode: 'live' })).statusCode).toBe(404)
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
