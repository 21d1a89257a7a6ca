import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Matches } from '../../../../shared/received-payments.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, makeUser } from '../../../../test/builders.ts'
import { pick, randomFrom } from '../../../../test/random.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'

const ROUNDS = 6
const MESSAGES = 24

let shop: TestShop
let admins: [SignedInUser, SignedInUser]
beforeAll(async () => {
  shop = await openTestShop()
  admins = [await makeUser(shop, { level: 'Admin' }), await makeUser(shop, { level: 'Admin' })]
})
afterAll(() => shop.close())

const cedis = (pesewas: number) => (pesewas / 100).toFixed(2)
const credit = (amount: number, reference: string, id: string, balance: number) =>
  `Payment received for GHS ${cedis(amount)} from AMA SAMPLE Current Balance: GHS ${cedis(balance)} . Available Balance: GHS ${cedis(balance)}. Reference: ${reference}. Transaction ID: ${id}. TRANSACTION FEE: 0.00`
const cashOut = (amount: number, id: string, balance: number) =>
  `Cash Out made for GHS${cedis(amount)} to ADOM ELECTRICALS . Current Balance: GHS${cedis(balance)} Financial Transaction Id: ${id}. Fee charged: GHS0.00.`

test('any mix of genuine, repeated, forged and reversed messages credits each genuine payment at most once, and nothing else', async () => {
  const random = randomFrom(20_261_122)
  const below = (most: number) => Math.floor(random() * most)
  const one = <T>(list: readonly T[]) => pick(list, random)
  const customers = await Promise.all(Array.from({ length: 6 }, () => makeUser(shop)))
  const genuine = new Map<string, number>()
  let balance = 50_000
  let drawn = 60_000_000_000

  for (let round = 0; round < ROUNDS; round++) {
    const messages: string[] = []
    for (let count = 0; count < MESSAGES; count++) {
      const amount = 5_000 + below(20_000)
      const id = String(++drawn)
      const reply = await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as: one(customers), body: { amount: amount / 100 } })
      const reference = reply.body.recharge?.rechargeId ?? 'x'
      switch (
        one(['genuine', 'genuine', 'genuine', 'genuine', 'short', 'out', 'repeated', 'forged', 'claimed', 'sent by a person', 'reversed'])
      ) {
        case 'genuine':
        case 'short': {
          // Now and then somebody pays less than they asked for.
          const paid = random() < 0.2 ? amount - 500 : amount
          balance += paid
          genuine.set(id, paid)
          messages.push(credit(paid, reference, id, balance))
          break
        }
        case 'out': {
          const sent = below(balance)
          balance -= sent
          messages.push(cashOut(sent, id, balance))
          break
        }
        case 'repeated':
          if (messages.length > 0) messages.push(one(messages))
          break
        case 'forged':
          messages.push(credit(amount, reference, id, amount + 1 + below(900_000)))
          break
        case 'claimed': {
          const [seen] = [...genuine.keys()].slice(-1)
          if (seen) messages.push(credit(amount * 2, reference, seen, amount * 2 + 1 + below(900_000)))
          break
        }
        case 'sent by a person':
          messages.push(`From: 055100${1000 + below(9000)}\n${credit(amount, reference, id, balance + amount)}`)
          break
        default: {
          const [seen] = [...genuine.keys()].slice(-1)
          if (seen) messages.push(`Reversal of GHS ${cedis(amount)} has been made. Transaction ID: ${id}. Original: ${seen}.`)
        }
      }
    }
    // Two admins paste overlapping parts at the same time, and both approve whatever is certain.
    const cut = MESSAGES / 3 + below(MESSAGES / 3)
    const pastes = [messages, messages.slice(cut)].map((part) => part.join(one(['\n', '\n\n'])))
    await Promise.all(admins.map((as, index) => call(shop, 'POST', '/received-payment/messages', { as, body: { text: pastes[index] } })))
    const { certain } = (await call<Matches>(shop, 'GET', '/received-payment/matches', { as: admins[0] })).body
    if (certain.length === 0) continue
    const body = {
      matches: certain.map(({ payment, request }) => ({ paymentId: payment._id, rechargeId: request?._id, amount: payment.amount })),
    }
    await Promise.all(admins.map((as) => call(shop, 'POST', '/received-payment/approve', { as, body })))
    const pending = await shop.database.db.query<{ id: string }>(`select id from recharges where status = 'pending'`)
    for (const { id } of pending.rows) await call(shop, 'PUT', `/recharge/${id}/decline`, { as: admins[0] })
  }

  const { rows: credited } = await shop.database.db.query<{ id: string; pesewas: number }>(
    `select p.transaction_id as id, c.amount_pesewas as pesewas from payment_credits c join received_payments p on p.id = c.payment_id`,
  )
  expect(new Set(credited.map(({ id }) => id)).size).toBe(credited.length)
  for (const { id, pesewas } of credited) expect([id, pesewas]).toEqual([id, genuine.get(id)])
  expect(credited.length).toBeGreaterThan(genuine.size / 4)
  const balances = await Promise.all(customers.map(({ _id }) => balanceOf(shop, _id)))
  const sum = (list: number[]) => list.reduce((all, each) => all + each, 0)
  expect(sum(balances)).toBe(sum(credited.map(({ pesewas }) => pesewas)))
  expect(await checkLedger(shop.database.db)).toEqual([])
})
