import { expect, test } from 'vitest'
import type { DaySheet, SignedClose } from '../../../../../shared/day-close.ts'
import { closeOfSameDay, exactTime, isQuiet } from './day-close-words.ts'

test('a minute in which a close ended means that close, not the seconds before it', () => {
  const known = ['2026-11-28T04:45:07.123Z', '2026-11-27T20:31:00.000Z']
  expect(exactTime('2026-11-28T04:45', known)).toBe('2026-11-28T04:45:07.123Z')
  expect(exactTime('2026-11-28T04:46', known)).toBe('2026-11-28T04:46:00.000Z')
  expect(exactTime('', known)).toBeUndefined()
})

const sheet = (from: string, until: string, amount = 0) =>
  ({ from, until, wallets: { lines: [{ what: 'card', count: 0, amount }] }, earned: { lines: [] } }) as unknown as DaySheet

test('a day that was signed off is known as such until the next', () => {
  const until = '2026-11-28T20:31:07.123Z'
  const close = { _id: '1', from: '2026-11-27T20:30:00.000Z', until } as SignedClose
  expect(closeOfSameDay(sheet(until, '2026-11-28T20:32:00.000Z'), [close])).toBe(close)
  expect(closeOfSameDay(sheet(until, '2026-11-29T20:32:00.000Z'), [close])).toBeNull()
  expect(closeOfSameDay(sheet('2026-11-28T20:31:00.000Z', '2026-11-28T20:32:00.000Z'), [close])).toBeNull()
})

test('a range is quiet while nothing has moved in it', () => {
  expect(isQuiet(sheet('', ''))).toBe(true)
  expect(isQuiet(sheet('', '', 5))).toBe(false)
})
