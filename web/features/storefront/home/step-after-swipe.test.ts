import { expect, it } from 'vitest'
import { stepAfterSwipe } from './step-after-swipe.ts'

it.each([
  [-40, 1],
  [-200, 1],
  [40, -1],
  [39, 0],
  [-39, 0],
  [0, 0],
])('a swipe of %i px steps by %i', (moved, step) => {
  expect(stepAfterSwipe(moved)).toBe(step)
})
