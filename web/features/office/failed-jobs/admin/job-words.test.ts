import { describe, expect, it } from 'vitest'
import type { FailedJob } from '../../../../../shared/jobs.ts'
import { dismissConsequence, jobWords, queueWords, retryConsequence } from './job-words.ts'

type Job = Pick<FailedJob, 'queue' | 'data' | 'order' | 'messageTo'>

const order: NonNullable<FailedJob['order']> = {
  _id: 'a',
  id: '17',
  network: 'MTN',
  offer: '5GB',
  receiver: '0241234567',
  agent: 'ama',
  totalAmount: 25.5,
  surcharge: 0.77,
  status: 'pending',
  reference: 'ABCDEFGHIJKLMNOP',
  supplier: 'hubnet',
  delivery: 'waiting',
}
const job = (queue: string, more: Partial<Job> = {}): Job => ({ queue, data: {}, order: null, messageTo: null, ...more })

describe('jobWords', () => {
  it.each([
    [job('supplier-send', { order }), 'Send an order to Hubnet'],
    [job('supplier-send'), 'Send an order to its supplier'],
    [job('supplier-ask', { order }), 'Check an order with Hubnet'],
    [job('decide-order', { order, data: { status: 'rejected' } }), 'Reject an order that its supplier did not deliver'],
    [job('decide-order', { order, data: { status: 'completed' } }), 'Complete an order that its supplier delivered'],
    [job('tell', { data: { kind: 'completed' } }), 'Tell a buyer that an order is done'],
    [job('send-sms', { messageTo: '0241234567' }), 'Send a message to 024 123 4567'],
    [job('something-new'), 'Something new'],
  ])('%#', (given, words) => {
    expect(jobWords(given)).toBe(words)
  })
})

describe('retryConsequence', () => {
  it('is stated wherever something leaves the shop or money moves', () => {
    for (const queue of [
      'supplier-send',
      'decide-order',
      'tell',
      'tell-new-orders',
      'send-sms',
      'sms-digest',
      'tell-password-changed',
      'something-new',
    ]) {
      expect(retryConsequence(job(queue))).not.toBeNull()
    }
    for (const queue of ['supplier-ask', 'supplier-balance', 'daily-check', 'check-books', 'check-all-rows'])
      expect(retryConsequence(job(queue))).toBeNull()
  })

  it('names the refund and who gets it', () => {
    expect(retryConsequence(job('decide-order', { order, data: { status: 'rejected' } }))).toBe(
      'We reject the order and refund ¢26.27 to ama’s wallet.',
    )
  })
})

describe('dismissConsequence', () => {
  it('names the payer of a pending order and what is left to do', () => {
    for (const queue of ['supplier-send', 'supplier-ask']) {
      expect(dismissConsequence(job(queue, { order }))).toContain(
        'Order 17 stays pending, and ama has paid ¢26.27 for it: process it or reject it by hand.',
      )
    }
  })

  it('warns that the supplier may already have an order that is not sent again', () => {
    expect(dismissConsequence(job('supplier-send', { order: { ...order, delivery: 'unknown' } }))).toContain(
      'Hubnet, which may already have the order',
    )
  })

  it('leaves an order to its supplier when only a message is dismissed, otherwise to a person', () => {
    for (const queue of ['tell', 'send-sms']) {
      expect(dismissConsequence(job(queue, { order }))).toContain('Order 17 goes on with Hubnet as before.')
      const byHand = { ...order, supplier: null, delivery: null }
      expect(dismissConsequence(job(queue, { order: byHand }))).toContain('process it or reject it by hand')
    }
  })

  it('says that nothing is lost when the order is already decided', () => {
    const decided = job('decide-order', { order: { ...order, status: 'rejected' } })
    expect(dismissConsequence(decided)).toBe('The decision is left to you. Order 17 is rejected already, so nothing is lost.')
  })

  it('has words of its own for every queue', () => {
    const words = new Set([...ALL_QUEUES, 'something-new'].map((queue) => dismissConsequence(job(queue))))
    expect(words.size).toBe(ALL_QUEUES.length + 1)
  })
})

const ALL_QUEUES = [
  ...['supplier-send', 'supplier-ask', 'supplier-balance', 'supplier-alarm', 'decide-order', 'tell', 'tell-new-orders'],
  ...['send-sms', 'sms-digest', 'tell-password-changed', 'daily-check', 'check-books', 'check-all-rows'],
]

it('every queue of the shop has words of its own, and one that is new reads', () => {
  expect(new Set(ALL_QUEUES.map(queueWords)).size).toBe(ALL_QUEUES.length)
  for (const queue of ALL_QUEUES) expect(queueWords(queue)).not.toBe(queueWords(`${queue}-`))
  expect(queueWords('something-new')).toBe('Something new')
})
