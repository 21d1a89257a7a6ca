import { expect, test } from 'vitest'
import type { Movement } from '../../../../../shared/wallet.ts'
import { foldOrders, movementWords } from './movement-words.ts'

const line = (change: Partial<Movement>): Movement => ({
  id: '1-1',
  createdAt: '2026-11-21T16:00:00.000Z',
  kind: 'Order',
  reference: '10265',
  details: 'MTN 1GB to 0551234567',
  amount: -5.5,
  balance: 10,
  by: null,
  isUndo: false,
  orderId: 'a',
  ...change,
})

test('orders that follow each other on one day are one line, and nothing else is', () => {
  const yesterday = '2026-11-20T23:59:59.000Z'
  const lines = [line({}), line({}), line({ kind: 'Refund' }), line({}), line({ createdAt: yesterday }), line({ createdAt: yesterday })]
  expect(foldOrders(lines).map(({ length }) => length)).toEqual([2, 1, 1, 2])
})

test.each<[Partial<Movement>, string]>([
  [{ kind: 'Credit by the shop', by: 'akua', details: 'late delivery' }, 'Credit by akua: “late delivery”'],
  [{ kind: 'Credit by the shop', by: 'akua', details: 'Credit by the shop' }, 'Credit by akua'],
  [{ kind: 'Debit by the shop', by: null, details: 'Debit by the shop' }, 'Debit by the shop'],
  [{ kind: 'Debit by the shop', by: 'kwesi', isUndo: true }, 'Credit undone by kwesi'],
  [{ kind: 'Refund', reference: '10239' }, 'Refund, order 10239'],
  [{}, 'MTN 1GB to 0551234567'],
])('a movement %o is called %s', (change, words) => {
  expect(movementWords(line(change))).toBe(words)
})
