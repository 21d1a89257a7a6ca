import { expect, test } from 'vitest'
import type { Order } from '../../../../../shared/orders.ts'
import { keepDecided } from './use-kept-rows.ts'

const order = (number: number, status = 'pending') => ({ _id: `id ${number}`, number: String(number), status }) as Order
const numbers = (rows: readonly Order[]) => rows.map(({ number }) => Number(number))

test('an order that was decided keeps its place in the list of those to decide', () => {
  const before = [order(9), order(8, 'completed'), order(7)]
  expect(numbers(keepDecided(before, [order(9), order(7), order(6)]))).toEqual([9, 8, 7, 6])
})

test('one that went elsewhere undecided leaves, and a new one comes', () => {
  expect(numbers(keepDecided([order(9), order(8)], [order(10), order(8)]))).toEqual([10, 8])
})
