import { describe, expect, it } from 'vitest'
import type { ParkedJob } from '../../../shared/jobs.ts'
import { jobWords, queueWords, retryConsequence } from './job-words.ts'

type Job = Pick<ParkedJob, 'queue' | 'data' | 'order' | 'messageTo'>

const order: ParkedJob['order'] = {
  _id: 'a',
  id: '17',
  network: 'MTN',
  offer: '5GB',
  receiver: '0241234567',
  agent: 'ama',
  totalAmount: 25.5,
  status: 'pending',
  reference: 'ABCDEFGHIJKLMNOP',
  supplier: 'hubnet',
}
const job = (queue: string, more: Partial<Job> = {}): Job => ({ queue, data: {}, order: null, messageTo: null, ...more })

describe('jobWords', () => {
  it.each([
    [job('supplier-send', { order }), 'Send an order to Hubnet'],
    [job('supplier-send'), 'Send an order to its supplier'],
    [job('supplier-ask', { order }), 'Ask Hubnet what became of an order'],
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
  it('is asked about wherever something leaves the shop or money moves', () => {
    for (const queue of ['supplier-send', 'decide-order', 'tell', 'send-sms', 'sms-digest', 'something-new']) {
      expect(retryConsequence(job(queue))).not.toBeNull()
    }
    for (const queue of ['supplier-ask', 'supplier-balance', 'daily-check', 'check-books']) expect(retryConsequence(job(queue))).toBeNull()
  })

  it('names what goes back to whom', () => {
    expect(retryConsequence(job('decide-order', { order, data: { status: 'rejected' } }))).toBe(
      'The order is rejected, and ¢25.50 goes back to the wallet of ama.',
    )
  })
})

const ALL_QUEUES = [
  ...['supplier-send', 'supplier-ask', 'supplier-balance', 'decide-order', 'tell'],
  ...['send-sms', 'sms-digest', 'daily-check', 'check-books'],
]

it('every queue of the shop has words of its own, and one that is new reads', () => {
  expect(new Set(ALL_QUEUES.map(queueWords)).size).toBe(ALL_QUEUES.length)
  for (const queue of ALL_QUEUES) expect(queueWords(queue)).not.toBe(queueWords(`${queue}-`))
  expect(queueWords('something-new')).toBe('Something new')
})
