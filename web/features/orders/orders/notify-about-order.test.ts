import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Order } from '../../../../shared/orders.ts'
import * as api from '../../../lib/api.ts'
import { toasts } from '../../../ui/toast.ts'
import { notifyAboutOrder } from './notify-about-order.ts'

beforeEach(() => {
  vi.useFakeTimers()
  toasts.set([])
})
afterEach(() => {
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
})

const order = (id: string, status: Order['status'], supplierStatus: string | null = null) =>
  ({
    _id: id,
    number: '10231',
    network: 'MTN',
    offer: '10GB',
    receiver: '0244123456',
    totalAmount: 48,
    surcharge: 0,
    status,
    supplierStatus,
  }) as Order
const messages = () => toasts.get().map(({ message }) => message)

test('each change of an order is told once, however often it is announced', () => {
  notifyAboutOrder(order('a', 'pending'))
  notifyAboutOrder(order('a', 'pending', 'Being sent to network'))
  expect(messages()).toEqual([])
  for (const status of ['Sent to network', 'Sent to network', 'Delivered', 'Delivered']) notifyAboutOrder(order('a', 'pending', status))
  notifyAboutOrder(order('a', 'completed', 'Delivered'))
  expect(messages()).toEqual(['MTN has your order of 10GB for 024 412 3456.', 'Your 10GB has landed on 024 412 3456.'])
})

test('a refund is told also after the order was completed', () => {
  notifyAboutOrder(order('b', 'completed'))
  notifyAboutOrder(order('b', 'rejected'))
  expect(messages()).toEqual(['Order 10231 is completed.', 'Order 10231 was refunded: ¢48.00 is back in your wallet.'])
})

test('of a list on its way two orders are told, and the others together once it is quiet', () => {
  const said: string[] = []
  const stop = toasts.subscribe(() => said.push(...messages()))
  for (let count = 0; count < 300; count++) {
    notifyAboutOrder(order(`many${count}`, 'pending', 'Sent to network'))
    notifyAboutOrder(order(`many${count}`, count % 100 === 99 ? 'rejected' : 'completed'))
    vi.advanceTimersByTime(5_000)
  }
  expect([...new Set(said)]).toEqual(['MTN has your order of 10GB for 024 412 3456.', 'Order 10231 is completed.'])
  vi.advanceTimersByTime(60_000)
  expect([...new Set(said)].at(-1)).toBe('295 orders landed. 3 orders were refunded: ¢144.00 is back in your wallet.')
  stop()
})

test('a list is told once, when none of its orders is open; a refund after that is told by itself', async () => {
  const job = { _id: 'list-1', name: 'Saturday', pending: 2, completed: 8, rejected: 0, refunded: 0 }
  const asked = vi.spyOn(api, 'call').mockImplementation(() => Promise.resolve({ job: { ...job }, lines: [], next: null }) as never)
  const ofList = (id: string, status: Order['status']) => ({ ...order(id, status), list: 'list-1' })
  for (let count = 0; count < 8; count++) {
    notifyAboutOrder(ofList(`list${count}`, 'completed'))
    await vi.advanceTimersByTimeAsync(60_000)
  }
  expect([messages(), asked.mock.calls.length]).toEqual([[], 8])
  Object.assign(job, { pending: 0, completed: 9, rejected: 1, refunded: 48 })
  notifyAboutOrder(ofList('list8', 'completed'))
  notifyAboutOrder(ofList('list9', 'rejected'))
  await vi.advanceTimersByTimeAsync(60_000)
  const done = 'Your list Saturday is done: 9 orders landed. 1 order was refunded: ¢48.00 is back in your wallet.'
  expect([messages(), asked.mock.calls.length]).toEqual([[done], 9])
  notifyAboutOrder(ofList('list3', 'rejected'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect([messages(), asked.mock.calls.length]).toEqual([[done, 'Order 10231 was refunded: ¢48.00 is back in your wallet.'], 9])
})
