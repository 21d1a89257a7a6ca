import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../test/app.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

async function send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', url: string) {
  const { statusCode, headers, json } = await shop.app.inject({ method, url, headers: { authorization: `Bearer ${'A'.repeat(43)}` } })
  return { status: statusCode, allow: headers.allow, code: (json() as { code: string }).code }
}

const ID = '00000000-0000-4000-8000-000000000000'

test.each([
  ['GET', '/api/user/login', 'POST'],
  ['PATCH', '/api/user', 'GET, HEAD'],
  ['DELETE', '/api/user?page=1', 'GET, HEAD'],
  ['POST', `/api/product/${ID}`, 'DELETE, PUT'],
  ['OPTIONS', '/api/order/checkout', 'GET, HEAD, POST'],
  ['POST', '/healthz', 'GET, HEAD'],
  ['PUT', `/images/${'0'.repeat(64)}.webp`, 'GET, HEAD'],
] as const)('%s %s gets the allowed methods: %s', async (method, url, allow) => {
  expect(await send(method, url)).toEqual({ status: 405, allow, code: 'METHOD_NOT_ALLOWED' })
})

test.each([
  ['GET', '/api/no-such'],
  ['POST', '/api/user/login/more'],
  ['POST', '/no-such'],
  ['GET', '/api/user/'],
] as const)('%s %s is 404', async (method, url) => {
  expect(await send(method, url)).toEqual({ status: 404, allow: undefined, code: 'NOT_FOUND' })
})
