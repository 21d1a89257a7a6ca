import { expect, test } from 'vitest'
import { afterAllWords, costWords, doneWords, ordinal } from './order-words.ts'

test('how a supplier does, and what it costs', () => {
  expect([1, 2, 3, 4].map(ordinal)).toEqual(['1st', '2nd', '3rd', '4th'])
  expect(doneWords({ delivered: 299, refused: 1, medianMinutes: 4 })).toBe(
    '99% of 300 orders delivered in the last 7 days, half within 4 minutes',
  )
  expect(doneWords({ delivered: 1, refused: 0, medianMinutes: null })).toBe('100% of 1 order delivered in the last 7 days')
  expect(doneWords({ delivered: 0, refused: 0, medianMinutes: null })).toBe('No orders in the last 7 days')
  expect(costWords({ withCost: 3, aboveAgentPrice: 0 }, 3)).toEqual({ text: 'Cost set for all packages', isWarning: false })
  expect(costWords({ withCost: 2, aboveAgentPrice: 1 }, 3)).toEqual({
    text: 'Cost not set for 1 of 3 packages, 1 package above what agents pay',
    isWarning: true,
  })
  expect(costWords({ withCost: 0, aboveAgentPrice: 0 }, 8, { waits: true }).text).toBe(
    'Cost not set for 8 of 8 packages: those wait for you',
  )
})

test('what came of an order that a supplier delivered after it had said no', () => {
  const words = (deliveredBy: string | null) => afterAllWords({ supplier: 'hubnet', deliveredBy })
  expect(words(null)).toBe('Hubnet delivered it, though the buyer has the money back.')
  expect(words('remadata')).toBe('Hubnet delivered it too: it had been delivered by RemaData.')
  expect(words('by-hand')).toBe('Hubnet delivered it too: it had been delivered by hand.')
})
