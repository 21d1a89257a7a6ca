import { expect, it } from 'vitest'
import { popupMessage } from './card-popup.ts'

it.each([
  [
    'the listed issues',
    {
      message: 'Invalid transaction parameters',
      issues: [{ message: 'Required parameter missing: key' }, { message: 'Invalid parameter type: amount' }],
    },
    'Required parameter missing: key; Invalid parameter type: amount',
  ],
  ['its message', { type: 'setup', message: 'Transaction not found' }, 'Transaction not found'],
  ['a bare string', 'No wallet payment method is available on this device', 'No wallet payment method is available on this device'],
])('popupMessage says %s', (_, error, expected) => {
  expect(popupMessage(error)).toBe(expected)
})

it('popupMessage is never empty', () => {
  for (const error of [undefined, null, {}, '', 7, { issues: [] }]) expect(popupMessage(error)).toMatch(/Nothing was charged/)
})
