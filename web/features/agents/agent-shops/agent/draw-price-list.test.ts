import { expect, test } from 'vitest'
import type { Network } from '../../../../../shared/networks.ts'
import { arrange } from './draw-price-list.ts'

const some = (network: Network, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    productId: network,
    network,
    image: '',
    offer: `${index + 1}GB (30 days)`,
    price: index + 5,
  }))

test('a short price list has four columns, and the note apart from the name', () => {
  const { columns, left, groups } = arrange([...some('MTN', 8), ...some('Telecel', 4)])
  expect({ columns, left }).toEqual({ columns: 4, left: 0 })
  expect(groups[0]?.offers[0]).toMatchObject({ name: '1GB', note: '30 days', price: 5 })
})

test('a long price list has smaller tiles, and counts what it leaves out of the longest networks', () => {
  const { columns, left, groups } = arrange([...some('MTN', 40), ...some('Telecel', 9), ...some('AFA', 1)])
  expect(columns).toBe(6)
  expect(left).toBeGreaterThan(0)
  expect(groups.map(({ network, offers }) => [network, offers.length])).toEqual([
    ['MTN', 40 - left],
    ['Telecel', 9],
    ['AFA', 1],
  ])
})
