import { describe, expect, test } from 'vitest'
import { editGhanaCard } from './edit-ghana-card.ts'

/** A field with keys, as a browser has it. */
function field(text = '', caret = text.length) {
  const state = { text, caret }
  const put = (typed: string, at: number) => Object.assign(state, editGhanaCard(typed, at))
  return {
    state,
    type: (keys: string) => {
      for (const key of keys) put(state.text.slice(0, state.caret) + key + state.text.slice(state.caret), state.caret + 1)
    },
    backspace: () => {
      if (state.caret > 0) put(state.text.slice(0, state.caret - 1) + state.text.slice(state.caret), state.caret - 1)
    },
    moveTo: (at: number) => Object.assign(state, { caret: at }),
  }
}

describe('a Ghana Card number', () => {
  test('is grouped while its digits are typed', () => {
    const { state, type } = field()
    type('7123456789')
    expect(state).toEqual({ text: 'GHA-712345678-9', caret: 15 })
  })

  test('keeps its own letters, and a letter among the digits until it is corrected', () => {
    const { state, type, backspace } = field()
    type('fgn 12x')
    expect(state).toEqual({ text: 'FGN-12x', caret: 7 })
    backspace()
    type('3')
    expect(state).toEqual({ text: 'FGN-123', caret: 7 })
  })

  test('is corrected inside: the new digit stands where the wrong one was', () => {
    const { state, type, backspace, moveTo } = field('GHA-712345670-9')
    moveTo(7)
    backspace()
    expect(state).toEqual({ text: 'GHA-713456709', caret: 6 })
    type('5')
    expect(state).toEqual({ text: 'GHA-715345670-9', caret: 7 })
  })

  test('is taken away to the end by one key, past its dashes', () => {
    const { state, backspace } = field('GHA-712345678-9')
    for (let presses = 0; presses < 16; presses++) backspace()
    expect(state).toEqual({ text: '', caret: 0 })
  })
})
