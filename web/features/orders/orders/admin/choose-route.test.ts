import { expect, test } from 'vitest'
import type { Order } from '../../../../../shared/orders.ts'
import { chooseRoute } from './choose-route.ts'

const orderWith = (status: string) => ({ supplier: { name: 'hubnet', status } }) as Pick<Order, 'supplier'>
const routes = (...names: string[]) => names.map((to) => ({ to: to as 'hubnet', resting: false }))

test.each([
  ['rejected', routes('hubnet', 'remadata'), 'remadata'],
  ['failed', routes('hubnet', 'remadata', 'by-hand'), 'remadata'],
  ['rejected', routes('hubnet'), null],
  ['rejected', [...routes('hubnet'), { to: 'remadata' as const, resting: true }], null],
  ['unknown', routes('hubnet', 'remadata'), 'hubnet'],
])('of an order that is %s, the supplier that has just refused it is not chosen', (status, possible, chosen) => {
  expect(chooseRoute(possible, orderWith(status))).toBe(chosen)
})
