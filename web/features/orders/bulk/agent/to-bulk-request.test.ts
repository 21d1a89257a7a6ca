import { expect, test } from 'vitest'
import { type BulkShelf, checkLines, decisionKey } from '../../../../../shared/bulk-lines.ts'
import { toBulkRequest } from './to-bulk-request.ts'

const OFFERS = [{ productId: 'p', offer: '1GB', volumeMb: 1000, cedis: 4.7 }]
const SHELF: BulkShelf = { MTN: OFFERS, Telecel: OFFERS, AirtelTigo: OFFERS }

test('only the lines that are paid for are sent, at the prices that were shown; the others say why they were left out', () => {
  const text = '0244123456 1\n0244123456 1\n024412 1\n0551234567 1\n0205550118 1\n0275550118 1'
  const all = checkLines(text, SHELF, [], new Map([[decisionKey(4, '0551234567 1'), { skip: true } as const]]))
  const draft = { text, decisions: {}, retries: { [decisionKey(5, '0205550118 1')]: 'order' }, origin: { groupId: 'g', cedis: 5 } }
  const paid = all.filter(({ number, state }) => state === 'ready' && number < 6)
  const request = toBulkRequest(paid, all, draft, { skipped: 'Skipped', unpaid: 'Not enough money' })
  const line = { productId: 'p', offer: '1GB', amount: 4.7, name: '' }
  expect(request).toEqual({
    total: 9.4,
    groupId: 'g',
    lines: [
      { ...line, number: 1, text: '0244123456 1', phoneNumber: '0244123456' },
      { ...line, number: 5, text: '0205550118 1', phoneNumber: '0205550118', retryOf: 'order' },
    ],
    leftOut: [
      { number: 2, text: '0244123456 1', why: 'Same number and size as line 1. Sent once unless you say so.' },
      { number: 3, text: '024412 1', why: '6 digits, a number has 10.' },
      { number: 4, text: '0551234567 1', why: 'Skipped' },
      { number: 6, text: '0275550118 1', why: 'Not enough money' },
    ],
  })
})
