import { afterEach, expect, it, vi } from 'vitest'
import { noteShopTime, shopNow } from './clock.ts'

afterEach(() => {
  vi.useRealTimers()
  noteShopTime(null)
})

it('a phone that is wrong by a day, an hour or two minutes has the shop’s time', () => {
  for (const wrongMs of [86_400_000, -86_400_000, 3_600_000, -120_000]) {
    vi.useFakeTimers({ now: Date.parse('2026-11-28T08:00:00Z') + wrongMs })
    noteShopTime('Sat, 28 Nov 2026 08:00:00 GMT')
    expect(shopNow().toISOString()).toBe('2026-11-28T08:00:00.000Z')
    vi.setSystemTime(Date.now() + 60_000)
    expect(shopNow().toISOString()).toBe('2026-11-28T08:01:00.000Z')
  }
})

it('an answer that was a minute on its way, and one without a time, leave a right clock alone', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-28T08:01:00Z') })
  for (const date of ['Sat, 28 Nov 2026 08:00:00 GMT', null, '']) {
    noteShopTime(date)
    expect(shopNow().toISOString()).toBe('2026-11-28T08:01:00.000Z')
  }
})

it('a clock that is put right is believed again at the next answer', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-29T08:00:00Z') })
  noteShopTime('Sat, 28 Nov 2026 08:00:00 GMT')
  vi.setSystemTime(Date.parse('2026-11-28T08:00:05Z'))
  noteShopTime('Sat, 28 Nov 2026 08:00:04 GMT')
  expect(shopNow().toISOString()).toBe('2026-11-28T08:00:05.000Z')
})
