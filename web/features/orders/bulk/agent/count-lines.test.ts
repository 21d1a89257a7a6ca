import { expect, test } from 'vitest'
import type { BulkJobLine } from '../../../../../shared/bulk.ts'
import { countLines, totalOf } from './count-lines.ts'

const line = (number: number, status: 'pending' | 'completed' | 'rejected' | null, network = 'MTN', retried: string | null = null) => {
  const order = status && { _id: `${number}`, number: `${number}`, network, offer: '1GB', phoneNumber: '0244123456', amount: 4.7 }
  return { number, text: '', name: '', why: '', order: order && { ...order, status, refundReason: null }, retried } as BulkJobLine
}

test('only a refunded line that was not bought again can go again; what is pending never does', () => {
  const sums = countLines([line(1, 'completed'), line(2, 'pending'), line(3, 'rejected'), line(4, 'rejected', 'MTN', '77'), line(5, null)])
  expect(sums.canGoAgain.map(({ number }) => number)).toEqual([3])
  expect(sums.leftOut.map(({ number }) => number)).toEqual([5])
  expect(sums.sent).toHaveLength(4)
  expect(totalOf(sums.rejected)).toBe(9.4)
})

test('each network has its own progress, the largest first', () => {
  const { networks } = countLines([line(1, 'completed', 'Telecel'), line(2, 'pending'), line(3, 'completed'), line(4, 'rejected')])
  expect(networks).toEqual([
    { network: 'MTN', completed: 1, rejected: 1, lines: 3 },
    { network: 'Telecel', completed: 1, rejected: 0, lines: 1 },
  ])
})
