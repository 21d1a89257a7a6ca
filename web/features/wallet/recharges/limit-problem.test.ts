import { describe, expect, test } from 'vitest'
import { limitProblem } from './limit-problem.ts'

const limits = { minimum: 50, maximum: 1000, leftToday: 1000 }

describe('limitProblem', () => {
  test('leads to Request only where the amount may be requested', () => {
    expect(limitProblem(4_999, limits, false)).toBe('At least ¢50.00 at once.')
    expect(limitProblem(6_000, { ...limits, minimum: 100 }, true)).toBe('At least ¢100.00 at once. Press Request for less.')
    expect(limitProblem(100_001, limits, true)).toBe('At most ¢1,000.00 at once. Press Request for more.')
    expect(limitProblem(9_999_999, limits, false)).toBe('At most ¢1,000.00 at once.')
  })

  test('has nothing against the limits themselves', () => {
    expect(limitProblem(5_000, limits, true)).toBeNull()
    expect(limitProblem(100_000, limits, true)).toBeNull()
  })

  test('says what is left today', () => {
    expect(limitProblem(20_000, { ...limits, leftToday: 120 }, true)).toBe(
      'You can top up ¢120.00 more at once today. Press Request for the rest.',
    )
    expect(limitProblem(5_000, { ...limits, leftToday: 20 }, true)).toContain('not possible today')
  })
})
