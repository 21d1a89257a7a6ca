import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMobilePhone, MOBILE_PREFIXES, normalisePhone } from '../../shared/phones.ts'
import { completedPhone, editPhone, foreignCharacters, groupedPhone } from './phone-text.ts'

/** A field as in a browser: keys change the text at the caret, and the field replies what it shows. */
function field(text = '', caret = text.length) {
  const state = { text, caret, leftOut: '' }
  const edit = (after: string, at: number, inputType: string) => Object.assign(state, editPhone(state.text, after, at, inputType))
  const insert = (what: string, inputType: string) =>
    edit(state.text.slice(0, state.caret) + what + state.text.slice(state.caret), state.caret + what.length, inputType)
  return {
    state,
    type: (keys: string) => {
      for (const key of keys) insert(key, 'insertText')
    },
    paste: (what: string) => insert(what, 'insertFromPaste'),
    backspace: () => {
      if (state.caret > 0)
        edit(state.text.slice(0, state.caret - 1) + state.text.slice(state.caret), state.caret - 1, 'deleteContentBackward')
    },
    deleteKey: () => {
      if (state.caret < state.text.length)
        edit(state.text.slice(0, state.caret) + state.text.slice(state.caret + 1), state.caret, 'deleteContentForward')
    },
  }
}

const mobileNumber = fc
  .tuple(fc.constantFrom(...Object.values(MOBILE_PREFIXES).flat()), fc.integer({ min: 0, max: 9_999_999 }))
  .map(([prefix, rest]) => `${prefix}${rest.toString().padStart(7, '0')}`)

describe('a number typed key by key or pasted', () => {
  const ways: [string, (number: string) => string][] = [
    ['as it is', (number) => number],
    ['in groups', (number) => groupedPhone(number)],
    ['in brackets', (number) => `(${number.slice(0, 3)}) ${number.slice(3)}`],
    ['with dashes', (number) => `${number.slice(0, 3)}-${number.slice(3, 6)}-${number.slice(6)}`],
    ['with +233', (number) => `+233${number.slice(1)}`],
    ['with +233 and spaces', (number) => `+233 ${number.slice(1, 3)} ${number.slice(3)}`],
    ['with +233 (0)', (number) => `+233 (0)${number.slice(1)}`],
    ['with 00233', (number) => `00233${number.slice(1)}`],
    ['with 233', (number) => `233${number.slice(1)}`],
  ]
  test.each(ways)('%s becomes the same ten digits in groups', (_name, write) => {
    fc.assert(
      fc.property(mobileNumber, fc.boolean(), (number, typed) => {
        const { state, type, paste } = field()
        if (typed) type(write(number))
        else paste(write(number))
        expect(state).toEqual({ text: groupedPhone(number), caret: 12, leftOut: '' })
        expect(normalisePhone(state.text)).toBe(number)
      }),
    )
  })

  test('without its 0 is that number, and shows the 0 once the field is left', () => {
    const { state, type } = field()
    type('241234567')
    expect(normalisePhone(state.text)).toBe('0241234567')
    expect(completedPhone(state.text)).toBe('024 123 4567')
  })

  test('with a country code and too few digits is never taken for a whole one', () => {
    fc.assert(
      fc.property(mobileNumber, fc.integer({ min: 4, max: 11 }), fc.constantFrom('233', '00233'), (number, length, code) => {
        const { state, type } = field()
        type(`${code}${number.slice(1)}`.slice(0, length))
        return !isMobilePhone(normalisePhone(completedPhone(state.text)))
      }),
    )
  })

  test('that has ten digits takes no eleventh key, at its end or inside', () => {
    for (const caret of [0, 3, 4, 12]) {
      const { state, type } = field('024 123 4567', caret)
      type('9')
      expect(state.text).toBe('024 123 4567')
    }
  })

  test('and typed with an eleventh digit says that it was left out, until the number is corrected', () => {
    const { state, type, backspace } = field()
    type('02441234567')
    expect(state).toEqual({ text: '024 412 3456', caret: 12, leftOut: '7' })
    backspace()
    expect(state.leftOut).toBe('')
    const inside = field('024 123 4567', 4)
    inside.type('9')
    expect(inside.state.leftOut).toBe('9')
  })

  test('and pasted with too many digits says which were left out', () => {
    const { state, paste } = field()
    paste('024 123 4567 89')
    expect(state).toEqual({ text: '024 123 4567', caret: 12, leftOut: '89' })
  })

  test('of an older account is kept as it is', () => {
    const { state, type } = field()
    type('2412345678')
    expect(normalisePhone(completedPhone(state.text))).toBe('2412345678')
  })
})

test('characters that no phone number has are named, those in which people write one are not', () => {
  for (const written of [
    '+233 24 412 3456',
    '(024) 412-3456',
    '024.412.3456',
    '00233/244123456',
    '024\u2011412\u00a03456',
    '\u202a0244123456',
  ]) {
    expect(foreignCharacters(written)).toBe('')
  }
  expect(foreignCharacters('O24 412 345l')).toBe('Ol')
  expect(foreignCharacters('024#412*')).toBe('#*')
  expect(foreignCharacters('-60')).toBe('-')
  expect(foreignCharacters('abcdefghijklmnopq')).toHaveLength(12)
})

test('a foreign character takes no digit that was typed', () => {
  const { state, type } = field()
  type('02x4 41b2 3456')
  expect(state).toMatchObject({ text: '024 412 3456', leftOut: '' })
})

describe('the caret', () => {
  test('stays behind the digit that was typed inside', () => {
    const { state, type } = field('024 456 7', 3)
    type('123')
    expect(state).toMatchObject({ text: '024 123 4567', caret: 7 })
  })

  test.each([
    ['backward', 'backspace'],
    ['forward', 'deleteKey'],
  ] as const)('deletes every digit %s, one at a press', (_name, key) => {
    const keys = field('024 123 4567', key === 'backspace' ? 12 : 0)
    for (let left = 9; left >= 0; left--) {
      keys[key]()
      expect(keys.state.text.replace(/\D/g, '')).toHaveLength(left)
    }
  })

  test('at a space deletes the digit beside it', () => {
    const back = field('024 123 4567', 4)
    back.backspace()
    expect(back.state).toMatchObject({ text: '021 234 567', caret: 2 })
    const forward = field('024 123 4567', 3)
    forward.deleteKey()
    expect(forward.state).toMatchObject({ text: '024 234 567', caret: 3 })
  })

  test('can take away the 0, which does not come back under the finger', () => {
    const { state, backspace } = field('024 123 4567', 1)
    backspace()
    expect(state).toMatchObject({ text: '24 123 4567', caret: 0 })
  })
})
