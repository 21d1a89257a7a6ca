import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPesewas, MAX_AMOUNT_PESEWAS } from '../money.ts'
import { MOBILE_PREFIXES } from '../phones.ts'
import { readAmount } from './read-amount.ts'
import { readDate } from './read-date.ts'
import { readPhone } from './read-phone.ts'
import { readQuantity } from './read-quantity.ts'
import { readState, type SaidState, stateWords } from './read-state.ts'
import { meantByBinary, readVolume } from './read-volume.ts'
import { plainText, type Reading, valueIn } from './reading.ts'

/** Tokens that belong to no value; beside or inside one they make it doubtful, or leave it as it is. */
const FOREIGN = [
  ...[
    'x',
    'k',
    'or',
    'about',
    'days',
    'cancel',
    'not',
    'No',
    'half',
    'per',
    'each',
    'TB',
    'm³',
    'O',
    'l',
    'e5',
    '$',
    '%',
    '?',
    '/',
    '\\',
    '=',
    ';',
    '&',
    '~',
  ],
  ...[
    '❌',
    '²',
    '½',
    '٥',
    '|',
    '<',
    ' 7 ',
    ' 12 ',
    ' 0.5 ',
    ' 2026 ',
    '\u200b8\u200b',
    '--',
    '..',
    ',,',
    ' - ',
    ' x2 ',
    ' +1 ',
    'ten',
    ' & 3 ',
  ],
]
const foreign = fc.constantFrom(...FOREIGN)

/** Holds for any way to write a value that is read, and a token at its beginning, its end or inside. */
function neverAnother<T>(
  written: fc.Arbitrary<{ text: string; value: T }>,
  read: (text: string) => Reading<T>,
  { tokens = foreign, isAnother = (_text: string): boolean => false } = {},
) {
  fc.assert(
    fc.property(written, tokens, fc.nat(), fc.constantFrom('before', 'after', 'inside'), ({ text, value }, token, at, where) => {
      const cut = where === 'before' ? 0 : where === 'after' ? text.length : at % (text.length + 1)
      const longer = text.slice(0, cut) + token + text.slice(cut)
      const reading = read(longer)
      if (reading.kind === 'read' && !isAnother(longer)) expect({ longer, value: reading.value }).toEqual({ longer, value })
    }),
    { numRuns: 5_000 },
  )
}

function comesBack<T>(written: fc.Arbitrary<{ text: string; value: T }>, read: (text: string) => Reading<T>) {
  fc.assert(
    fc.property(written, ({ text, value }) => {
      expect({ text, reading: read(text) }).toEqual({ text, reading: { kind: 'read', value } })
    }),
    { numRuns: 2_000 },
  )
}

const padding = fc.constantFrom('', ' ', '\u00a0', '\u200e', '\ufeff', '\t')
const hyphen = fc.constantFrom('-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212', '\ufe63', '\uff0d')

describe('an amount', () => {
  const pesewas = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: MAX_AMOUNT_PESEWAS }))
  const signs: [group: string, decimal: string][] = [
    ['', '.'],
    ['', ','],
    [',', '.'],
    ['.', ','],
    [' ', ','],
    ['\u00a0', ','],
    ['\u202f', ','],
    ["'", '.'],
    ['’', '.'],
  ]
  const written = fc
    .record({
      value: pesewas,
      signs: fc.constantFrom(...signs),
      around: fc.constantFrom(
        ['', ''],
        ['¢', ''],
        ['¢ ', ''],
        ['GH₵ ', ''],
        ['GH¢', ''],
        ['GHS', ''],
        ['ghs ', ''],
        ['GHC ', ''],
        ['Gh. ', ''],
        ['', ' cedis'],
        ['', 'GHS'],
        ['', ' Ghana cedis.'],
        ['+', ''],
      ),
      before: padding,
      after: padding,
    })
    .map(({ value, signs: [group, decimal], around: [head, tail], before, after }) => ({
      text: before + head + formatPesewas(value).replace(/[.,]/g, (sign) => (sign === ',' ? group : decimal)) + tail + after,
      value,
    }))

  test('comes back from every way of writing it', () => comesBack(written, readAmount))
  test('is never another one with a token too many', () =>
    // Three digits and a comma behind a space go on with the number before them: that is one way of writing it.
    neverAnother(written, readAmount, { isAnother: (text) => /\d \d{3},\d\d/.test(plainText(text)) }))

  test('below zero is read where that is allowed, and refused elsewhere', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_AMOUNT_PESEWAS }), hyphen, (value, minus) => {
        const text = `${minus}${formatPesewas(value)}`
        expect(readAmount(text, { negative: true })).toEqual({ kind: 'read', value: -value })
        expect(readAmount(text)).toEqual({ kind: 'doubtful', text, reasons: ['An amount here can’t be below zero.'], candidates: [] })
      }),
    )
  })

  test.each([
    ['55,50', 5550],
    ['1,500.00', 150_000],
    ['.50', 50],
    [',5', 50],
    ['5', 500],
    ['00050', 5000],
    ['1.234.567', 123_456_700],
    ['50 pesewas', 50],
    ['5 cedis 50 pesewas', 550],
    ['10000000', MAX_AMOUNT_PESEWAS],
    ['-0', 0],
    ['５５.５０', 5550],
  ])('%j is %d pesewas', (text, value) => {
    expect(readAmount(text, { negative: true })).toEqual({ kind: 'read', value })
  })

  test.each([
    ['1,500', [150_000, 150]],
    ['1.500', [150_000, 150]],
    ['12.345', [1_234_500]],
    ['1 500', [150_000]],
    ['50p', [50]],
    ['5.505', [550_500]],
    ['5.5005', []],
    ['12 100.00', [1_210_000]],
    ['5.', []],
    ['.', []],
    ['5 5', []],
    ['1,23,456', []],
    ['1,234 567', []],
    ['--5', []],
    ['-GHS -5', []],
    ['(50)', []],
    ['60-', []],
    ['1e3', []],
    ['0x10', []],
    ['5²', []],
    ['٥', []],
    ['10-20', []],
    ['1/2', []],
    ['10000000.01', []],
    ['99999999999999999999', []],
  ])('%j is asked about', (text, candidates) => {
    expect(readAmount(text)).toMatchObject({ kind: 'doubtful', text, candidates })
  })

  test('names the sign that is too much', () => {
    expect(['12x', 'GHS 5k', '$50', '5 GB'].map((text) => readAmount(text))).toMatchObject(
      ['x', 'k', '$', 'GB'].map((sign) => ({ reasons: [`“${sign}” is not part of an amount.`] })),
    )
  })

  test('of a column has its decimal sign', () => {
    expect(readAmount('1,500', { decimalSign: ',' })).toEqual({ kind: 'read', value: 150 })
    expect(readAmount('1,500', { decimalSign: '.' })).toEqual({ kind: 'read', value: 150_000 })
    expect(readAmount('55,50', { decimalSign: '.' })).toMatchObject({ kind: 'doubtful', candidates: [5550] })
  })

  test('that is blank is nothing', () => {
    expect(['', ' ', '\u200b', '\ufeff'].map((text) => readAmount(text))).toEqual(Array(4).fill({ kind: 'nothing' }))
  })
})

describe('a volume', () => {
  const units: [string, number][] = [
    ['GB', 1000],
    ['gb', 1000],
    ['Gb', 1000],
    ['gig', 1000],
    ['gigs', 1000],
    ['G', 1000],
    ['gigabytes', 1000],
    ['MB', 1],
    ['mb', 1],
    ['megs', 1],
  ]
  const written = fc
    .record({
      tenths: fc.integer({ min: 1, max: 9_999 }),
      unit: fc.constantFrom(...units),
      decimal: fc.constantFrom('.', ','),
      gap: fc.constantFrom('', ' ', '\u00a0'),
      before: padding,
    })
    .map(({ tenths, unit: [unit, megabytes], decimal, gap, before }) => {
      const whole = megabytes === 1 ? tenths * 10 : tenths
      return { text: `${before}${String(whole / 10).replace('.', decimal)}${gap}${unit}`, value: (whole / 10) * megabytes }
    })
    .map(({ text, value }) => ({ text, value: Math.round(value) }))

  test('comes back from every way of writing it', () => comesBack(written, readVolume))
  test('is never another one with a token too many', () => neverAnother(written, readVolume))

  test.each([
    ['1,5gb', 1500],
    ['0,5gb', 500],
    ['2,5 GB', 2500],
    ['1,000MB', 1000],
    ['1.500GB', 1500],
    ['.5GB', 500],
    ['5gb.', 5000],
    ['1024MB', 1024],
  ])('%j is %d MB', (text, value) => {
    expect(readVolume(text)).toEqual({ kind: 'read', value })
  })

  test.each([
    ['1/2gb', [500]],
    ['½ GB', [500]],
    ['half a gb', [500]],
    ['2½GB', [2500]],
    ['1 .5gb', [1500]],
    ['1,500GB', [1500, 1_500_000]],
    ['1.500MB', [1500]],
    ['5', []],
    ['0GB', []],
    ['1.5MB', []],
    ['1 2GB', []],
    ['5GB 2GB', []],
    ['5-10GB', []],
    ['5TB', []],
    ['5GB+', []],
    ['9999999999GB', []],
  ])('%j is asked about', (text, candidates) => {
    expect(readVolume(text)).toMatchObject({ kind: 'doubtful', candidates })
  })

  test('without a unit has that of its column', () => {
    expect([readVolume('1,5', { bare: 'GB' }), readVolume('500', { bare: 'MB' })].map(valueIn)).toEqual([1500, 500])
  })

  test('of a computer means the one that is sold', () => {
    expect([1024, 512, 2048, 10_240, 1000, 1025, 0].map(meantByBinary)).toEqual([1000, 500, 2000, 10_000, null, null, null])
  })
})

describe('a quantity', () => {
  const written = fc
    .record({
      value: fc.integer({ min: 1, max: 999 }),
      way: fc.constantFrom('x#', '#x', '*#', '× #', '# times', '#pcs', 'qty #', 'Qty: #', 'X#.'),
    })
    .map(({ value, way }) => ({ text: way.replace('#', String(value)), value }))
  test('comes back from every way of writing it', () => comesBack(written, readQuantity))
  test('is never another one with a token too many', () => neverAnother(written, readQuantity))
  test.each([
    ['twice', 2],
    ['Thrice', 3],
    ['once', 1],
  ])('%s is %d', (text, value) => {
    expect(readQuantity(text)).toEqual({ kind: 'read', value })
  })
  test('alone is asked about, and nothing is no quantity', () => {
    expect(readQuantity('3')).toMatchObject({ kind: 'doubtful', candidates: [3] })
    expect(readQuantity('3', { bare: true })).toEqual({ kind: 'read', value: 3 })
    expect(readQuantity('x0')).toMatchObject({ kind: 'doubtful', candidates: [] })
  })
})

describe('a phone number', () => {
  const ways = [
    '0ab cde fghi',
    '0abcdefghi',
    '+233 ab cde fghi',
    '233abcdefghi',
    '00233abcdefghi',
    '+233 (0)ab cde fghi',
    '(0ab) cde-fghi',
    '0ab-cde-fghi',
    '0ab.cde.fghi',
    'abcdefghi',
    'tel:+233abcdefghi',
    '0abcdefghi.0',
    '0 a b c d e f g h i',
  ]
  const written = fc
    .record({
      prefix: fc.constantFrom(...Object.values(MOBILE_PREFIXES).flat()),
      rest: fc.stringMatching(/^\d{7}$/),
      way: fc.constantFrom(...ways),
      dash: hyphen,
      before: padding,
    })
    .filter(({ prefix, way }) => way !== 'abcdefghi' || prefix !== '023')
    .map(({ prefix, rest, way, dash, before }) => {
      const value = `${prefix}${rest}`
      return {
        text:
          before +
          way
            .replace(/(?<![a-z])[a-i]+/g, (group) => [...group].map((letter) => value['abcdefghi'.indexOf(letter) + 1]).join(''))
            .replaceAll('-', dash),
        value,
      }
    })

  test('comes back from every way of writing it', () => comesBack(written, readPhone))
  test('is never another one with a token too many', () => neverAnother(written, readPhone))

  test.each([
    ['024412345', '9 digits, one is missing.', []],
    ['0244O05512', 'A letter is in the number. Did you mean 024 400 5512?', ['0244005512']],
    ['0285551234', 'No network uses 028. Check the number.', []],
    ['02455501333', '11 digits, a number has 10.', []],
    ['2.33244E+11', 'Excel cut this number. Make its column text, then copy it again.', []],
    ['0233241234567', 'Is that one number?', ['0241234567']],
    ['Ama', 'That is not a phone number.', []],
  ])('%j is asked about', (text, reason, candidates) => {
    expect(readPhone(text)).toEqual({ kind: 'doubtful', text, reasons: [reason], candidates })
  })
  test('of a spreadsheet that kept all its digits is read', () => {
    expect(readPhone('2.33244123456E+11')).toEqual({ kind: 'read', value: '0244123456' })
  })
})

describe('a time', () => {
  const two = (value: number) => String(value).padStart(2, '0')
  const months = 'January February March April May June July August September October November December'.split(' ')
  const written = fc
    .record({
      at: fc.date({ min: new Date('2001-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
      day: fc.constantFrom('iso', 'dmy', 'short', 'named', 'american'),
      time: fc.constantFrom('none', '24', '12', 'minutes'),
    })
    .map(({ at, day, time }) => {
      const [y, m, d, h, min, s] = [
        at.getUTCFullYear(),
        at.getUTCMonth(),
        at.getUTCDate(),
        at.getUTCHours(),
        at.getUTCMinutes(),
        at.getUTCSeconds(),
      ]
      const name = months[m] as string
      const days = {
        iso: `${y}-${two(m + 1)}-${two(d)}`,
        dmy: `${two(d)}/${two(m + 1)}/${y}`,
        short: `${d}.${m + 1}.${two(y % 100)}`,
        named: `${d}-${name.slice(0, 3)}-${y}`,
        american: `${name} ${d}, ${y}`,
      }
      const times = {
        none: '',
        '24': ` ${two(h)}:${two(min)}:${two(s)}`,
        '12': ` ${h % 12 || 12}:${two(min)}:${two(s)} ${h < 12 ? 'AM' : 'PM'}`,
        minutes: `, ${h}:${two(min)}`,
      }
      const seconds = time === 'none' ? 0 : h * 3600 + min * 60 + (time === 'minutes' ? 0 : s)
      return { text: days[day] + times[time], value: { at: new Date(Date.UTC(y, m, d) + seconds * 1000), hasTime: time !== 'none' } }
    })
  const daysFirst = (text: string) => readDate(text, { order: 'dmy' })

  test('comes back from every way of writing it', () => comesBack(written, daysFirst))
  test('is never another one with a token too many', () =>
    neverAnother(written, daysFirst, { tokens: foreign.filter((token) => !/^[\s\u200b]*\d/.test(token)) }))

  test.each([
    ['27-Nov-2026 12:15:22 AM', '2026-11-27T00:15:22.000Z'],
    ['11/27/2026 10:15:22 PM', '2026-11-27T22:15:22.000Z'],
    ['27/11/2026 12:15 pm', '2026-11-27T12:15:00.000Z'],
    ['Fri, 27th November 2026 at 04:52', '2026-11-27T04:52:00.000Z'],
    ['2026-11-27T04:52:00.123Z', '2026-11-27T04:52:00.000Z'],
    ['29/02/2024', '2024-02-29T00:00:00.000Z'],
    ['5/5/2026', '2026-05-05T00:00:00.000Z'],
  ])('%j is %s', (text, iso) => {
    expect(valueIn(readDate(text))?.at.toISOString()).toBe(iso)
  })

  test.each([
    ['31/02/2026 10:00', 0],
    ['27/11/2026 25:99', 0],
    ['27/11/2026 13:00 AM', 0],
    ['29/02/2026', 0],
    ['27/11/2026 04:52 +01:00', 0],
    ['3/4/2026', 2],
    ['yesterday', 0],
    ['27/11', 0],
  ])('%j is asked about', (text, candidates) => {
    expect(readDate(text)).toMatchObject({ kind: 'doubtful', candidates: { length: candidates } })
  })

  test('has the order and the clock of its column', () => {
    expect(valueIn(readDate('3/4/2026', { order: 'mdy' }))?.at.toISOString()).toBe('2026-03-04T00:00:00.000Z')
    expect(readDate('27/11/2026', { order: 'mdy' })).toMatchObject({ kind: 'doubtful', candidates: [] })
    expect(readDate('27/11/2026 4:52', { clock: 12 })).toMatchObject({ kind: 'doubtful', candidates: { length: 2 } })
  })
})

describe('a state', () => {
  const states: Record<SaidState, string[]> = {
    delivered: [
      'Delivered',
      'SUCCESSFUL',
      'completed',
      'Order was delivered',
      'Status: Success',
      'delivered: Yes',
      '✅ Done',
      'Sent successfully',
    ],
    failed: [
      'FAILED',
      'Not delivered',
      'Rejected',
      'failed: number barred',
      'Order cancelled',
      'FAILED (not enough credit)'.replace('not', 'low'),
    ],
    open: ['Pending', 'AWAITING DELIVERY', 'To be delivered', 'Being processed', 'Order not yet delivered', 'In progress'],
  }
  const written = fc.constantFrom(
    ...(Object.keys(states) as SaidState[]).flatMap((value) => states[value].map((text) => ({ text, value }))),
  )
  test('comes back from each phrase', () => comesBack(written, readState))
  test('is never another one with a token too many', () => neverAnother(written, readState))

  const other = [
    'no',
    'not',
    'NO',
    'false',
    'never',
    'un',
    'partly',
    'to be',
    'awaiting',
    'cancelled',
    'failed',
    'reversed',
    'back',
    '0',
    '?',
    '❌',
    'yet',
    'almost',
    'likely',
  ]
  test('of delivery is read with no other word beside it', () => {
    for (const word of other) {
      for (const text of states.delivered.flatMap((phrase) => [`${word} ${phrase}`, `${phrase} ${word}`, `${phrase}: ${word}`])) {
        expect({ text, state: valueIn(readState(text)) }).not.toEqual({ text, state: 'delivered' })
      }
    }
  })

  test.each([
    'Not completed',
    'NOT PROCESSED',
    'Not credited',
    'not approved',
    'Delivered: No',
    'Success: false',
    'Sent back',
    'Failed: no',
    'Error: none',
    'Success 0',
    'Undelivered but sent',
    'Delivered?',
    'Failed, then delivered',
    'wasn’t delivered',
    'non-delivered',
  ])('%j is asked about', (text) => {
    expect(readState(text)).toMatchObject({ kind: 'doubtful', text, candidates: [] })
  })
  test('is asked about once however it is written', () => {
    expect(['Sent back', 'SENT  BACK!', '“sent” back'.replace(/[“”]/g, '"')].map((text) => stateWords(text).join(' '))).toEqual(
      Array(3).fill('sent back'),
    )
  })
})

test('a text is plain without losing what it says', () => {
  expect(plainText('\u200e 0244‑100‐014\u00a0\u200b5gb\ufe0f ')).toBe('0244-100-014 5gb')
})
