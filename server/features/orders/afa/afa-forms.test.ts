import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnAfa } from '../../../../shared/afa.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import { AFA_FORM, newGhanaCard } from '../../../../test/afa.ts'
import { IN_GUEST_BROWSER, payInGuestBrowser } from '../../../../test/agent-shop.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { gatewayThat, makeCtx, paid } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { settlePayment } from '../../card/payments/settle-payment.ts'
import { deleteOldAfa } from './delete-old-afa.ts'

const DAY_MS = 86_400_000
let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

type As = { token: string }
const query = async (sql: string, values: unknown[] = []) => (await shop.database.db.query(sql, values)).rows
const formOf = async (as: As, ghanaCard = newGhanaCard()) => {
  const { status, body } = await call<{ form: string } & ErrorBody>(shop, 'POST', '/afa', { as, body: { ...AFA_FORM, ghanaCard } })
  return status === 200 ? body.form : Promise.reject(new Error(body.message))
}
const afaLine = async (form?: string, receiver = '0244123456') => ({
  ...(await cartLine(shop, { network: 'AFA', offer: 'AFA registration' })),
  phoneNumber: receiver,
  ...(form && { afa: form }),
})
const buy = async (as: As, ...forms: (string | undefined)[]) =>
  checkout(shop, as, await Promise.all(forms.map((form, at) => afaLine(form, `024412345${at}`))))
const stateOf = async (as: As, order: string) =>
  (await call<{ registration: OwnAfa }>(shop, 'GET', `/order/${order}/afa`, { as })).body.registration
const formsLeft = async (userId: string) => (await query('select id from afa_forms where user_id = $1', [userId])).length
const erase = (days: number) => {
  const { ctx } = makeCtx(shop)
  return deleteOldAfa({ ...ctx, now: new Date(shop.clock.now.getTime() + days * DAY_MS) }, 30)
}

describe('details given before payment', () => {
  test('go with the order, encrypted, and only AFA orders without them wait for details', async () => {
    const buyer = await makeUser(shop, { balance: 60 })
    const card = newGhanaCard()
    const { status, body } = await buy(buyer, await formOf(buyer, card), undefined)
    expect(status).toBe(200)
    const [given, needed] = body.orders as [Order, Order]
    expect([given.needsDetails, needed.needsDetails]).toEqual([undefined, true])
    expect(await stateOf(buyer, given._id)).toMatchObject({ state: 'received', ghanaCard: `GHA-•••••${card.slice(-6)}` })
    expect((await stateOf(buyer, needed._id)).state).toBe('needed')
    const kept = await query(`select encode(details, 'escape') as text from afa_registrations where order_id = $1`, [given._id])
    expect(JSON.stringify(kept)).not.toContain('Serwaa')
    expect(await formsLeft(buyer._id)).toBe(0)
    const listed = (await call<Order[]>(shop, 'GET', '/order/allorders', { as: buyer })).body
    expect(listed.map(({ _id, needsDetails }) => [_id, needsDetails])).toEqual([
      [needed._id, true],
      [given._id, undefined],
    ])
    const read = (await call<{ progress: object }>(shop, 'GET', `/order/${needed._id}`, { as: buyer })).body
    expect(read.progress).toMatchObject({ needsDetails: true, expected: null })
  })

  test('of another, used up, named twice or of a card that is being registered are refused by field, and nothing is charged', async () => {
    const [buyer, other] = [await makeUser(shop, { balance: 100 }), await makeUser(shop, { balance: 100 })]
    const form = await formOf(buyer)
    const card = newGhanaCard()
    const [two, three] = [await formOf(buyer, card), await formOf(buyer, card)]
    const refused = async (as: As, ...forms: string[]) => {
      const { status, body } = await buy(as, ...forms)
      return [status, body.code, body.issues?.[0]?.path]
    }
    expect(await refused(other, form)).toEqual([409, 'CONFLICT', 'items.0.afa'])
    expect(await refused(buyer, form, form)).toEqual([409, 'CONFLICT', 'items.1.afa'])
    expect(await refused(buyer, form, two, three)).toEqual([409, 'CONFLICT', 'items.2.afa'])
    expect(await refused(buyer, crypto.randomUUID())).toEqual([409, 'CONFLICT', 'items.0.afa'])
    const data = { ...(await cartLine(shop)), afa: form }
    expect((await checkout(shop, buyer, [data])).body.issues[0]?.path).toBe('items.0.afa')
    expect([await balanceOf(shop, buyer._id), await balanceOf(shop, other._id)]).toEqual([10_000, 10_000])

    expect((await buy(buyer, two)).status).toBe(200)
    expect(await refused(buyer, two)).toEqual([409, 'CONFLICT', 'items.0.afa'])
    expect(await refused(buyer, three)).toEqual([409, 'CONFLICT', 'items.0.afa'])
    const again = await call<ErrorBody>(shop, 'POST', '/afa', { as: buyer, body: { ...AFA_FORM, ghanaCard: card } })
    expect([again.status, again.body.code, again.body.issues?.[0]?.path]).toEqual([409, 'TAKEN', 'ghanaCard'])
    // The right ones are still good, and a request that is sent again buys once.
    const key = crypto.randomUUID()
    const line = await afaLine(form)
    const replies = await Promise.all([1, 2, 3].map(() => checkout(shop, buyer, [line], key)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await balanceOf(shop, buyer._id)).toBe(6000)
  })

  test('of a card of somebody else’s order are told apart only by an account with the money for AFA, a few times', async () => {
    const limited = await openTestShop({ withSandbox: true, rateLimits: true })
    const ask = (as: As, ghanaCard: string) => call<{ form: string }>(limited, 'POST', '/afa', { as, body: { ...AFA_FORM, ghanaCard } })
    const line = { ...(await cartLine(limited, { network: 'AFA', offer: 'AFA registration' })), phoneNumber: '0244123456' }
    const buyWith = async (as: As, ghanaCard: string) => {
      const { status, body } = await checkout(limited, as, [{ ...line, ...{ afa: (await ask(as, ghanaCard)).body.form } }])
      return [status, body.code]
    }
    const [card, free] = [newGhanaCard(), newGhanaCard()]
    expect(await buyWith(await makeUser(limited, { balance: 100 }), card)).toEqual([200, undefined])

    const stranger = await makeUser(limited)
    const replies = [await ask(stranger, card), await ask(stranger, free)]
    expect(replies.map(({ status, body }) => [status, Object.keys(body)])).toEqual(Array(2).fill([200, ['form']]))
    expect([await buyWith(stranger, card), await buyWith(stranger, free)]).toEqual(Array(2).fill([402, 'INSUFFICIENT_BALANCE']))
    const pay = async (ghanaCard: string) => {
      const items = [{ ...line, afa: (await ask(stranger, ghanaCard)).body.form }]
      return (await call(limited, 'POST', '/payment', { as: stranger, body: { purpose: 'order', items } })).status
    }
    expect([await pay(card), await pay(free)]).toEqual([200, 200])

    const rich = await makeUser(limited, { balance: 100 })
    const tries: unknown[] = []
    for (let at = 0; at < 11; at++) tries.push(await buyWith(rich, card))
    expect(tries).toEqual([...Array(10).fill([409, 'CONFLICT']), [429, 'TOO_MANY_REQUESTS']])
    expect(await balanceOf(limited, rich._id)).toBe(10_000)

    // An own order that was paid without details takes as few.
    limited.clock.advance(DAY_MS)
    const waiting = (await checkout(limited, rich, [line])).body.orders[0] as Order
    const late: number[] = []
    for (let at = 0; at < 6; at++) {
      late.push((await call(limited, 'POST', `/order/${waiting._id}/afa`, { as: rich, body: { ...AFA_FORM, ghanaCard: card } })).status)
    }
    expect(late).toEqual([...Array(5).fill(409), 429])
    await limited.close()
  })

  test('of one card in the purchases of two people at the same moment: one buys, the other keeps the money', async () => {
    for (let round = 0; round < 5; round++) {
      const buyers = await Promise.all([1, 2].map(() => makeUser(shop, { balance: 40 })))
      const cards = [newGhanaCard(), newGhanaCard()] as const
      // Both want both cards, in either order.
      const wanted = await Promise.all(
        buyers.map(async (buyer, at) => [await formOf(buyer, cards[at as 0 | 1]), await formOf(buyer, cards[(1 - at) as 0 | 1])]),
      )
      const replies = await Promise.all(buyers.map((buyer, at) => buy(buyer, ...(wanted[at] as string[]))))
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
      const balances = await Promise.all(buyers.map((buyer) => balanceOf(shop, buyer._id)))
      expect(balances.sort()).toEqual([0, 4000])
    }
  })

  test.each([
    ['fullName', 'Ama'],
    ['ghanaCard', 'GHA-12345678-0'],
    ['ghanaCard', 'FGN-712345678-9'],
    ['birthDate', '2026-01-01'],
    ['region', 'Lagos'],
    ['consent', false],
  ])('without a proper %s (%s) are refused by field, and nothing is kept', async (path, value) => {
    const as = await makeUser(shop)
    const { status, body } = await call<ErrorBody>(shop, 'POST', '/afa', {
      as,
      body: { ...AFA_FORM, ghanaCard: newGhanaCard(), [path]: value },
    })
    expect([status, body.issues?.[0]?.path, await formsLeft(as._id)]).toEqual([400, path, 0])
  })

  test('with which nothing was bought are erased after two days', async () => {
    const giver = await makeUser(shop)
    const form = await formOf(giver)
    await erase(1)
    expect(await query('select id from afa_forms where id = $1', [form])).toHaveLength(1)
    await erase(3)
    expect(await formsLeft(giver._id)).toBe(0)
  })
})

describe('details of what is paid by card', () => {
  const pay = async (reference: string, pesewas: number) => settlePayment(makeCtx(shop).ctx, gatewayThat(paid(pesewas)), reference)

  test('go with the order once it is paid; are they gone by then, the order waits for them and no money is lost', async () => {
    const buyer = await makeUser(shop)
    const [good, gone] = [await formOf(buyer), await formOf(buyer)]
    const start = async (form: string) =>
      call<{ reference: string; amount: number } & ErrorBody>(shop, 'POST', '/payment', {
        as: buyer,
        body: { purpose: 'order', items: [await afaLine(form)] },
      })
    const stranger = await start(await formOf(await makeUser(shop)))
    expect([stranger.status, stranger.body.issues?.[0]?.path]).toEqual([409, 'items.0.afa'])
    const [one, two] = [await start(good), await start(gone)]
    await query('delete from afa_forms where id = $1', [gone])
    for (const { body } of [one, two]) await pay(body.reference, body.amount)
    const orders = await query('select id from orders where user_id = $1 order by seq', [buyer._id])
    const states = await Promise.all(orders.map(async ({ id }) => (await stateOf(buyer, id)).state))
    expect(states).toEqual(['received', 'needed'])
  })

  test('by a guest belong to that shop alone, and go with the order', async () => {
    await query('update agent_shop_rules set enabled = true, new_shops = true, max_markup = 30, min_profit_pesewas = 10')
    const open = async (slug: string) => {
      const agent = await makeUser(shop, { level: 'Agent' })
      await call(shop, 'POST', '/my-shop', {
        as: agent,
        body: { slug, name: `Shop of ${slug}`, about: 'Madina', colour: 'plum', phone: '0245550100', whatsapp: null },
      })
    }
    await open('abena-afa')
    await open('yaw-afa')
    const give = (slug: string) =>
      call<{ form: string }>(shop, 'POST', `/shops/${slug}/afa`, { body: { ...AFA_FORM, ghanaCard: newGhanaCard() } })
    const start = async (slug: string, form: string) =>
      call<{ reference: string; amount: number } & ErrorBody>(shop, 'POST', `/shops/${slug}/payment`, {
        body: { phone: '0241112223', items: [await afaLine(form)] },
      })
    const { form } = (await give('abena-afa')).body
    expect((await start('yaw-afa', form)).body.issues?.[0]?.path).toBe('items.0.afa')
    const { body } = await start('abena-afa', form)
    await pay(body.reference, body.amount)
    const [order] = await query('select reference, id from orders where payment_reference = $1', [body.reference])
    const read = await call<{ registration: OwnAfa }>(shop, 'GET', `/shops/order/${order.reference}/afa`)
    expect(read.body.registration).toMatchObject({ state: 'received', fullName: 'A… S… M…' })
    // Whoever has the link, or sees the reference among the orders, puts nobody else into it.
    const replace = (headers: Record<string, string>) =>
      call<ErrorBody>(shop, 'POST', `/shops/order/${order.reference}/afa`, {
        headers,
        body: { ...AFA_FORM, ghanaCard: newGhanaCard(), fullName: 'Other Person' },
      })
    expect(await replace({})).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    await payInGuestBrowser(shop)
    expect((await replace(IN_GUEST_BROWSER)).status).toBe(200)
    expect((await give('nobody-afa')).status).toBe(404)
  })

  test('fill no shop: a full one makes room at the address that gave most, and first among those that nobody pays for', async () => {
    const agent = await makeUser(shop, { level: 'Agent' })
    await query('update agent_shop_rules set enabled = true, new_shops = true, max_markup = 30, min_profit_pesewas = 10')
    const about = { name: 'Esi AFA', about: 'Tema', colour: 'plum', phone: '0245550101', whatsapp: null }
    await call(shop, 'POST', '/my-shop', { as: agent, body: { slug: 'esi-afa', ...about } })
    const give = async (remoteAddress: string) => {
      const payload = { ...AFA_FORM, ghanaCard: newGhanaCard() }
      const reply = await shop.app.inject({ method: 'POST', url: '/api/shops/esi-afa/afa', remoteAddress, payload })
      return { status: reply.statusCode, form: reply.json().form as string }
    }
    const first = await give('198.51.100.7')
    const paying = await give('203.0.113.9')
    const { body } = await call<{ reference: string; amount: number }>(shop, 'POST', '/shops/esi-afa/payment', {
      body: { phone: '0241112223', items: [await afaLine(paying.form)] },
    })
    // The rest of the shop's thousand: all of the second address, but for forty of a third, each younger than those above.
    await query(
      `insert into afa_forms (id, shop_id, details, card_hash, consented_at, guest_address)
       select gen_random_uuid(), shop_id, details, card_hash, consented_at + n * interval '1 ms', case when n > 40 then '203.0.113.9' else '192.0.2.5' end
       from afa_forms f, generate_series(1, 998) n where f.id = $1`,
      [first.form],
    )
    const count = async () =>
      query(
        `select guest_address as at, count(*)::int as forms from afa_forms where shop_id = (select id from agent_shops where slug = 'esi-afa')
         group by 1 order by 2, 1`,
      )
    const of = (guest: number, other: number, most: number) => [
      { at: '198.51.100.7', forms: guest },
      { at: '192.0.2.5', forms: other },
      { at: '203.0.113.9', forms: most },
    ]
    expect(await count()).toEqual(of(1, 40, 959))
    const given = [await give('203.0.113.9'), await give('203.0.113.9'), await give('198.51.100.7')]
    expect(given.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await count()).toEqual(of(2, 40, 958))
    await pay(body.reference, body.amount)
    const [order] = await query('select reference from orders where payment_reference = $1', [body.reference])
    const read = await call<{ registration: OwnAfa }>(shop, 'GET', `/shops/order/${order.reference}/afa`)
    expect(read.body.registration.state).toBe('received')
    await query(`delete from afa_forms where shop_id = (select id from agent_shops where slug = 'esi-afa')`)
  })
})

describe('an order of AFA by the developer API', () => {
  const person = {
    full_name: 'Ama Serwaa Mensah',
    birth_date: '1990-05-17',
    region: 'Ashanti',
    town: 'Kumasi',
    occupation: 'Farmer',
    consent: true,
  }
  const order = (more: object = {}) => ({
    network: 'AFA',
    offer: 'AFA registration',
    receiver: '0244123456',
    expected_price: '13.00',
    ...more,
  })
  const withPerson = (more: object = {}) => ({ ...order(), afa: { ...person, ghana_card: newGhanaCard(), ...more } })

  async function agentWithKey(test = false) {
    const agent = await makeUser(shop, { level: 'Agent', balance: 100 })
    const scopes = ['orders:read', 'orders:write']
    const { body } = await call<{ secret: string }>(shop, 'POST', '/api-keys', {
      as: agent,
      body: { name: 'Till', scopes, test },
    })
    return { agent, secret: body.secret }
  }
  const ask = async (secret: string, path: string, body: object, key: string = crypto.randomUUID()) => {
    const headers = { authorization: `Bearer ${secret}`, 'idempotency-key': key }
    const reply = await shop.app.inject({ method: 'POST', url: `/v1${path}`, headers, payload: body })
    return { status: reply.statusCode, text: reply.body, body: reply.json(), headers: reply.headers }
  }

  test('takes the details, keeps them, never repeats them, and buys once', async () => {
    const { agent, secret } = await agentWithKey()
    const [body, key] = [withPerson(), crypto.randomUUID()]
    const first = await ask(secret, '/orders', body, key)
    const again = await ask(secret, '/orders', body, key)
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true'])
    expect(first.text).not.toMatch(/Serwaa|GHA-|Kumasi/)
    const [row] = await query('select id from orders where seq = $1', [first.body.id.slice('ord_'.length)])
    expect(await stateOf(agent, row.id)).toMatchObject({ state: 'received', fullName: 'A… S… M…' })
    // Another person under the same key is another purchase.
    expect((await ask(secret, '/orders', withPerson(), key)).body.code).toBe('KEY_REUSED')
    // The same card again, in whatever purchase.
    const taken = await ask(secret, '/orders', { ...body })
    expect([taken.status, taken.body.issues?.[0]?.path]).toEqual([409, 'afa'])
    const many = await ask(secret, '/orders/bulk', { orders: [withPerson(), withPerson()] })
    expect([many.status, many.body.data?.length]).toEqual([201, 2])
    expect([await balanceOf(shop, agent._id), await formsLeft(agent._id)]).toEqual([10_000 - 3 * 1300, 0])
  })

  test('by a test key is the same as long as its details are, and another purchase with others', async () => {
    const { agent, secret } = await agentWithKey(true)
    const [body, key] = [withPerson(), crypto.randomUUID()]
    const first = await ask(secret, '/orders', body, key)
    const again = await ask(secret, '/orders', body, key)
    expect([first.status, again.body, again.headers['idempotency-replayed']]).toEqual([201, first.body, 'true'])
    for (const changed of [withPerson(), { ...body, afa: { ...body.afa, town: 'Tamale' } }]) {
      const other = await ask(secret, '/orders', changed, key)
      expect([other.status, other.body.code]).toEqual([409, 'KEY_REUSED'])
    }
    const bulk = await ask(secret, '/orders/bulk', { orders: [body] }, 'a-key-of-many-lines')
    const otherBulk = await ask(secret, '/orders/bulk', { orders: [withPerson()] }, 'a-key-of-many-lines')
    expect([bulk.status, otherBulk.body.code, await formsLeft(agent._id)]).toEqual([201, 'KEY_REUSED', 0])
  })

  test('is refused without the details, by field, and so is anything else with them; a refused one leaves nothing behind', async () => {
    const { agent, secret } = await agentWithKey()
    const twice = withPerson()
    const asked: [string, object, string][] = [
      ['/orders', order(), 'afa'],
      ['/orders/bulk', { orders: [withPerson(), order()] }, 'orders.1.afa'],
      ['/orders', withPerson({ full_name: 'Ama' }), 'afa.full_name'],
      ['/orders', withPerson({ ghana_card: 'GHA-1' }), 'afa.ghana_card'],
      ['/orders', withPerson({ ghana_card: 'FGN-712345678-9' }), 'afa.ghana_card'],
      ['/orders', withPerson({ birth_date: '1990-02-30' }), 'afa.birth_date'],
      ['/orders', withPerson({ region: 'Lagos' }), 'afa.region'],
      ['/orders', withPerson({ consent: false }), 'afa.consent'],
      ['/orders/bulk', { orders: [twice, twice] }, 'orders.1.afa.ghana_card'],
      ['/orders', { ...withPerson(), network: 'MTN', offer: '1GB' }, 'afa'],
    ]
    for (const [path, body, field] of asked) {
      const reply = await ask(secret, path, body)
      expect([path, field, reply.status, reply.body.issues?.[0]?.path]).toEqual([path, field, 400, field])
    }
    expect((await ask(secret, '/orders', { ...withPerson(), expected_price: '1.00' })).body.code).toBe('PRICE_CHANGED')
    const trial = await agentWithKey(true)
    const tried = await Promise.all([order(), withPerson()].map((body) => ask(trial.secret, '/orders', body)))
    expect([tried.map(({ status }) => status), await formsLeft(trial.agent._id)]).toEqual([[400, 201], 0])
    for (const field of ['orders.1.afa.ghana_card', 'orders.0.afa.ghana_card']) {
      const orders = field.startsWith('orders.1') ? [twice, twice] : [withPerson({ ghana_card: 'FGN-712345678-9' })]
      expect((await ask(trial.secret, '/orders/bulk', { orders })).body.issues?.[0]?.path).toBe(field)
    }
    expect((await ask(secret, '/lists', { orders: [withPerson()] })).status).toBe(400)
    expect([await balanceOf(shop, agent._id), await formsLeft(agent._id)]).toEqual([10_000, 0])
  })
})

describe('erasing while staff read', () => {
  async function ended() {
    const buyer = await makeUser(shop, { balance: 20 })
    const { body } = await buy(buyer, await formOf(buyer))
    const order = (body.orders[0] as Order)._id
    const staff = await makeUser(shop, { roles: ['orders'] })
    const batch = await call(shop, 'POST', '/admin/afa/export', { as: staff, body: {} })
    expect(batch.status).toBe(200)
    await call(shop, 'PUT', `/order/update-status/${order}`, { as: staff, body: { status: 'completed' } })
    const [row] = await query('select batch from afa_registrations where order_id = $1', [order])
    const read = {
      reveal: () => call<ErrorBody>(shop, 'POST', `/admin/afa/${order}/reveal`, { as: staff, body: { reason: 'The buyer called.' } }),
      export: () => call<ErrorBody>(shop, 'POST', '/admin/afa/export', { as: staff, body: { batch: row.batch } }),
    }
    const records = async () =>
      (
        await query(
          `select action from admin_actions where (subject_id = $1 and action = 'afa.open') or (subject_id = $2 and action = 'afa.export-again')`,
          [order, String(row.batch)],
        )
      ).length
    const isErased = async () =>
      (await query('select from afa_registrations where order_id = $1 and details is null', [order])).length === 1
    return { read, records, isErased }
  }

  /** Whoever wants to record what they do waits until `release`, with what they have read or erased locked. */
  async function holdTheRecord() {
    const holder = await shop.database.db.connect()
    await holder.query('begin; lock table admin_actions in share mode')
    return {
      waits: () => until(() => isWaitedFor(holder)),
      release: async () => {
        await holder.query('rollback')
        holder.release()
      },
    }
  }

  test.each(['reveal', 'export'] as const)(
    '%s: who reads first reads it whole and is recorded, and it is erased the next time',
    async (how) => {
      const { read, records, isErased } = await ended()
      const record = await holdTheRecord()
      const reading = read[how]()
      await record.waits()
      // It does not wait for the reader, who may take long: neither holds what the other wants.
      await erase(31)
      expect(await isErased()).toBe(false)
      await record.release()
      expect((await reading).status).toBe(200)
      expect(await records()).toBe(1)
      await erase(31)
      expect(await isErased()).toBe(true)
    },
  )

  test.each(['reveal', 'export'] as const)(
    '%s: who comes while it is being erased waits, reads nothing, and nothing is recorded',
    async (how) => {
      const { read, records, isErased } = await ended()
      const record = await holdTheRecord()
      const erasing = erase(31)
      await record.waits()
      let answered = false
      const reading = read[how]().finally(() => {
        answered = true
      })
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%afa_registrations%for share%'`
      await until(async () => (await query(waiting)).length > 0)
      expect(answered).toBe(false)
      await record.release()
      await erasing
      const { status, body } = await reading
      expect([status, body.message]).toEqual(how === 'reveal' ? [409, 'The details were erased.'] : [404, expect.any(String)])
      expect([await isErased(), await records()]).toEqual([true, 0])
    },
  )
})
