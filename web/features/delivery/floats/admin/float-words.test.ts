import { describe, expect, it } from 'vitest'
import { carriesWords, clockTime, endWords, lastsWords, spanWords } from './float-words.ts'

const now = new Date('2026-11-21T17:12:00Z')
const float = {
  key: 'hubnet',
  kind: 'supplier',
  networks: [],
  backsUp: [],
  state: 'low',
  balance: 112.4,
  balanceAt: null,
  withoutCost: 0,
  problem: null,
  perHour: 42.82,
  rateFrom: 'balance',
  emptyAt: '2026-11-21T19:50:00.000Z',
  held: { orders: 0, value: 0 },
  topUpAtLeast: 0,
  howToTopUp: '',
  today: null,
} as const
const closes = '2026-11-21T20:30:00.000Z'

describe('when a float ends', () => {
  it.each([
    ['2026-11-21T19:50:00Z', '7:50pm'],
    ['2026-11-22T09:00:00Z', 'tomorrow morning'],
    ['2026-11-22T14:00:00Z', 'tomorrow afternoon'],
    ['2026-11-24T18:30:00Z', 'Tuesday evening'],
    ['2026-11-30T09:00:00Z', 'in 9 days, in the morning'],
  ])('%s is %s', (iso, words) => {
    expect(endWords(iso, now)).toBe(words)
  })

  it('is said before or after closing, and not at all while it is not known', () => {
    const said = (change: object) => lastsWords({ ...float, networks: [], ...change }, closes, now)
    expect(said({})).toBe('At today’s rate it lasts until 7:50pm, 40 min before you close.')
    expect(said({ emptyAt: '2026-11-22T14:00:00.000Z' })).toBe('Lasts past closing, until tomorrow afternoon.')
    expect(said({ emptyAt: null })).toBe('Lasts two weeks and more.')
    expect(said({ emptyAt: null, perHour: 0 })).toBe('Nothing was spent today.')
    expect(said({ emptyAt: null, perHour: null })).toBe('Too little happened today to say how long it lasts.')
    expect(said({ emptyAt: null, balance: null })).toBe('We read it every ten minutes.')
    expect(said({ emptyAt: null, perHour: null, balance: null })).toBe('We read it every ten minutes.')
  })

  it('has times as people say them', () => {
    expect(['2026-11-21T00:05:00Z', '2026-11-21T12:00:00Z', '2026-11-21T16:44:59Z'].map(clockTime)).toEqual([
      '12:05am',
      '12:00pm',
      '4:44pm',
    ])
    expect([10_000, 40 * 60_000, 60 * 60_000, 135 * 60_000].map(spanWords)).toEqual(['1 min', '40 min', '1 h', '2 h 15 min'])
  })
})

it.each([
  [[], [], 'no network goes there'],
  [['MTN'], [], 'MTN'],
  [[], ['AirtelTigo'], 'after others: AirtelTigo'],
  [['MTN'], ['AirtelTigo', 'Telecel'], 'MTN; after others: AirtelTigo, Telecel'],
] as const)('a supplier that is first for %j and further on for %j: %s', (networks, backsUp, words) => {
  expect(carriesWords({ networks: [...networks], backsUp: [...backsUp] })).toBe(words)
})
