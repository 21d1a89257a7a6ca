import { describe, expect, test } from 'vitest'
import type { Order } from '../../../../../shared/orders.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../../../../shared/suppliers.ts'
import { addToSelection, asksForReason, asksForReasonAlone, listsToCopy, planDecisions, toRequest } from './plan-decisions.ts'

const order = (id: string, standing: DeliveryStatus | null = null, network = 'MTN') =>
  ({ _id: id, network, supplier: standing && { name: 'hubnet', status: standing } }) as unknown as Order
const held = (id: string, standing: DeliveryStatus | null = null) => ({ ...order(id, standing), onHold: 'the payer disputes it' })
const many = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => order(String(from + index)))
const every = () => [order('by hand'), ...DELIVERY_STATUSES.map((standing) => order(standing, standing))]

describe('a selection', () => {
  test('takes all that fits, also if it holds some of the page already', () => {
    const selected = addToSelection(many(0, 60), many(30, 80), 100)
    expect([...selected.keys()]).toEqual(many(0, 80).map(({ _id }) => _id))
  })

  test('keeps what was chosen first once it is full', () => {
    const selected = addToSelection(many(0, 80), many(70, 130), 100)
    expect([...selected.keys()]).toEqual(many(0, 100).map(({ _id }) => _id))
  })
})

describe('many decisions at once', () => {
  test('set aside orders that a supplier will get, has or has delivered, grouped by status', () => {
    const { ready, aside } = planDecisions(every())
    expect(ready.map(({ _id }) => _id)).toEqual(['by hand', 'rejected', 'failed', 'cancelled'])
    expect(aside.map(({ title, orders }) => [title, orders.map(({ _id }) => _id)])).toEqual([
      ['With a supplier', ['sending', 'accepted']],
      ['Delivered', ['delivered']],
      ['Unclear', ['unknown']],
      ['Not sent yet', ['waiting']],
    ])
  })

  test('set aside orders on hold, whatever their supplier says, and never include them', () => {
    const { ready, aside } = planDecisions([order('free'), held('held'), held('at supplier', 'accepted')])
    expect(ready.map(({ _id }) => _id)).toEqual(['free'])
    expect(aside.map(({ title, orders, locked }) => [title, orders.map(({ _id }) => _id), locked])).toEqual([
      ['On hold', ['held', 'at supplier'], true],
    ])
  })

  test('name the ticked orders with the status that was seen, and the reason', () => {
    const [byHand, waiting] = [order('a'), order('b', 'waiting')]
    expect(toRequest([byHand], [], 'completed', ' ')).toEqual({ ids: ['a'], status: 'completed' })
    expect(toRequest([byHand], [waiting], 'rejected', ' out of stock ')).toEqual({
      ids: ['a', 'b'],
      status: 'rejected',
      chosen: { orders: [{ id: 'b', supplierStatus: 'waiting' }], reason: 'out of stock' },
    })
  })

  test('ask for a reason where the server does', () => {
    const asked = (status: 'completed' | 'rejected') =>
      every()
        .filter((one) => asksForReason([one], status))
        .map(({ _id }) => _id)
    expect(asked('rejected')).toEqual(['accepted', 'unknown', 'delivered'])
    expect(asked('completed')).toEqual(['waiting', 'sending', 'accepted', 'unknown'])
  })
})

test('one order by itself asks for a reason while it is on hold, and to be rejected while a supplier has it', () => {
  const cases = [order('by hand'), held('held'), order('accepted', 'accepted'), held('both', 'waiting')]
  expect(cases.map((one) => asksForReasonAlone(one, 'completed'))).toEqual([false, true, false, true])
  expect(cases.map((one) => asksForReasonAlone(one, 'rejected'))).toEqual([false, true, true, true])
})

test('only orders to be done by hand are copied, one network at a time', () => {
  const lists = listsToCopy([...every(), held('h'), order('t', null, 'Telecel'), order('s', 'accepted', 'AirtelTigo')])
  expect(lists.map(({ network, orders }) => [network, orders.map(({ _id }) => _id)])).toEqual([
    ['MTN', ['by hand', 'rejected', 'failed', 'cancelled']],
    ['Telecel', ['t']],
  ])
})
