import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashLines } from '../server/features/orders/checkers/hash-lines.ts'
import { matchPayments } from '../server/features/wallet/received-payments/match-payments.ts'
import { readMessages } from '../server/features/wallet/received-payments/read-messages.ts'
import { readRows } from '../server/features/wallet/received-payments/read-rows.ts'
import { splitMessages } from '../server/features/wallet/received-payments/split-messages.ts'
import type { SignedInUser } from '../shared/users.ts'
import { openTestShop, type TestShop } from './app.ts'
import { call, makeUser } from './builders.ts'

/** The functions that were called on the thread aside. */
const aside: string[] = []
const { postMessage } = Worker.prototype

let shop: TestShop
let owner: SignedInUser
beforeAll(async () => {
  Worker.prototype.postMessage = function noted(this: Worker, ...given: Parameters<typeof postMessage>) {
    aside.push((given[0] as { name: string }).name)
    return postMessage.apply(this, given)
  }
  shop = await openTestShop()
  owner = await makeUser(shop, { level: 'Admin' })
})
afterAll(async () => {
  Worker.prototype.postMessage = postMessage
  await shop.close()
})

const repeat = (unit: string, characters: number) => unit.repeat(Math.ceil(characters / unit.length)).slice(0, characters)

const pairs = (many: number) => {
  const lines = Array.from({ length: many }, (_, n) => ({ serial: `WGC${String(n).padStart(9, '0')}`, pin: String(123_456_789_012 + n) }))
  return { kind: 'bece', lines }
}
const statement = (cell: string, rows: number) => ({
  network: 'MTN' as const,
  headings: ['Id', 'Amount', 'Date', 'Details'],
  rows: Array.from({ length: rows }, () => [cell, cell, cell, cell]),
  columns: { transactionId: 0, amount: 1, at: 2, details: 3 },
})

/** Every route that reads what somebody has written or exported, with as much of it as the route takes. */
const ROUTES: Record<string, { body: () => unknown; readers: string[] }> = {
  'POST /received-payment/messages': {
    body: () => ({ text: repeat('Payment received for GHS 5.00 Ref: Transaction ID: 12345678901 Ref: ', 400_000) }),
    readers: ['readMessages'],
  },
  'POST /received-payment/statement': { body: () => statement('1/1/1 cr 1,', 1_000), readers: ['readRows'] },
  'POST /admin/checkers/check': { body: () => pairs(10_000), readers: ['hashLines'] },
  'POST /admin/checkers/imports': {
    body: () => ({ ...pairs(10_000), distributor: 'Kwame Cards', unitCost: 15 }),
    readers: ['hashLines'],
  },
  'POST /message-format/try': { body: () => ({ text: repeat('Payment received ', 2_000) }), readers: ['readAttempt'] },
  'PUT /message-format': {
    body: () => ({
      network: 'MTN',
      name: 'mine',
      kind: 'other',
      words: 'Got {any}',
      senders: [],
      samples: [repeat('Got a ', 2_000)],
      on: true,
      version: 0,
    }),
    readers: ['readProblems'],
  },
  'POST /forwarder/read-again': { body: () => ({}), readers: ['readUnknown'] },
  'POST /bulk/preview': { body: () => ({ text: repeat('0241234567 1GB\n', 70_000) }), readers: ['readReceivers', 'readList'] },
}

describe('is read on a thread aside', () => {
  test.each(Object.entries(ROUTES))('%s', { timeout: 120_000 }, async (route, { body, readers }) => {
    aside.length = 0
    const [method = '', path = ''] = route.split(' ')
    const { status } = await call(shop, method as 'POST', path, { as: owner, body: body() })
    expect([200, 400, 409, 413]).toContain(status)
    expect(aside).toEqual(readers)
  })
})

const word = (n: number) => String(n).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)

/** As many payments as requests: by number, by name, and of nobody, with a word in all names and the same few amounts. */
function paymentsAndRequests(count: number): Parameters<typeof matchPayments> {
  const numbers = Array.from({ length: count }, (_, n) => n)
  const phone = (n: number) => `024${String(n).padStart(7, '0')}`
  const createdAt = new Date('2026-11-21T12:00:00Z')
  const request = { status: 'pending' as const, createdAt, decidedAt: null, paid: false }
  return [
    numbers.map((n) => ({
      id: `payment ${n}`,
      network: 'MTN',
      amountPesewas: 5_000 + (n % 3) * 1_000,
      payerName: n % 2 === 0 ? null : `Kwame ${word(n + (n % 4) * count)}`,
      byAgent: false,
      payerPhone: n % 2 === 0 ? phone(n) : null,
      typedPhone: null,
      reference: 'data',
      sentAt: null,
      doubts: [],
      notFor: [],
      forwarderId: null,
    })),
    numbers.map((n) => ({
      ...request,
      id: `request ${n}`,
      rechargeId: String(20_000_000 + n),
      userId: `user ${n}`,
      username: n % 3 === 0 ? `nickname${n}` : `kwame ${word(n)}`,
      phone: phone(n),
      amountPesewas: 5_000 + (n % 3) * 1_000,
    })),
    [],
    numbers.map((n) => ({ phone: phone(n), userId: `user ${n}`, username: `kwame ${word(n)}` })),
  ]
}

/** What a reader is given, for `n` from 1 on: four times as much for four times as large an n. */
const READERS: Record<string, (n: number) => () => unknown> = {
  ...Object.fromEntries(
    [
      'Ref: ',
      'Payment GHS 1 ID: 1234567890 Ref:\n',
      'Payment GHS 1 ID: 1234567890 Ref: Payment received for GHS 1 ',
      '1234567890123456 Confirmed. ',
      'Ref: 1234567890123456 Confirmed. ',
      '<sms ',
      '<sms a="',
      '<sms body="Payment received for GHS 5.00 ID: 12345678901"/>',
      '{"body":',
      '{"body":"a"}\n',
      'ID:',
      ' \n',
      ' ',
    ].flatMap((unit) => [
      [`messages: ${unit.trim()}`, (n: number) => () => splitMessages(repeat(unit, n * 25_000))],
      [`a backup: ${unit.trim()}`, (n: number) => () => splitMessages(`<sms ${repeat(unit, n * 25_000)}`)],
    ]),
  ),
  'one long word in a backup': (n) => () => splitMessages(`<?xml <sms ${repeat('a', n * 25_000)}>`),
  'messages in words of forms': (n) => {
    const text = Array.from({ length: 60 * n }, () => `Payment received for GHS 5.00 from ${'A , 233244000000 , '.repeat(25)}`).join('\n\n')
    return () => readMessages({ text, rows: [], ofServer: [] })
  },
  'rows of a statement': (n) => {
    const rows = statement('1/1/1 cr 1,', 250 * n)
    return () => readRows(rows)
  },
  'payments matched with requests': (n) => {
    const match = paymentsAndRequests(1_000 * n)
    return () => matchPayments(...match)
  },
  'serials and PINs': (n) => {
    const lines = { key: 'a key', ...pairs(2_000 * n) }
    return () => hashLines(lines)
  },
}

/** The least time of this thread's own, in ms, of several runs: what else the machine does counts for little. */
function cost(work: () => unknown): number {
  const runs = [1, 2, 3, 4, 5].map(() => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...runs)
}

describe('takes no more than in proportion', () => {
  test.each(Object.entries(READERS))('%s', { timeout: 120_000 }, (_name, make) => {
    const [little, much] = [cost(make(1)), cost(make(4))]
    // Four times as much, and twice that for a busy machine; what grows with the square takes sixteen times as long.
    expect(much).toBeLessThan(8 * little + 20)
  })
})

test('recording what was read takes no more than in proportion', { timeout: 120_000 }, async () => {
  let transactions = 0
  const record = async (many: number) => {
    const runs: number[] = []
    for (let run = 0; run < 3; run++) {
      const one = () => `Payment received for GHS 60.00 from AMA SAMPLE. Reference: x. Transaction ID: ${60_000_000_000 + ++transactions}.`
      const text = Array.from({ length: many }, one).join('\n')
      const before = process.threadCpuUsage()
      const { status } = await call(shop, 'POST', '/received-payment/messages', { as: owner, body: { text } })
      const { user, system } = process.threadCpuUsage(before)
      expect(status).toBe(200)
      runs.push((user + system) / 1_000)
      // What waits is matched each time, so that a longer list before would count here.
      await shop.database.db.query(`update received_payments set status = 'dismissed' where status = 'waiting'`)
    }
    return Math.min(...runs)
  }
  const [little, much] = [await record(250), await record(1_000)]
  expect(much).toBeLessThan(8 * little + 50)
})

test.each([
  ['one digit', '0'],
  ['figures and dots', '1.'],
  ['sizes', '1gb '],
  ['spaces', ' '],
  ['a word', 'a'],
])('a list of one line, a megabyte of %s, is read long before the reader is given up', { timeout: 120_000 }, async (_name, unit) => {
  const agent = await makeUser(shop, { level: 'Agent' })
  const { status } = await call(shop, 'POST', '/bulk/preview', { as: agent, body: { text: repeat(unit, 990_000) } })
  // One that took fifteen seconds would be refused with 413.
  expect([200, 400]).toContain(status)
})
