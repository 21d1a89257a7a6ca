import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../server/platform/config.ts'
import { requireShares } from '../server/platform/http/limit-rate.ts'
import { SHARES, type Share } from '../server/platform/shares.ts'
import { openTestShop, type TestShop } from './app.ts'
import { call, makeUser } from './builders.ts'

const shares = Object.entries<Share>(SHARES)

test('docs/security.md has each share with its figures, and no other', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../docs/security.md'), 'utf8')
  const table = page.slice(page.indexOf('\n## Everybody has a share')).split('\n## ')[1] ?? ''
  const rows = [...table.matchAll(/^\| (?!share |---)(.*) \|$/gm)].map(([, row]) => row)
  expect(rows).toEqual(shares.map(([name, share]) => describeShare(name, share)))
})

function describeShare(name: string, share: Share): string {
  const most = share.most.toLocaleString('en')
  return [name, share.of, share.by, most, describeRenewal(share)].join(' | ')
}

function describeRenewal(share: Share): string {
  if ('ends' in share) return `when ${share.ends}`
  if ('waiting' in share)
    return share.waiting > 0 ? `as one ends; ${share.waiting.toLocaleString('en')} more wait` : 'as one ends; the rest are refused'
  const each = share.inEachProcess ? ', in each process' : ''
  return `one more every ${describeTime(share.everyMs)}${each}`
}

function describeTime(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1_000} s`
}

test('a write that names no share keeps the app from starting', () => {
  const app = Fastify()
  requireShares(app)
  const add = (method: 'GET' | 'POST', config: object) => app.route({ method, url: `/${method}`, config, handler: async () => null })
  expect(() => add('POST', {})).toThrow('POST /POST names no share')
  expect(() => add('POST', { shares: [] })).toThrow('names no share')
  add('POST', { shares: ['changes'] })
  add('GET', {})
})

test('purchases in flight are as many as the settings allow', () => {
  expect(SHARES.purchases.most).toBe(readConfig({}).checkoutLimits.inFlight)
})

describe('rows and bytes', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await openTestShop()
  })
  afterAll(() => shop.close())

  test('have a trigger each, with the same most, and there is no other', async () => {
    const { rows } = await shop.database.db.query<{ table: string; args: Buffer }>(
      `select c.relname as table, t.tgargs as args from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
       where p.proname = 'hold_share' and t.tgparentid = 0`,
    )
    const held = rows.map(({ table, args }) => {
      const [name = '', , most] = args.toString().split('\0')
      return [name, { table, most: Number(most) }]
    })
    const declared = shares.flatMap(([name, share]) =>
      'table' in share ? [[name, { table: share.table, most: share.most }] as const] : [],
    )
    expect(Object.fromEntries(held)).toEqual(Object.fromEntries(declared))
  })

  test('are refused beyond the share, also when many are added at the same time', async () => {
    const user = await makeUser(shop)
    const other = await makeUser(shop)
    for (const { _id } of [user, other]) {
      await shop.database.db.query(
        `insert into contacts (user_id, network, phone, name, created_at, updated_at)
         select $1, 'MTN', '0244' || lpad(n::text, 6, '0'), 'Ama ' || n, now(), now() from generate_series(1, 497) n`,
        [_id],
      )
    }
    const save = (n: number) =>
      call(shop, 'PUT', '/contact', { as: user, body: { network: 'MTN', phoneNumber: `024500000${n}`, name: `Kofi ${n}` } })
    const replies = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(save))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409, 409, 409])
    const { rows } = await shop.database.db.query('select user_id as "userId", count(*) as many from contacts group by 1')
    expect(new Map(rows.map(({ userId, many }) => [userId, many]))).toEqual(
      new Map([
        [user._id, 500],
        [other._id, 497],
      ]),
    )
  })
})
