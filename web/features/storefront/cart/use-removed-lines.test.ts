import { expect, it } from 'vitest'
import type { CartItem } from './cart.ts'
import { placeLines } from './use-removed-lines.ts'

const line = (id: string): CartItem => ({
  id,
  productId: 'p',
  service: 'MTN',
  phoneNumber: '0241234567',
  offer: '1GB',
  amount: 5,
  image: '',
})
const shown = (items: string[], removed: [string, number][]) =>
  placeLines(
    items.map(line),
    removed.map(([id, at]) => ({ item: line(id), at })),
  ).map(({ item, number }) => `${item.id}${number ?? '-'}`)

it('a removed line keeps its place, and the others are numbered without it', () => {
  expect(shown(['a', 'b'], [])).toEqual(['a1', 'b2'])
  expect(shown(['b', 'c'], [['a', 0]])).toEqual(['a-', 'b1', 'c2'])
})

it('several do, in whatever order they were removed', () => {
  expect(
    shown(
      ['b', 'e'],
      [
        ['d', 3],
        ['a', 0],
        ['c', 2],
      ],
    ),
  ).toEqual(['a-', 'b1', 'c-', 'd-', 'e2'])
})

it('the last one does when the cart has become shorter by itself', () => {
  expect(shown([], [['c', 2]])).toEqual(['c-'])
})
