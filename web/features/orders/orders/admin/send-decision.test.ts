import { expect, test, vi } from 'vitest'
import type { Order } from '../../../../../shared/orders.ts'
import { RefusedError } from '../../../../lib/http.ts'
import { sendDecision } from './send-decision.ts'

const order = (status: Order['status']) => ({ _id: '1', status }) as Order
const lost = new Error('We could not reach the shop.')
const refused = new RefusedError(409, { code: 'ALREADY_DECIDED', message: 'That order is already completed.' })

test.each([
  ['the reply was lost after the decision', [lost], ['completed'], 'completed'],
  ['nothing arrived the first time', [lost, order('completed')], ['pending'], 'completed'],
  ['the first one arrived just before the second', [lost, refused], ['pending', 'completed'], 'completed'],
  ['neither got a reply', [lost, lost], ['pending'], lost.message],
  ['the shop cannot be asked either', [lost], [lost], lost.message],
  ['somebody else rejected it', [lost], ['rejected'], lost.message],
  ['the shop refuses', [refused], [], refused.message],
])('an order is completed once and said to be what it is when %s', async (_what, sent, seen, said) => {
  const replies = (list: readonly (Order | Error | string)[]) => {
    const next = vi.fn()
    for (const one of list) {
      if (one instanceof Error) next.mockRejectedValueOnce(one)
      else next.mockResolvedValueOnce(typeof one === 'string' ? order(one as Order['status']) : one)
    }
    return next
  }
  const [send, look] = [replies(sent), replies(seen)]
  const outcome = await sendDecision('completed', send, look).then(
    ({ status }) => status,
    (error: Error) => error.message,
  )
  expect([outcome, send.mock.calls.length, look.mock.calls.length]).toEqual([said, sent.length, seen.length])
})
