import { expect, test } from 'vitest'
import { readAdjustment } from './read-adjustment.ts'
import { readAmount } from './read-amount.ts'

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

test.each([
  ['5.5', 550],
  ['¢5.50', 550],
  ['GHS 5.50', 550],
  ['5,50', 550],
  ['1,234.50', 123_450],
  ['.50', 50],
  ['', null],
  [' ', null],
  ['0', 'wrong'],
  ['-1', 'wrong'],
  ['5.505', 'wrong'],
  ['5.5.5', 'wrong'],
  ['abc', 'wrong'],
])('an amount typed as %j is read', (text, amount) => {
  expect(readAmount(text)).toBe(amount)
})
