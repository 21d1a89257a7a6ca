import { expect, test } from 'vitest'
import type { InboxGroup } from '../../../../../shared/inbox.ts'
import { countWaiting } from './api.ts'

const group = (kind: InboxGroup['kind'], count: number) => ({ kind, count }) as InboxGroup

test.each([
  [[group('to-compare', 3), group('phone', 1)], 4],
  // Five codes are left, and nothing of the other kind: two things to do, not five.
  [[group('checkers-low', 5), group('checkers-low', 0)], 2],
  [[group('batch', 12)], 0],
])('what waits for a decision is counted, not what is left of a stock: %#', (groups, count) => {
  expect(countWaiting(groups)).toBe(count)
})
