import { describe, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../test/app.ts'
import { call } from '../../../test/builders.ts'
import { readConfig } from '../config.ts'

const LIMIT = 120

/** A different forged address with every request. */
const lie = (index: number) => `198.51.100.${index}`

async function ask(shop: TestShop, forwardedFor: string): Promise<number> {
  const body = { email: 'nobody@example.com' }
  return (await call(shop, 'POST', '/user/forget-password', { body, headers: { 'x-forwarded-for': forwardedFor } })).status
}

describe('limits by address, behind proxies', () => {
  test.each<[name: string, setting: string, forwardedFor: (index: number) => string]>([
    ['no proxy: the header means nothing', '0', lie],
    ['one proxy: what the asker wrote into X-Forwarded-For resets nothing', '1', (index) => `${lie(index)}, 203.0.113.7`],
    ['two proxies: the address before both of them counts', '2', (index) => `${lie(index)}, 203.0.113.9, 10.0.0.${index}`],
  ])('%s', async (_name, setting, forwardedFor) => {
    const { trustedProxies } = readConfig({ TRUSTED_PROXIES: setting })
    const shop = await openTestShop({ rateLimits: true, trustedProxies })
    const statuses: number[] = []
    for (let index = 0; index <= LIMIT; index++) statuses.push(await ask(shop, forwardedFor(index)))
    expect([statuses.slice(0, LIMIT), statuses[LIMIT]]).toEqual([Array(LIMIT).fill(200), 429])
    if (trustedProxies === 1) expect(await ask(shop, '203.0.113.8')).toBe(200)
    await shop.close()
  })
})
