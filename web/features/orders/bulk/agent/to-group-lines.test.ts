import { expect, test } from 'vitest'
import { type BulkShelf, checkLines } from '../../../../../shared/bulk-lines.ts'
import { toGroupLines, writeGroup } from './to-group-lines.ts'

const OFFERS = [{ productId: 'p', offer: '1GB', volumeMb: 1000, cedis: 4.7 }]
const SHELF: BulkShelf = { MTN: OFFERS, Telecel: OFFERS, AirtelTigo: OFFERS }

test('a group’s lines read back as themselves, also a number that was ported', () => {
  const written = toGroupLines(checkLines('Ama Owusu 0244123456 1\n0205550118 1 MTN Kofi\n0267 1', SHELF))
  expect(written).toEqual([
    { name: 'Ama Owusu', phoneNumber: '0244123456', network: 'MTN', offer: '1GB' },
    { name: 'Kofi', phoneNumber: '0205550118', network: 'MTN', offer: '1GB' },
  ])
  const readBack = (lines: typeof written) => {
    const { text, decisions } = writeGroup(lines)
    return toGroupLines(checkLines(text, SHELF, [], new Map(Object.entries(decisions))))
  }
  expect(readBack(written)).toEqual(written)
  const odd = ['5gb Kofi', 'Please cancel', 'Telecel', '0244', 'ɔkɔmfo 2', ''].map((name, at) => {
    return { name, phoneNumber: `026812345${at}`, network: 'MTN' as const, offer: '1GB' }
  })
  expect(readBack(odd)).toEqual(odd)
})
