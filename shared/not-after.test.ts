import fc from 'fast-check'
import { expect, test } from 'vitest'
import { notAfter } from './not-after.ts'

const text = fc.string({ unit: fc.constantFrom('1', '2', 'g', 'b', ' ', '.', '😀', 'é'), maxLength: 40 })

test.each([
  ['g', notAfter(/\d.$/su, /\d?[gb😀]+/gu), /(?<!\d)\d?[gb😀]+/gu],
  ['no flag', notAfter(/[.\s].$/s, /\d+/), /(?<![.\s])\d+/],
  ['y', notAfter(/[g1].$/s, /[1b]+/y), /(?<![g1])[1b]+/y],
  ['i and more than one sign', notAfter(/^(?!.*\d\d\.$)/s, /\.\d/gi), /(?<=\d\d)\.\d/gi],
])('finds, replaces and splits as the lookbehind would: %s', (_name, ours, native) => {
  fc.assert(
    fc.property(text, fc.nat({ max: 41 }), (said, from) => {
      expect(said.replace(ours, '<$&>')).toBe(said.replace(native, '<$&>'))
      expect(said.split(ours)).toEqual(said.split(native))
      expect(said.match(ours)).toEqual(said.match(native))
      expect(said.search(ours)).toBe(said.search(native))
      if (native.global) expect([...said.matchAll(ours)]).toEqual([...said.matchAll(native)])
      ours.lastIndex = native.lastIndex = from
      for (let times = 0; times < 3; times++) {
        expect(ours.exec(said)).toEqual(native.exec(said))
        expect(ours.lastIndex).toBe(native.lastIndex)
      }
    }),
    { numRuns: 500 },
  )
})
