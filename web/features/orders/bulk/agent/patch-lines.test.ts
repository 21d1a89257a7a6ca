import { expect, test } from 'vitest'
import type { BulkJobLine } from '../../../../../shared/bulk.ts'
import { patchLines } from './patch-lines.ts'

const line = (id: string) => ({ number: 1, order: { _id: id, status: 'pending', refundReason: null } }) as BulkJobLine

test('news of an order changes its line and no other; news of other orders change nothing', () => {
  const lines = [line('a'), line('b'), { ...line('c'), order: null }]
  const news = new Map([['b', { status: 'rejected' as const, refundReason: 'Wrong number' }]])
  const patched = patchLines(lines, news)
  expect(patched[0]).toBe(lines[0])
  expect(patched[1]?.order).toMatchObject({ status: 'rejected', refundReason: 'Wrong number' })
  expect(patchLines(patched, news)).toBe(patched)
  expect(patchLines(lines, new Map([['x', { status: 'completed' as const, refundReason: null }]]))).toBe(lines)
})
