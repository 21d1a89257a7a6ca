import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPesewas } from '../../shared/money.ts'
import { pesewasIn } from '../../shared/readers/read-amount.ts'
import { readTypedAmount } from './typed-amount.ts'

test.each([
  ['55,50', '¢55.50'],
  ['55', '¢55.00'],
  ['GHS 1.234,5', '¢1,234.50'],
  ['1,234.50', '¢1,234.50'],
  ['20 cedis', '¢20.00'],
  ['55.50', null],
  [' 55.50', null],
  ['', null],
])('%j is understood as %j, and nothing is wrong', (text, understood) => {
  expect(readTypedAmount(text)).toEqual({ understood, doubt: null })
})

test.each(['5.', '5,', '¢', 'GH', 'ghs ', '-', '1,234,', '.'])('%j waits for more', (text) => {
  expect(readTypedAmount(text)).toEqual({ understood: null, doubt: null })
})

test('one that may be two is asked about, and each answer is an amount in full', () => {
  const { understood, doubt } = readTypedAmount('1,500')
  expect([understood, doubt]).toEqual([
    null,
    {
      reason: 'Is that ¢1,500.00 or ¢1.50?',
      candidates: [
        { label: '¢1,500.00', text: '1500.00' },
        { label: '¢1.50', text: '1.50' },
      ],
    },
  ])
  for (const { text } of doubt?.candidates ?? []) expect(readTypedAmount(text)).toEqual({ understood: null, doubt: null })
})

test('a sign that is too much is named at once', () => {
  expect(['5k', '5 GB', '5.50.', '10-20'].map((text) => readTypedAmount(text).doubt?.candidates)).toEqual([[], [], undefined, []])
  expect(readTypedAmount('5k').doubt?.reason).toBe('“k” is not part of an amount.')
  expect(readTypedAmount('-5').doubt?.reason).toBe('An amount here can’t be below zero.')
  expect(readTypedAmount('-5', { negative: true }).understood).toBe('-¢5.00')
})

test('key by key, the amount that is shown is the one that would be sent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.constantFrom('.', ','), (pesewas, sign) => {
      const text = formatPesewas(pesewas).replaceAll(',', '').replace('.', sign)
      for (let end = 1; end <= text.length; end++) {
        const { understood } = readTypedAmount(text.slice(0, end))
        const sent = pesewasIn(text.slice(0, end))
        if (understood !== null) expect(understood).toBe(`¢${formatPesewas(sent as number)}`)
      }
      expect(pesewasIn(text)).toBe(pesewas)
    }),
  )
})
