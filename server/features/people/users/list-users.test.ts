import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { SignedInUser, User } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser, PASSWORD } from '../../../../test/builders.ts'

let shop: TestShop
let admin: SignedInUser
let ama: SignedInUser

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin', username: 'boss' })
  ama = await makeUser(shop, { username: 'ama', email: 'ama_b@example.com', phone: '0209998887', balance: 20 })
  for (const name of ['esi', 'yaw', 'kojo', 'abena', 'fiifi']) await makeUser(shop, { username: name, level: 'Agent' })
  await checkout(shop, ama, [await cartLine(shop)])
})
afterAll(() => shop.close())

describe.each(['/user', '/user/account-balances'])('GET %s', (path) => {
  async function list<T = User[]>(as: { token: string }, query: Record<string, string> = {}) {
    const reply = await call<T>(shop, 'GET', path, { as, query })
    return { ...reply, total: Number(reply.headers['x-total-count']) }
  }

  test('shows a customer only themself, whatever they ask for', async () => {
    for (const query of [{}, { search: 'boss' }, { page: '1', pageSize: '50' }, { search: '%' }] as Record<string, string>[]) {
      const { body, total } = await list(ama, query)
      expect([body.map(({ _id }) => _id), total]).toEqual([[ama._id], 1])
    }
    expect((await list(ama)).body[0]).toMatchObject({ username: 'ama', balance: 14.5, totalPurchase: 5.5, userLevel: 'Customer' })
  })

  test('shows an admin all users, the newest first, with their balances', async () => {
    const { body, total } = await list(admin)
    expect(body.map(({ username }) => username)).toEqual(['fiifi', 'abena', 'kojo', 'yaw', 'esi', 'ama', 'boss'])
    expect(total).toBe(7)
    expect(body[5]).toMatchObject({ balance: 14.5, totalPurchase: 5.5 })
  })

  test('shows nobody a password, its hash or a token', async () => {
    const { body } = await list(admin)
    for (const user of body) {
      expect(Object.keys(user).sort()).toEqual(
        [
          '_id',
          'balance',
          'balanceVersion',
          'createdAt',
          'email',
          'isAdmin',
          'phone',
          'status',
          'totalPurchase',
          'userLevel',
          'username',
        ].sort(),
      )
    }
    expect(JSON.stringify(body)).not.toMatch(/argon2|password|token|skeleton/i)
  })

  test('pages and counts', async () => {
    const first = await list(admin, { page: '1', pageSize: '5' })
    const second = await list(admin, { page: '2', pageSize: '5' })
    expect([first.body.length, second.body.length, second.total]).toEqual([5, 2, 7])
    expect([...first.body, ...second.body]).toEqual((await list(admin)).body)
  })

  test.each([
    ['a name', 'AMA', ['ama']],
    ['a phone', '998', ['ama']],
    ['an address, its signs taken literally', 'ama_b@', ['ama']],
    ['a level', 'agent', ['fiifi', 'abena', 'kojo', 'yaw', 'esi']],
    ['a sign that stands for anything', '%', []],
    ['SQL', "'; drop table users; --", []],
  ])('finds by %s', async (_name, search, names) => {
    const { body, total } = await list(admin, { search })
    expect([body.map(({ username }) => username), total]).toEqual([names, names.length])
  })

  test('says how many it found on a page past the end too', async () => {
    const first = await list(admin, { search: 'boss' })
    expect(first.total).toBeGreaterThan(0)
    expect(await list(admin, { search: 'boss', page: '9' })).toMatchObject({ body: [], total: first.total })
    expect(await list(admin, { search: 'nobody of that name' })).toMatchObject({ body: [], total: 0 })
  })

  test('refuses an invalid page by field, and needs a session', async () => {
    const { status, body } = await list<ErrorBody>(admin, { page: 'x' })
    expect([status, body.issues?.[0]?.path]).toEqual([400, 'page'])
    expect((await call(shop, 'GET', path)).status).toBe(401)
  })
})

describe('GET /user/me', () => {
  test('says who is signed in, in the fields of the reply to sign-in, with the balance as it stands', async () => {
    const { token, ...signedIn } = (
      await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: ama.phone, password: PASSWORD } })
    ).body
    const { status, body } = await call<User>(shop, 'GET', '/user/me', { as: { token } })
    expect([status, body]).toEqual([200, signedIn])
    expect(body).toMatchObject({ _id: ama._id, balance: 14.5 })
  })

  test('is about an admin themself too; a visitor is refused', async () => {
    expect((await call<User>(shop, 'GET', '/user/me', { as: admin })).body).toMatchObject({ _id: admin._id, isAdmin: true })
    const { status, body } = await call<ErrorBody>(shop, 'GET', '/user/me')
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED'])
  })
})

describe('a page far down the list', () => {
  /** Some at a time: a statement of thousands, with all their triggers, is too long for a slow machine. */
  async function fill(count: number, age: string) {
    for (let left = count; left > 0; left -= 500) await fillSome(Math.min(left, 500), age)
  }

  async function fillSome(count: number, age: string) {
    await shop.database.db.query(
      `with added as (
         insert into users (username, username_skeleton, email, phone, password_hash, created_at)
         select name, name, name || '@example.com', '03' || lpad((n + (select max(seq) from users))::text, 8, '0'), 'none', $2::timestamptz - $3::interval
         from (select n, 'filler ' || n + (select max(seq) from users) as name from generate_series(1, $1) n) made returning id, seq
       ), opened as (
         insert into accounts (id, code) select 2000000 + seq, 'wallet:' || id from added returning id, code
       )
       insert into wallets (account_id, user_id) select id, right(code, 36)::uuid from opened`,
      [count, shop.clock.now, age],
    )
  }

  test('has those who stand there, whichever blocks were counted and whatever numbers were never given', async () => {
    await fill(1_600, '3 hours')
    await shop.database.db.query(`select nextval(pg_get_serial_sequence('users', 'seq')) from generate_series(1, 1700)`)
    await fill(900, '2 hours')
    await fill(700, '1 minute')
    const { rows } = await shop.database.db.query<{ id: string }>('select id from users order by seq desc')
    for (const [most, blocks] of [
      [0, 0],
      [1, 1],
      [20, 4],
    ]) {
      await shop.database.db.query('select count_user_blocks($1, $2)', [shop.clock.now, most])
      expect((await shop.database.db.query('select from user_blocks')).rowCount).toBe(blocks)
      for (const page of [1, 19, 20, 21, 25, 33, 34, 35, 50, 64, 65, 66, 90]) {
        const { body } = await call<User[]>(shop, 'GET', '/user', { as: admin, query: { page: String(page), pageSize: '50' } })
        expect([page, body.map(({ _id }) => _id)]).toEqual([page, rows.slice((page - 1) * 50, page * 50).map(({ id }) => id)])
      }
    }
  })

  test('of a search lists the newest of those who match, whether many of the newest have the word, a few, one or none', async () => {
    await fill(3_000, '2 hours')
    const { rows: users } = await shop.database.db.query<{ id: string; seq: number }>('select id, seq from users order by seq desc')
    for (const [name, isMeant] of [
      ['everywhere', () => true],
      ['often', (index: number) => index % 20 === 7],
      ['seldom', (index: number) => index % 250 === 7],
      ['as often as is counted with the first page', (index: number) => index % 10 === 7 && index < 300],
      ['once lately', (index: number) => index === 200 || index > 2_900],
      ['long ago', (index: number) => index > 2_900],
    ] as [string, (index: number) => boolean][]) {
      const meant = users.filter((_, index) => isMeant(index)).map(({ id }) => id)
      await shop.database.db.query('alter table users disable trigger user')
      await shop.database.db.query(`update users set username = replace(username, 'zz ', '') where username like 'zz %'`)
      await shop.database.db.query(`update users set username = 'zz ' || username where id = any ($1)`, [meant])
      await shop.database.db.query('alter table users enable trigger user')
      for (const page of [1, 2, 3, 12, 999]) {
        const reply = await call<User[]>(shop, 'GET', '/user', { as: admin, query: { page: String(page), pageSize: '10', search: 'ZZ ' } })
        const expected = meant.slice((page - 1) * 10, page * 10)
        expect([name, page, reply.body.map(({ _id }) => _id)]).toEqual([name, page, expected])
        // Among the newest it counts ten after the page, and a thousand otherwise; where there are more, it says so.
        const { 'x-total-count': total, 'x-total-more': more } = reply.headers
        const counted = more === 'true' ? [page * 10 + 10, 1_000].filter((most) => most < meant.length) : [meant.length]
        expect(counted).toContain(Number(total))
        if (page < 4 && (name === 'everywhere' || name === 'often'))
          expect([name, Number(total), more]).toEqual([name, page * 10 + 10, 'true'])
      }
      const found: string[] = []
      for (let before: string | null = ''; before !== null; ) {
        const query: Record<string, string> = { search: 'ZZ ', ...(before ? { before } : {}) }
        const { body } = await call<{ customers: { _id: string }[]; next: string | null }>(shop, 'GET', '/admin/customers', {
          as: admin,
          query,
        })
        found.push(...body.customers.map(({ _id }) => _id))
        before = found.length < 300 ? body.next : null
      }
      expect([name, found]).toEqual([name, meant.slice(0, found.length)])
      expect(found.length).toBeGreaterThanOrEqual(Math.min(meant.length, 100))
    }
  })
})
