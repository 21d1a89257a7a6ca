import { expect, test } from 'vitest'
import { headlineOf, timelineOf } from './order-ticket.tsx'

const NOW = new Date('2026-05-01T12:00:00Z')

test.each([
  [119, 'On its way'],
  [120, 'On its way'],
  [121, 'Taking longer than usual'],
])('an order of %i minutes ago, of which nobody knows how long it takes, is %s', (minutes, title) => {
  const at = new Date(NOW.getTime() - minutes * 60_000).toISOString()
  const shown = { network: 'MTN', status: 'pending', steps: [{ step: 'paid', at }], expected: null, verifying: false, needsDetails: false }
  expect(headlineOf(shown as unknown as Parameters<typeof headlineOf>[0], NOW).title).toBe(title)
})

test.each([
  ['by-sms', 'The PIN and serial number come by SMS'],
  ['here', 'The PIN and serial number show here'],
  [undefined, 'We’ll tell you here'],
] as const)('a checker whose PIN comes %s promises no other way', (pinComes, detail) => {
  const steps = [{ step: 'delivered' as const, at: null }]
  const order = { network: 'WAEC Checkers', offer: 'WASSCE', receiver: '', status: 'pending' as const, steps, expected: null, pinComes }
  expect(timelineOf(order, NOW)[0]?.detail).toBe(detail)
})
