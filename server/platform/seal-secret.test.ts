import { expect, test } from 'vitest'
import { openSecret, sealSecret } from './seal-secret.ts'

const [KEY, OTHER] = ['a key of the shop, long enough', 'another key of the shop, as long']

test('what was sealed with a key is not readable without it, and opens with it alone', () => {
  const sealed = sealSecret('JBSWY3DPEHPK3PXP', KEY)
  expect(sealed.toString('latin1')).not.toContain('JBSWY3DPEHPK3PXP')
  expect(openSecret(sealed, KEY)).toBe('JBSWY3DPEHPK3PXP')
  expect(() => openSecret(sealed, OTHER)).toThrow()
  expect(() => openSecret(sealed, null)).toThrow('SECRETS_KEY')
})

test('what was sealed without a key still opens after a key was set', () => {
  expect(openSecret(sealSecret('JBSWY3DPEHPK3PXP', null), KEY)).toBe('JBSWY3DPEHPK3PXP')
})
