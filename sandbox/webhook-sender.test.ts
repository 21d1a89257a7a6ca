import { expect, test } from 'vitest'
import * as z from 'zod'
import { readOldNames, webhookEvent } from './webhook-sender.ts'

const payment = z.preprocess(readOldNames, z.object({ reference: z.string(), webhookEvents: z.array(webhookEvent) }))
const event = { id: 'e1', body: '{}', dueAt: 0, state: 'waiting' }

test('a payment in a file of version 0.2 keeps its webhook events and their attempts', () => {
  const old = { reference: 'r1', notices: [{ ...event, tries: 3 }, event] }
  expect(payment.parse(old)).toMatchObject({ reference: 'r1', webhookEvents: [{ id: 'e1', attempts: 3 }, { attempts: 0 }] })
  const today = { reference: 'r1', webhookEvents: [{ ...event, attempts: 3 }] }
  expect(payment.parse(today)).toMatchObject({ webhookEvents: [{ attempts: 3 }] })
})
