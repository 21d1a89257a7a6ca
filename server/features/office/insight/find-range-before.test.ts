import { expect, test } from 'vitest'
import { findRangeBefore } from './find-range-before.ts'

test.each([
  ['a day', '2026-11-21', '2026-11-21', '2026-11-14', '2026-11-14'],
  ['a week', '2026-11-15', '2026-11-21', '2026-11-08', '2026-11-14'],
  ['some days', '2026-11-18', '2026-11-20', '2026-11-11', '2026-11-13'],
  ['a month', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['January', '2026-01-01', '2026-01-31', '2025-12-01', '2025-12-31'],
  ['ten days', '2026-11-11', '2026-11-20', '2026-11-01', '2026-11-10'],
])('%s is compared with what went before', (_name, from, to, before, until) => {
  expect(findRangeBefore({ from, to })).toEqual({ from: before, to: until })
})
