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

test.each(['/admin/settings/anything', '/admin/anything', '/admin/day'])('%s is not found', (address) => {
  expect(screenAt(address, SCREENS).href).toBe('/admin/not-found')
})
