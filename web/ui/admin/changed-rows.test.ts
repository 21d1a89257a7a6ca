import { expect, test } from 'vitest'
import { findChanged } from './changed-rows.ts'

const row = (_id: string, status = 'pending') => ({ _id, status })
const versionOf = ({ status }: { status: string }) => status
const before = new Map([
  ['3', 'pending'],
  ['2', 'pending'],
])

test('a row that another admin decided counts as changed', () => {
  expect(findChanged([row('3'), row('2', 'completed')], versionOf, before)).toEqual(['2'])
})

test('a new row on top counts as changed, one that moved up from the next page does not', () => {
  expect(findChanged([row('4'), row('3'), row('2')], versionOf, before)).toEqual(['4'])
  expect(findChanged([row('3'), row('1')], versionOf, before)).toEqual([])
})

test('the first row of a list that was empty counts as changed', () => {
  expect(findChanged([row('1')], versionOf, new Map())).toEqual(['1'])
})
