import { expect, test } from 'vitest'
import { readAdjustment } from './read-adjustment.ts'

test.each([
  ['+3 %', { percent: 3 }],
  ['3%', { percent: 3 }],
  ['-12%', { percent: -12 }],
  ['− 12 %', { percent: -12 }],
  ['0.20', { pesewas: 20 }],
  ['+¢1', { pesewas: 100 }],
  ['-0,50', { pesewas: -50 }],
  ['0', null],
  ['0 %', null],
  ['-100 %', null],
  ['301 %', null],
  ['2.5 %', null],
  ['five', null],
  ['', null],
])('a change of %j is read', (text, adjustment) => {
  expect(readAdjustment(text)).toEqual(adjustment)
})
