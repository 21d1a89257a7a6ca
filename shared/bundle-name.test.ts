import { expect, test } from 'vitest'
import { bundleName } from './bundle-name.ts'

test.each([
  ['MTN', '5GB', 'MTN 5GB'],
  ['AFA', 'AFA registration', 'AFA registration'],
  [undefined, '5GB', '5GB'],
])('%s %s is %s', (network, offer, name) => {
  expect(bundleName(network, offer)).toBe(name)
})
