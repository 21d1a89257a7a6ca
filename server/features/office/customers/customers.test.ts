import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Customer, CustomerLine, CustomerRecharge, CustomerReport } from '../../../../shared/customers.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { Movement } from '../../../../shared/wallet.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeUser, PASSWORD } from '../../../../test/builders.ts'

let shop: TestShop
let owner: SignedInUser
let comfort: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
  owner = await makeUser(shop, { level: 'Admin', username: 'akua' })
  comfort = await makeUser(shop, { username: 'comfort amoah', phone: '0547883672' })
})
afterAll(() => shop.close())

type Page = { customers: CustomerLine[]; total: number | null; next: string | null }

async function find(search: string): Promise<{ name: string; found: string | null }[]> {
  const { status, body } = await call<Page>(shop, 'GET', '/admin/customers', { as: owner, query: { search } })
  expect(status).toBe(200)
  return body.customers.map(({ username, found }) => ({ name: username, found }))
}

async function namesOf(search: string): Promise<string[]> {
  return (await find(search)).map(({ name }) => name)
}

async function read(id: string, as = owner): Promise<Customer> {
  return (await call<{ customer: Customer }>(shop, 'GET', `/admin/customers/${id}`, { as })).body.customer
}

function post<T = { customer: Customer } & ErrorBody>(path: string, body: unknown, as: { token: string } = owner) {
  return call<T>(shop, 'POST', `/admin/customers/${path}`, { as, body })
}

function credit(user: SignedInUser, amount: number, as = owner, note = '') {
  return call(shop, 'PUT', '/user/balance', { as, body: { chosenId: user._id, amount, note } })
}

/** The number of the credit that the page offers to undo. */
async function creditOf(user: SignedInUser): Promise<string> {
  return (await read(user._id)).wallet!.lastCredit!.entry
}

describe('a customer is found', () => {
  test.each(['0547883672', '054 788 3672', '+233 54 788 3672', '233547883672', '547883672', '0547 883', '788367'])(
    'by the number typed as %s',
    async (typed) => {
      expect(await namesOf(typed)).toEqual(['comfort amoah'])
    },
  )

  test('by the number only below the page before', async () => {
    const { rows } = await shop.database.db.query<{ seq: number }>('select seq from users where id = $1', [comfort._id])
    const seq = rows[0]!.seq
    const pageBelow = async (before: number) =>
      (await call<Page>(shop, 'GET', '/admin/customers', { as: owner, query: { search: '0547883672', before: `${before}` } })).body
        .customers
    expect(await pageBelow(seq + 1)).toHaveLength(1)
    expect(await pageBelow(seq)).toEqual([])
  })

  test('by a part of the name, in any case, and by the e-mail', async () => {
    expect(await namesOf('COMF')).toEqual(['comfort amoah'])
    expect(await namesOf('fort  amo')).toEqual(['comfort amoah'])
    expect(await namesOf(comfort.email)).toEqual(['comfort amoah'])
    expect(await namesOf('nobody of that name')).toEqual([])
    expect(await namesOf('%')).toEqual([])
  })

  test('by an order’s number and reference, by who it was for, by a top-up and a payment', async () => {
    const buyer = await makeUser(shop, { username: 'esi the buyer', balance: 20 })
    const [order] = (await checkout(shop, buyer, [await cartLine(shop, { phoneNumber: '0559998887' })])).body.orders as [Order]
    expect(await find(order.number)).toContainEqual({ name: 'esi the buyer', found: `Bought order ${order.number}` })
    expect(await find(`#${order.number}`)).toEqual([{ name: 'esi the buyer', found: `Bought order ${order.number}` }])
    expect(await find(order.reference)).toEqual([{ name: 'esi the buyer', found: `Bought order ${order.number}, ${order.reference}` }])
    expect(await find('+233559998887')).toEqual([{ name: 'esi the buyer', found: 'Bought for 055 999 8887' }])
    await shop.database.db.query('select index_new_orders()')
    expect(await find('055 999 8887')).toEqual([{ name: 'esi the buyer', found: 'Bought for 055 999 8887' }])
    const { rechargeId } = (await call<{ rechargeId: string }>(shop, 'POST', '/recharge', { as: buyer, body: { amount: 60 } })).body
    expect(await find(rechargeId)).toContainEqual({ name: 'esi the buyer', found: `Asked for top-up ${rechargeId}` })
    await shop.database.db.query(
      `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, created_at) values ('PAYREFOFESI1', $1, 'agent-upgrade', 5000, 150, now())`,
      [buyer._id],
    )
    expect(await find('PAYREFOFESI1')).toEqual([{ name: 'esi the buyer', found: 'Paid PAYREFOFESI1' }])
  })

  test('not under another’s number, whatever the name says', async () => {
    await shop.database.db.query(`update users set username = 'not 0547883672' where id = $1`, [(await makeUser(shop))._id])
    expect(await namesOf('0547883672')).toEqual(['comfort amoah'])
  })

  test('on pages that neither repeat nor skip anyone, newest first, with the number of all', async () => {
    for (let made = 0; made < 45; made++) await makeUser(shop, { username: `crowd ${made}` })
    const seen: string[] = []
    let before: string | null = null
    do {
      const query: Record<string, string> = { search: 'crowd', ...(before === null ? {} : { before }) }
      const { body }: { body: Page } = await call<Page>(shop, 'GET', '/admin/customers', { as: owner, query })
      expect(body.customers.length).toBeLessThanOrEqual(20)
      seen.push(...body.customers.map(({ username }) => username))
      before = body.next
      // Someone who registers meanwhile comes before the first page, and moves nobody.
      await makeUser(shop)
    } while (before !== null)
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => `crowd ${44 - index}`))
    const { body } = await call<Page>(shop, 'GET', '/admin/customers', { as: owner })
    const { rows } = await shop.database.db.query<{ total: number }>('select count(*) as total from users')
    expect([body.customers.length, body.total]).toEqual([20, rows[0]!.total])
  })

  test('by staff only', async () => {
    for (const as of [comfort, await makeUser(shop, { level: 'Agent' })]) {
      for (const path of ['', `/${comfort._id}`, `/${comfort._id}/statement`, `/${comfort._id}/orders`]) {
        expect((await call(shop, 'GET', `/admin/customers${path}`, { as })).status).toBe(403)
      }
    }
  })
})

describe('a customer’s page', () => {
  test('has the wallet, today, what waits, and what happened, page by page', async () => {
    const kofi = await makeUser(shop, { username: 'kofi', level: 'Agent' })
    await credit(kofi, 1_000, owner, 'opening')
    const line = await cartLine(shop, { as: 'Agent' })
    for (let round = 0; round < 3; round++) await checkout(shop, kofi, Array(45).fill(line))
    await call(shop, 'POST', '/recharge', { as: kofi, body: { amount: 75 } })
    const orders: Order[] = []
    const movements: Movement[] = []
    for (let before: string | null = ''; before !== null; ) {
      const query: Record<string, string> = before === '' ? {} : { before }
      const { body } = await call<{ orders: Order[]; next: string | null }>(shop, 'GET', `/admin/customers/${kofi._id}/orders`, {
        as: owner,
        query,
      })
      orders.push(...body.orders)
      before = body.next
    }
    for (let before: string | null = ''; before !== null; ) {
      const query: Record<string, string> = before === '' ? {} : { before }
      const { body } = await call<{ lines: Movement[]; next: string | null }>(shop, 'GET', `/admin/customers/${kofi._id}/statement`, {
        as: owner,
        query,
      })
      movements.push(...body.lines)
      before = body.next
    }
    expect(new Set(orders.map(({ _id }) => _id)).size).toBe(135)
    expect(movements.map(({ orderId }) => orderId)).toEqual([...orders.map(({ _id }) => _id), null])
    expect(movements.at(-1)).toMatchObject({ kind: 'Credit by the shop', details: 'opening', by: 'akua', amount: 1_000, balance: 1_000 })
    let balance = 0
    for (const { amount, balance: after } of movements.toReversed()) {
      balance = Math.round((balance + amount) * 100) / 100
      expect(after).toBe(balance)
    }
    await shop.database.db.query(`insert into reports (order_id, opened_at) values ($1, now())`, [orders[0]!._id])
    expect(await read(kofi._id)).toMatchObject({
      username: 'kofi',
      userLevel: 'Agent',
      wallet: { balance, totalPurchase: Math.round((1_000 - balance) * 100) / 100, lastCredit: { amount: 1_000, by: 'akua', mine: true } },
      today: { orders: 135, amount: Math.round((1_000 - balance) * 100) / 100 },
      waitingTopUps: 1,
      openReports: 1,
    })
    const reports = await call<{ reports: CustomerReport[] }>(shop, 'GET', `/admin/customers/${kofi._id}/reports`, { as: owner })
    expect(reports.body.reports).toMatchObject([{ number: orders[0]!.number, status: 'open', receiver: '0551234567' }])
    const asked = await call<{ recharges: CustomerRecharge[] }>(shop, 'GET', `/admin/customers/${kofi._id}/recharges`, { as: owner })
    expect(asked.body.recharges).toMatchObject([{ amount: 75, status: 'pending' }])
    const csv = await call<string>(shop, 'GET', '/export/customer-statement', { as: owner, query: { customer: kofi._id } })
    expect(csv.body.split('\r\n').length).toBe(movements.length + 2)
    expect(csv.body).toContain(`Credit by the shop,opening,,1000.00,1000.00,akua`)
  })

  test('of nobody is a 404, everywhere', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000'
    for (const path of ['', '/statement', '/orders', '/recharges', '/reports']) {
      expect((await call(shop, 'GET', `/admin/customers/${nobody}${path}`, { as: owner })).status).toBe(404)
    }
    expect((await call(shop, 'GET', '/export/customer-statement', { as: owner, query: { customer: nobody } })).status).toBe(404)
  })
})

describe('undoing a credit', () => {
  test('takes it back by a counter-entry that the customer reads, and offers the one before', async () => {
    const ama = await makeUser(shop)
    await credit(ama, 30)
    await credit(ama, 20)
    const { status, body } = await post(`${ama._id}/credit/undo`, { entry: await creditOf(ama) })
    expect([status, body.customer.wallet?.balance, body.customer.wallet?.lastCredit?.amount]).toEqual([200, 30, 30])
    const { body: lines } = await call<Movement[]>(shop, 'GET', '/wallet/statement', { as: ama })
    expect(lines[0]).toMatchObject({ amount: -20, balance: 30, details: 'We took back a credit that was made by mistake.' })
    const { rows } = await shop.database.db.query<{ actor: string; key: string }>(
      `select e.key, u.username as actor from journal_entries e join users u on u.id = e.actor_id where e.key like 'credit-undo:%' order by e.id desc limit 1`,
    )
    expect(rows).toEqual([{ actor: 'akua', key: expect.stringMatching(/^credit-undo:\d+$/) }])
  })

  test('of more than the owner’s limit takes the password again', async () => {
    const ama = await makeUser(shop)
    await credit(ama, 600)
    const entry = await creditOf(ama)
    shop.clock.advance(6 * 60_000)
    expect((await post(`${ama._id}/credit/undo`, { entry })).body.code).toBe('PASSWORD_NEEDED')
    await call(shop, 'POST', '/user/me/confirm-password', { as: owner, body: { password: PASSWORD } })
    expect((await post(`${ama._id}/credit/undo`, { entry })).status).toBe(200)
  })

  test('works once, also for two admins at the same time', async () => {
    const ama = await makeUser(shop)
    await credit(ama, 15)
    await credit(ama, 25)
    const entry = await creditOf(ama)
    const other = await makeUser(shop, { level: 'Admin' })
    const replies = await Promise.all([owner, other, owner, other].map((as) => post(`${ama._id}/credit/undo`, { entry }, as)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body).toEqual({
      code: 'ALREADY_DECIDED',
      message: 'That credit is already undone.',
    })
    expect(await balanceOf(shop, ama._id)).toBe(1500)
  })

  test('of money already spent is refused with a sentence, and moves nothing', async () => {
    const ama = await makeUser(shop)
    await credit(ama, 20)
    const entry = await creditOf(ama)
    await checkout(shop, ama, [await cartLine(shop)])
    const { status, body } = await post(`${ama._id}/credit/undo`, { entry })
    expect([status, body.code]).toEqual([402, 'INSUFFICIENT_BALANCE'])
    expect(body.message).toBe(
      'The credit of ¢20.00 can’t be undone: only ¢14.50 is left in the wallet. Debit what is left, if you want it back.',
    )
    expect(await balanceOf(shop, ama._id)).toBe(1450)
  })

  test('while it is being spent ends in one of the two, never below zero', async () => {
    const ama = await makeUser(shop)
    await credit(ama, 5.5)
    const entry = await creditOf(ama)
    const [undone, bought] = await Promise.all([post(`${ama._id}/credit/undo`, { entry }), checkout(shop, ama, [await cartLine(shop)])])
    expect([undone.status, bought.status].sort()).toEqual([200, 402])
    expect(await balanceOf(shop, ama._id)).toBe(0)
  })

  test('of a debit, an order, another’s credit or nothing at all is refused', async () => {
    const [ama, esi] = [await makeUser(shop), await makeUser(shop, { balance: 50 })]
    await credit(esi, 5)
    const another = await creditOf(esi)
    await credit(esi, -5)
    const { rows } = await shop.database.db.query<{ id: string }>('select max(id)::text as id from journal_entries')
    for (const [user, entry] of [
      [ama, another],
      [esi, rows[0]!.id],
      [esi, '999999999999'],
    ] as const) {
      expect((await post(`${user._id}/credit/undo`, { entry })).status).toBe(404)
    }
    expect((await post(`${ama._id}/credit/undo`, { entry: another }, ama)).status).toBe(403)
  })

  test('is offered for a day', async () => {
    const ama = await makeUser(shop)
    await credit(ama, 20)
    expect((await read(ama._id)).wallet?.lastCredit).toMatchObject({ amount: 20, mine: true })
    const start = shop.clock.now
    shop.clock.advance(25 * 3_600_000)
    const { body } = await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: owner.phone, password: PASSWORD } })
    expect((await read(ama._id, body)).wallet?.lastCredit).toBeNull()
    shop.clock.now = start
  })
})

describe('sessions', () => {
  test('are listed by device, and one or all end at once', async () => {
    const ama = await makeUser(shop)
    const signIn = async (agent: string) =>
      (
        await call<SignedInUser>(shop, 'POST', '/user/login', {
          body: { userPhone: ama.phone, password: PASSWORD },
          headers: { 'user-agent': agent },
        })
      ).body
    const phone = await signIn('Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36')
    const laptop = await signIn('Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/120.0 Safari/537.36')
    const { sessions } = await read(ama._id)
    expect(sessions.map(({ device }) => device).sort()).toEqual(['Chrome on Android', 'Chrome on Windows', null])
    const lost = sessions.find(({ device }) => device === 'Chrome on Android')!
    const one = await post(`${ama._id}/sessions/end`, { session: lost._id })
    expect([one.status, one.body.customer.sessions.length]).toEqual([200, 2])
    const statusOf = async (as: { token: string }) => (await call(shop, 'GET', '/user/me', { as })).status
    expect([await statusOf(phone), await statusOf(laptop)]).toEqual([401, 200])
    expect((await post(`${ama._id}/sessions/end`, { session: lost._id })).status).toBe(404)
    expect((await post(`${ama._id}/sessions/end`, {})).body.customer.sessions).toEqual([])
    expect(await statusOf(laptop)).toBe(401)
    expect((await post(`${owner._id}/sessions/end`, {})).status).toBe(409)
  })

  test('of whoever works here are ended by an owner alone', async () => {
    const [helper, finance] = [await makeUser(shop, { roles: ['support'] }), await makeUser(shop, { roles: ['finance'] })]
    for (const { _id } of [owner, finance]) expect((await post(`${_id}/sessions/end`, {}, helper)).status).toBe(403)
    expect((await call(shop, 'GET', '/user/me', { as: finance })).status).toBe(200)
    expect((await post(`${finance._id}/sessions/end`, {})).status).toBe(200)
  })
})

describe('notes', () => {
  test('are read by all staff and deleted by their writer alone', async () => {
    const ama = await makeUser(shop)
    const other = await makeUser(shop, { level: 'Admin', username: 'kwesi' })
    expect((await post(`${ama._id}/notes`, { text: '   ' })).status).toBe(400)
    await post(`${ama._id}/notes`, { text: ' Pays on Fridays. Call, don’t text. ' })
    const { body } = await post(`${ama._id}/notes`, { text: 'Owes us a call' }, other)
    expect(body.customer.notes.map(({ text, by, mine }) => [text, by, mine])).toEqual([
      ['Owes us a call', 'kwesi', true],
      ['Pays on Fridays. Call, don’t text.', 'akua', false],
    ])
    const mine = body.customer.notes[1]!
    const remove = (as: SignedInUser) =>
      call<{ customer: Customer }>(shop, 'DELETE', `/admin/customers/${ama._id}/notes/${mine._id}`, { as })
    expect((await remove(other)).status).toBe(404)
    expect((await remove(owner)).body.customer.notes.map(({ text }) => text)).toEqual(['Owes us a call'])
    expect((await remove(owner)).status).toBe(404)
  })
})
