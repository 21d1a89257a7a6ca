import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AfaRow, afaDetailsForm, type OwnAfa } from '../../../../shared/afa.ts'
import { ghanaCardProblem, typeGhanaCard } from '../../../../shared/afa-rules.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { AFA_FORM, makeAfaOrder, newGhanaCard } from '../../../../test/afa.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makePaymentOnHold, makeUser } from '../../../../test/builders.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { takeBatch } from './afa.sql.ts'
import { deleteOldAfa } from './delete-old-afa.ts'
import { sealDetails } from './seal-details.ts'

const DAY_MS = 86_400_000
let shop: TestShop
let staff: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
  staff = await makeUser(shop, { roles: ['orders'] })
})
afterAll(() => shop.close())

const query = async (sql: string, values: unknown[] = []) => (await shop.database.db.query(sql, values)).rows
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
const give = (as: { token: string }, order: string, more: object = {}) =>
  call<{ registration: OwnAfa } & ErrorBody>(shop, 'POST', `/order/${order}/afa`, {
    as,
    body: { ...AFA_FORM, ghanaCard: newGhanaCard(), ...more },
  })
const stateOf = async (as: { token: string }, order: string) =>
  (await call<{ registration: OwnAfa }>(shop, 'GET', `/order/${order}/afa`, { as })).body.registration
const list = async (state: string) =>
  (await call<AfaRow[]>(shop, 'GET', '/admin/afa', { as: staff, query: { state, page: '1', pageSize: '50' } })).body
const exported = (body: object = {}) => call<string & ErrorBody>(shop, 'POST', '/admin/afa/export', { as: staff, body })
const decide = (order: string, status: string) =>
  call(shop, 'PUT', `/order/update-status/${order}`, {
    as: staff,
    body: { status, ...(status === 'rejected' && { refundReason: 'The registrar refused the card.' }) },
  })

async function ordered() {
  const buyer = await makeUser(shop, { balance: 20 })
  return { buyer, order: await makeAfaOrder(shop, buyer) }
}

test('an AFA order waits for its details, goes to the registrar in a batch, and ends registered or refunded with a reason', async () => {
  const [one, two] = [await ordered(), await ordered()]
  expect(await stateOf(one.buyer, one.order)).toEqual({ state: 'needed', fullName: null, ghanaCard: null, keepDays: 30, refusal: null })
  expect((await list('needed')).map(({ orderId }) => orderId)).toEqual(expect.arrayContaining([one.order, two.order]))
  const card = newGhanaCard()
  const given = await give(one.buyer, one.order, { ghanaCard: card.replaceAll('-', '').toLowerCase() })
  expect([given.status, given.body.registration]).toMatchObject([200, { state: 'received', fullName: 'A… S… M…' }])
  // Corrected before it is sent on.
  expect((await give(one.buyer, one.order, { ghanaCard: card, fullName: '=cmd Mensah' })).status).toBe(400)
  expect((await give(one.buyer, one.order, { ghanaCard: card, town: '=HYPERLINK("x")' })).status).toBe(200)
  await give(two.buyer, two.order)

  const file = await exported()
  expect(file.headers['content-disposition']).toMatch(/dwadi-afa-\d+\.csv/)
  expect(file.body.split('\r\n')).toHaveLength(4)
  expect(file.body).toContain(`,${card},1990-05-17,Ashanti,"'=HYPERLINK(""x"")",Farmer`)
  const batch = (await list('sent')).find(({ orderId }) => orderId === one.order)?.batch
  expect([(await exported()).status, (await exported({ batch })).body, (await exported({ batch: 999 })).status]).toEqual([
    409,
    file.body,
    404,
  ])
  expect((await give(one.buyer, one.order)).body.code).toBe('CONFLICT')

  await decide(one.order, 'completed')
  await decide(two.order, 'rejected')
  expect([(await stateOf(one.buyer, one.order)).state, await stateOf(two.buyer, two.order)]).toMatchObject([
    'registered',
    { state: 'refused', refusal: 'The registrar refused the card.' },
  ])
  expect([await balanceOf(shop, one.buyer._id), await balanceOf(shop, two.buyer._id)]).toEqual([0, 2000])
})

test('what went to the registrar is refunded up to what staff may move alone in a day, and beyond it by an owner', async () => {
  const clerk = await makeUser(shop, { roles: ['orders'] })
  const reject = (order: string) => call(shop, 'PUT', `/order/update-status/${order}`, { as: clerk, body: { status: 'rejected' } })
  const [sent, kept] = [await ordered(), await ordered()]
  await give(sent.buyer, sent.order)
  await exported()
  await give(kept.buyer, kept.order)
  await query('update staff_rules set second_person_above_pesewas = 1999')
  expect((await reject(kept.order)).status).toBe(200)
  expect((await reject(sent.order)).body).toMatchObject({ code: 'SECOND_PERSON_NEEDED' })
  await query('update staff_rules set second_person_above_pesewas = 2000')
  expect((await reject(sent.order)).status).toBe(200)
  const another = await ordered()
  await give(another.buyer, another.order)
  await exported()
  expect((await reject(another.order)).body).toMatchObject({ code: 'SECOND_PERSON_NEEDED' })
  await query('update staff_rules set second_person_above_pesewas = null')
})

test('one card is registered once, also when two orders give it at the same moment; a refused one may be tried again', async () => {
  const [one, two] = [await ordered(), await ordered()]
  const ghanaCard = newGhanaCard()
  const replies = await Promise.all([give(one.buyer, one.order, { ghanaCard }), give(two.buyer, two.order, { ghanaCard })])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(replies.find(({ status }) => status === 409)?.body.issues?.[0]?.path).toBe('ghanaCard')
  const [won, lost] = replies[0]?.status === 200 ? [one, two] : [two, one]
  await decide(won.order, 'rejected')
  expect((await give(lost.buyer, lost.order, { ghanaCard })).status).toBe(200)
})

test('one card that two orders give at the same moment waits for the first of them', async () => {
  const [one, two] = [await ordered(), await ordered()]
  const ghanaCard = newGhanaCard()
  const tx = await shop.database.db.connect()
  try {
    await tx.query('begin')
    // Both may read the table, and neither may write.
    await tx.query('lock table afa_registrations in share mode')
    const both = Promise.all([give(one.buyer, one.order, { ghanaCard }), give(two.buyer, two.order, { ghanaCard })])
    await until(async () => (await query(WAITING)).length >= 2)
    await tx.query('rollback')
    expect((await both).map(({ status }) => status).sort()).toEqual([200, 409])
  } finally {
    await tx.query('rollback')
    tx.release()
  }
})

test('who exports while another does gets nothing of what that one sends; and nothing of an order that has ended', async () => {
  await exported()
  const [waits, refused] = [await ordered(), await ordered()]
  for (const { buyer, order } of [waits, refused]) await give(buyer, order)
  await decide(refused.order, 'rejected')
  const tx = await shop.database.db.connect()
  try {
    await tx.query('begin')
    expect(await takeBatch(tx as never, { most: 9, now: shop.clock.now })).toEqual(expect.any(Number))
    const other = exported()
    const ended = await until(async () => ((await isWaitedFor(tx)) ? 'waits' : Promise.race([other, false as const])))
    expect(ended).toMatchObject({ status: 409 })
    const { rows } = await tx.query('select order_id as id from afa_registrations where batch is not null and order_id = any ($1)', [
      [waits.order, refused.order],
    ])
    expect(rows).toEqual([{ id: waits.order }])
  } finally {
    await tx.query('rollback')
    tx.release()
  }
})

test('details that come while the order is being refunded are not taken', async () => {
  const { buyer, order } = await ordered()
  const tx = await shop.database.db.connect()
  try {
    await tx.query('begin')
    await tx.query('select from wallets where user_id = $1 for update', [buyer._id])
    // The refund has the order, and waits for the wallet.
    const refund = decide(order, 'rejected')
    await until(() => isWaitedFor(tx))
    let isGiven = false
    const given = give(buyer, order).finally(() => {
      isGiven = true
    })
    await until(async () => isGiven || (await query(WAITING)).length >= 2)
    await tx.query('rollback')
    expect([(await refund).status, (await given).status]).toEqual([200, 409])
  } finally {
    await tx.query('rollback')
    tx.release()
  }
  expect(await query('select from afa_registrations where order_id = $1', [order])).toEqual([])
  // Only what has ended so is among the refused ones.
  const other = await ordered()
  const refused = (await list('refused')).map(({ orderId }) => orderId)
  expect([refused.includes(order), refused.includes(other.order)]).toEqual([true, false])
  const received = (await list('received')).map(({ orderId }) => orderId)
  expect([received.includes(order), received.includes(other.order)]).toEqual([false, false])
  await give(other.buyer, other.order)
  expect((await list('received')).map(({ orderId }) => orderId)).toContain(other.order)
  await exported()
  expect((await list('received')).map(({ orderId }) => orderId)).not.toContain(other.order)
})

test('a batch takes what has waited the longest, as many as the registrar wants at once', async () => {
  const given: string[] = []
  for (let count = 0; count < 3; count++) {
    const { buyer, order } = await ordered()
    await give(buyer, order)
    given.push(order)
    shop.clock.advance(1_000)
  }
  const sent: (number | null)[] = []
  for (let time = 0; time < 3; time++)
    sent.push(await transaction(shop.database.db, (tx) => takeBatch(tx, { most: 2, now: shop.clock.now })))
  const batches = await query('select batch from afa_registrations where order_id = any ($1) order by consented_at', [given])
  expect([batches.map(({ batch }) => batch), sent[2]]).toEqual([[sent[0], sent[0], sent[1]], null])
})

describe('the details', () => {
  test('stand nowhere to be read: not in the table, lists, the record of actions, nor for others', async () => {
    const { buyer, order } = await ordered()
    const ghanaCard = newGhanaCard()
    await give(buyer, order, { ghanaCard, fullName: 'Zebulon Quaye' })
    const rows = JSON.stringify(
      await query(`select encode(details, 'escape') as text, encode(card_hash, 'escape') as card from afa_registrations`),
    )
    expect(rows).not.toMatch(/Zebulon|GHA-5/)
    const shown = (await list('received')).find(({ orderId }) => orderId === order)
    expect(shown).toMatchObject({ fullName: 'Z… Q…', ghanaCard: `GHA-•••••${ghanaCard.slice(-6)}` })
    const stranger = await makeUser(shop)
    for (const path of [`/order/${order}/afa`, '/admin/afa?state=received']) {
      expect([404, 403]).toContain((await call(shop, 'GET', path, { as: stranger })).status)
    }
    expect((await give(stranger, order)).status).toBe(404)

    const reveal = () =>
      call<{ details: { fullName: string } }>(shop, 'POST', `/admin/afa/${order}/reveal`, {
        as: staff,
        body: { reason: 'The buyer called.' },
      })
    expect((await reveal()).body.details).toMatchObject({ fullName: 'Zebulon Quaye', ghanaCard })
    const record = await query(`select action, actor_id, note, before, after from admin_actions where subject_id = $1`, [order])
    expect(record).toEqual([{ action: 'afa.open', actor_id: staff._id, note: 'The buyer called.', before: null, after: null }])
    shop.clock.advance(6 * 60_000)
    expect([(await reveal()).status, (await exported()).status]).toEqual([403, 403])
    staff = await makeUser(shop, { roles: ['orders'] })
  })

  test('are erased 30 days after the order has ended, not before, and it is recorded', async () => {
    const [ended, waits] = [await ordered(), await ordered()]
    await give(ended.buyer, ended.order)
    await give(waits.buyer, waits.order)
    await decide(ended.order, 'completed')
    const { ctx } = makeCtx(shop)
    const erase = (days: number) => deleteOldAfa({ ...ctx, now: new Date(shop.clock.now.getTime() + days * DAY_MS) }, 30)
    const kept = async () =>
      (await query('select order_id from afa_registrations where details is not null and card_hash is not null')).map((row) => row.order_id)
    await erase(29)
    expect(await kept()).toEqual(expect.arrayContaining([ended.order, waits.order]))
    await Promise.all([erase(31), erase(31)])
    expect(await kept()).toContain(waits.order)
    expect(await kept()).not.toContain(ended.order)
    const [seq] = await query('select seq from orders where id = $1', [ended.order])
    const records = await query(`select after from admin_actions where action = 'afa.erase' and actor_id is null`)
    expect(records.flatMap(({ after }) => after.orders.split(', ')).filter((one: string) => one === String(seq.seq))).toHaveLength(1)
    expect(await stateOf(ended.buyer, ended.order)).toMatchObject({ state: 'registered', fullName: null, ghanaCard: null })
    expect((await call(shop, 'POST', `/admin/afa/${ended.order}/reveal`, { as: staff, body: { reason: 'Too late' } })).status).toBe(409)
  })

  test.each([
    ['fullName', 'Ama'],
    ['phone', '12345'],
    ['ghanaCard', 'GHA-12345678-0'],
    ['ghanaCard', 'FGN-712345678-9'],
    ['birthDate', '1990-02-30'],
    ['birthDate', '2026-01-01'],
    ['region', 'Lagos'],
    ['town', ' '],
    ['occupation', ''],
    ['consent', false],
  ])('without a proper %s (%s) are refused by field, and nothing is kept', async (path, value) => {
    const { buyer, order } = await ordered()
    const { status, body } = await give(buyer, order, { [path]: value })
    expect([status, body.issues?.[0]?.path]).toEqual([400, path])
    expect((await stateOf(buyer, order)).state).toBe('needed')
  })
})

test('a batch leaves out whose payment is disputed, until that has ended', async () => {
  const { buyer, order } = await ordered()
  await give(buyer, order)
  const reference = await makePaymentOnHold(shop, buyer._id)
  const batchOf = async (tx: Tx) => {
    await takeBatch(tx, { most: 500, now: shop.clock.now })
    const { rows } = await tx.query<{ batch: number | null }>('select batch from afa_registrations where order_id = $1', [order])
    return rows[0]?.batch
  }
  // The order was paid from the wallet in truth, so nothing of this is kept.
  await transaction(shop.database.db, async (tx) => {
    await tx.query('update orders set top_up_reference = $2 where id = $1', [order, reference])
    expect(await batchOf(tx)).toBe(null)
    await tx.query('update payments set hold_reason = null where reference = $1', [reference])
    expect(await batchOf(tx)).toEqual(expect.any(Number))
    throw new Error('undo')
  }).catch((error: Error) => expect(error.message).toBe('undo'))
})

test('nobody completes an order without details, by itself or with others; it can be refunded', async () => {
  const [one, two] = [await ordered(), await ordered()]
  const reply = await call<{ message: string }>(shop, 'PUT', `/order/update-status/${one.order}`, {
    as: staff,
    body: { status: 'completed' },
  })
  expect([reply.status, reply.body.message]).toEqual([409, expect.stringContaining('details of the person are missing')])
  // One says that it is registered while the other takes it back: it ends one way.
  await give(two.buyer, two.order)
  const both = await Promise.all(
    ['completed', 'rejected'].map((status) => call(shop, 'PUT', `/order/update-status/${two.order}`, { as: staff, body: { status } })),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  await decide(one.order, 'rejected')
  expect(await balanceOf(shop, one.buyer._id)).toBe(2000)
})

test('a list with a registration is refused, and names the line; nothing is charged', async () => {
  const agent = await makeUser(shop, { balance: 100, level: 'Agent' })
  const [data, afa] = [
    await cartLine(shop, { as: 'Agent' }),
    await cartLine(shop, { network: 'AFA', offer: 'AFA registration', as: 'Agent' }),
  ]
  const lines = [data, afa].map((line, at) => ({ ...line, number: at + 1, text: '', name: '' }))
  const body = {
    total: 0,
    lines: lines.map(({ productId, offer, phoneNumber, amount, number, text, name }) => ({
      productId,
      offer,
      phoneNumber,
      amount,
      number,
      text,
      name,
    })),
  }
  body.total = Number(body.lines.reduce((sum, { amount }) => sum + amount, 0).toFixed(2))
  for (const [path, headers] of [
    ['/bulk', { 'idempotency-key': crypto.randomUUID() }],
    ['/payment/list', {}],
  ] as const) {
    const reply = await call<{ issues: { path: string }[] }>(shop, 'POST', path, { as: agent, body, headers })
    expect([path, reply.status, reply.body.issues?.[0]?.path]).toEqual([path, 400, 'lines.1.offer'])
  }
  expect(await balanceOf(shop, agent._id)).toBe(10_000)
})

test('in a live shop without a key nobody’s details are taken; under a lost one they are asked for again, and hide no others', async () => {
  const details = { ...AFA_FORM, ghanaCard: newGhanaCard() } as never
  expect(() => sealDetails(details, { secretsKey: null, mustEncrypt: true })).toThrow('can’t take these details')
  const lost = await ordered()
  const { details: sealed, cardHash } = sealDetails(details, { secretsKey: 'the key that is lost', mustEncrypt: true })
  await query('insert into afa_registrations (order_id, details, card_hash, consented_at) values ($1, $2, $3, $4)', [
    lost.order,
    sealed,
    cardHash,
    shop.clock.now,
  ])
  expect(await stateOf(lost.buyer, lost.order)).toMatchObject({ state: 'received', fullName: null, ghanaCard: null })
  expect((await list('received')).find(({ orderId }) => orderId === lost.order)).toMatchObject({ fullName: null, phone: null })
  expect((await exported()).body).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('another SECRETS_KEY') })
  expect((await give(lost.buyer, lost.order)).status).toBe(200)
  expect((await exported()).status).toBe(200)
})

test('an order of something else takes no details', async () => {
  const buyer = await makeUser(shop, { balance: 20 })
  const order = (await checkout(shop, buyer, [await cartLine(shop)])).body.orders[0]?._id as string
  expect([(await give(buyer, order)).status, (await call(shop, 'GET', `/order/${order}/afa`, { as: buyer })).status]).toEqual([404, 404])
})

test('a card number gets its hyphens while it is typed', () => {
  expect(
    ['gha7123', '7123456789', 'GHA-712345678-9', 'fgn 712 345 678 9', 'GH', 'GHA-71234567899999', 'GHA-71234S678-9'].map(typeGhanaCard),
  ).toEqual(['GHA-7123', 'GHA-712345678-9', 'GHA-712345678-9', 'FGN-712345678-9', 'GH', 'GHA-712345678-99999', 'GHA-71234S678-9'])
})

test.each([
  ['GHA-712345678-9', true],
  ['FGN-712345678-9', true],
  ['NGA-712345678-9', true],
  ['GHS-712345678-9', false],
  ['GHA-712345678-99999', false],
  ['GHA-71234S678-9', false],
  ['GH-712345678-9', false],
])('a card with the number %s is accepted: %s', (card, isAccepted) => {
  expect(ghanaCardProblem(card) === null).toBe(isAccepted)
})

test('a name that was copied comes without the marks that nobody sees, and with plain hyphens', () => {
  const given = {
    ...AFA_FORM,
    fullName: '\u200eAma\u00a0Owusu\u2011Ansah\ufeff',
    ghanaCard: 'gha\u2013712345678\u20139',
    town: 'Tema\u200b ',
  }
  expect(afaDetailsForm.parse(given)).toMatchObject({ fullName: 'Ama Owusu-Ansah', ghanaCard: 'GHA-712345678-9', town: 'Tema' })
})
