import { setTimeout as wait } from 'node:timers/promises'
import { openShopOf } from '../test/agent-shop.ts'
import { until } from '../test/until.ts'
import type { Experiment, Trial } from './experiment.ts'
import { count } from './measure.ts'
import { type Held, PASSWORD, type Person, type Shops } from './shops.ts'

const GUESSES = 12
/** As the shop allows. */
const MOST_WRONG = 5
const EARNED = 100
const HEAD_START_MS = 200

/** Codes that confirm numbers for earnings. */
export const payoutNumbers: Experiment[] = [
  {
    id: 'S8',
    expects: `over two processes at one instant: ${GUESSES} guesses at one code of a shop, two tabs with the right one of another, withdrawals to both numbers and a change of the account’s phone: ${MOST_WRONG} guesses are looked at; nothing goes out to the number that nobody confirmed; to the other it goes out, or waits if the phone was changed first`,
    runs: { fast: 15, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await shops.db.query('update withdrawal_rules set minimum_pesewas = 100, fee_pesewas = 0, hold_nights = 0, number_hold_hours = 24')
      // Each run sends three messages, which would soon be more than a day's.
      await shops.db.query('update operations_settings set sms_daily_cap = 10000')
      await shops.card.changeTransfers({ balancePesewas: 100_000_00, otp: false, paysAfterMs: null })
      const ends = { changedFirst: 0, confirmedFirst: 0, unchanged: 0 }
      await trial.repeat(async (run) => {
        ends[await confirmOne(trial, shops, run)] += 1
      })
      trial.note(
        `the phone was changed first ${ends.changedFirst}, the number was confirmed first ${ends.confirmedFirst}, nothing was changed ${ends.unchanged}`,
      )
      // What the agents earned was put there without an order.
      for (const violation of await shops.prove()) if (!violation.startsWith('a wallet')) trial.wrong(violation)
    },
  },
]

async function confirmOne(trial: Trial, shops: Shops, run: number): Promise<'changedFirst' | 'confirmedFirst' | 'unchanged'> {
  const agent = await shops.makeUser({ level: 'Agent' })
  const clock = { now: new Date(), advance() {} }
  const shopId = await openShopOf({ database: { db: shops.db }, clock }, agent.id, EARNED)
  const [own, guessed, phone] = ['0241', '0242', '0551'].map((start) => `${start}${String(run).padStart(6, '0')}`) as [
    string,
    string,
    string,
  ]
  const asked = await shops.race(
    [own, guessed, own, guessed].map((phoneNumber) => post(agent, '/earnings/payout-numbers/code', { phoneNumber })),
    trial.random,
  )
  trial.same(
    'asking for codes',
    asked.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const code = await codeSentTo(shops, own)
  const wrong = other(await codeSentTo(shops, guessed))
  const isChanged = trial.random() < 0.7

  const withdraw = (phoneNumber: string): Held => ({
    ...post(agent, '/earnings/withdrawals', { amount: 10, fee: 0, phoneNumber, network: 'MTN', name: 'Ama Mensah' }),
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  const right = [0, 1].map(() => post(agent, '/earnings/payout-numbers', { phoneNumber: own, code }))
  const guesses = Array.from({ length: GUESSES }, () => post(agent, '/earnings/payout-numbers', { phoneNumber: guessed, code: wrong }))
  // The password is looked at first, which takes a while: the change gets a head start, sometimes enough.
  const change = isChanged ? shops.call('PUT', '/user/me/contact', { as: agent, body: { password: PASSWORD, phone } }) : null
  if (change) await wait(trial.random() * HEAD_START_MS)
  const replies = await shops.race([...guesses, ...right, withdraw(own), withdraw(own), withdraw(guessed)], trial.random)
  if (change) trial.same('the change', (await change).status, 200)
  trial.same(
    'guesses that were looked at',
    count(replies.slice(0, GUESSES), ({ status }) => status === 400),
    MOST_WRONG,
  )
  trial.same(
    'the right code',
    replies.slice(GUESSES, GUESSES + 2).map(({ status }) => status),
    [200, 200],
  )
  const later = [
    await shops.call('POST', '/earnings/withdrawals', withdraw(own)),
    await shops.call('POST', '/earnings/withdrawals', withdraw(guessed)),
  ]
  trial.same(
    'withdrawals afterwards',
    later.map(({ status }) => status),
    [200, 200],
  )

  const { rows } = await shops.db.query<{ phone: string; waits: boolean; unapproved: number; sent: number; codes: number }>(
    `select c.phone, (select n.free_at > n.confirmed_at from payout_numbers n where n.shop_id = $1 and n.phone = c.phone) as waits,
       (select count(*)::int from withdrawals w where w.shop_id = $1 and w.phone = c.phone and w.unapproved) as unapproved,
       (select count(*)::int from withdrawals w where w.shop_id = $1 and w.phone = c.phone and (w.sent_at is not null or w.status <> 'approval')) as sent,
       count(*)::int as codes
     from payout_codes c where c.shop_id = $1 group by c.phone order by c.phone`,
    [shopId],
  )
  const [confirmed, unconfirmed] = rows
  trial.same('the number that was guessed at', unconfirmed, { phone: guessed, waits: null, unapproved: 0, sent: 0, codes: 1 })
  trial.same('codes sent to the other', confirmed?.codes, 1)
  // Whoever is told tells which came first: the phone from before the change, or the new one.
  const told = await shops.db.query<{ receiver: string }>(
    `select receiver from sms_messages where kind = 'payout-number' and receiver in ($1, $2)`,
    [agent.phone, phone],
  )
  trial.same('messages to the account', told.rows.length, 1)
  const changedFirst = told.rows[0]?.receiver === phone
  trial.same('the number waits', confirmed?.waits, changedFirst)
  if (changedFirst) trial.same('went out to a number that waits', confirmed?.sent, 0)
  else if ((confirmed?.unapproved ?? 0) < 1) trial.wrong('nothing went out to a confirmed number')
  return changedFirst ? 'changedFirst' : isChanged ? 'confirmedFirst' : 'unchanged'
}

const post = (as: Person, path: string, body: unknown): Held => ({ method: 'POST', path, as, body })

const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

function codeSentTo(shops: Shops, phone: string): Promise<string> {
  return until(async () => {
    const message = shops.sandbox.sms.messages().find(({ to }) => to === phone)
    return message && /^\d{6}/.exec(message.body)?.[0]
  })
}
