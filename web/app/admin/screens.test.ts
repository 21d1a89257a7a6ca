import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SCREENS, screenAt } from './screens.tsx'

const WEB = join(import.meta.dirname, '../..')

test('every address below a screen that the portal itself leads to shows that screen', () => {
  const found = globSync('**/*.{ts,tsx}', { cwd: WEB }).flatMap((file) =>
    [...readFileSync(join(WEB, file), 'utf8').matchAll(/(?:href=\{?|navigate\()["'`](\/admin\/[a-z-]+\/[^"'`?#]+)/g)].map(
      ([, address = '']) => [file, address.replace(/\$\{[^}]*\}/g, '1')] as const,
    ),
  )
  expect(new Set(found.map(([, address]) => address.split('/')[2]))).toEqual(
    new Set(['batches', 'customers', 'day-close', 'finance', 'orders']),
  )
  for (const [file, address] of found)
    expect([file, address, address.startsWith(screenAt(address, SCREENS).href)]).toEqual([file, address, true])
})

test.each([
  ['/admin', '/admin/inbox'],
  ['/admin/', '/admin/inbox'],
  ['/admin/anything', '/admin/stats'],
  ['/admin/settings/anything', '/admin/stats'],
  ['/admin/stats/1', '/admin/stats'],
  ['/admin/orders', '/admin/orders'],
  ['/admin/finance', '/admin/finance'],
  ['/admin/products', '/admin/products'],
])('%s is %s', (address, href) => {
  expect(screenAt(address, SCREENS).href).toBe(href)
})

test('the tabs of the shop’s record are named as in the specification, in its order', () => {
  const tabs = SCREENS.filter(({ csv }) => csv !== undefined)
  expect(tabs.map(({ label, place }) => [label, place])).toEqual(
    ['Statistics', 'Orders', 'Finance', 'Products'].map((label) => [label, 'bar']),
  )
})
