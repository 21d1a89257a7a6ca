import { expect, test } from 'vitest'
import { trackedOrderQuery } from './api.ts'

test.each([
  ['an order that was found', { data: { order: {} }, status: 'success' }, 60_000],
  ['an order whose last look failed', { data: { order: {} }, status: 'error' }, 60_000],
  ['a link that leads to nothing', { data: undefined, status: 'error' }, false],
])('%s', (_what, state, every) => {
  const { refetchInterval } = trackedOrderQuery('nonsense')
  expect(typeof refetchInterval === 'function' && refetchInterval({ state } as never)).toBe(every)
})
