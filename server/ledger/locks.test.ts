import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const LOCK_NOT_HAD = '55P03'

let database: TestDatabase
let ama: { id: string; account: number }
let kofi: { id: string; account: number }

beforeAll(async () => {
  database = await openTestDatabase()
  ama = await makeUser('ama', '0240000001')
  kofi = await makeUser('kofi', '0240000002')
})
afterAll(() => database.close())

async function makeUser(name: string, phone: string) {
  const { rows } = await database.db.query<{ id: string; account: number }>(
    `with made as (
       insert into users (username, username_skeleton, email, phone, password_hash) values ($1, $1, $1 || '@example.com', $2, 'x') returning id
     ) select id, create_wallet(id) as account from made`,
    [name, phone],
  )
  return rows[0]!
}

/** Does one thing while somebody else, in a transaction that goes on, has done another. Neither leaves anything behind. */
async function whileOther(other: (tx: pg.PoolClient) => Promise<unknown>, work: (tx: pg.PoolClient) => Promise<unknown>) {
  const [first, second] = [await database.db.connect(), await database.db.connect()]
  try {
    await first.query('begin')
    await other(first)
    await second.query(`begin; set local lock_timeout = '200ms'`)
    await work(second)
  } finally {
    await second.query('rollback')
    await first.query('rollback')
    first.release()
    second.release()
  }
}

function holdWallet(account: number) {
  return (tx: pg.PoolClient) => tx.query('select from wallets where account_id = $1 for update', [account])
}

function post(accounts: number[], amounts: number[]) {
  return (tx: pg.PoolClient) =>
    tx.query(`select post_entry($1, 'recharge', '', null, $2, $3, $4)`, [`test:${randomUUID()}`, accounts, amounts, NOW])
}

function buy(user: string) {
  return (tx: pg.PoolClient) => tx.query(`select place_wallet_orders($1, $2, 'h', '[]', $3)`, [user, randomUUID(), NOW])
}

describe('while a wallet is locked', () => {
  test('money still moves in another', async () => {
    await expect(whileOther(holdWallet(kofi.account), post([ama.account, 4], [500, -500]))).resolves.toBeUndefined()
  })

  test.each([
    ['as the first line', () => post([kofi.account, 4], [500, -500])],
    ['as the last line', () => post([4, ama.account, kofi.account], [-500, 200, 300])],
  ])('no money moves in it: %s', async (_name, work) => {
    await expect(whileOther(holdWallet(kofi.account), work())).rejects.toMatchObject({ code: LOCK_NOT_HAD })
  })

  test('a purchase from another proceeds, and one from it waits', async () => {
    await expect(whileOther(holdWallet(kofi.account), buy(ama.id))).resolves.toBeUndefined()
    await expect(whileOther(holdWallet(kofi.account), buy(kofi.id))).rejects.toMatchObject({ code: LOCK_NOT_HAD })
  })
})

test('sales do not wait for each other on the house accounts', async () => {
  await expect(whileOther(post([ama.account, 1], [500, -500]), post([kofi.account, 1], [500, -500]))).resolves.toBeUndefined()
})

describe('many entries at once', () => {
  function postMany(from: number, to: number, keys: string[], amounts: number[]) {
    return (tx: pg.PoolClient) => tx.query(`select post_entries('recharge', null, $1, $2, $3, $3, $4, $5)`, [from, to, keys, amounts, NOW])
  }

  test('leave each wallet its balance after each entry, and count each in the totals', async () => {
    const keys = [`many:${randomUUID()}`, `many:${randomUUID()}`]
    await whileOther(
      () => Promise.resolve(),
      async (tx) => {
        await postMany(4, kofi.account, keys, [300, 200])(tx)
        await postMany(kofi.account, ama.account, [`many:${randomUUID()}`], [120])(tx)
        const { rows } = await tx.query(
          `select p.account_id, p.amount_pesewas as amount, p.balance_after_pesewas as after from postings p
           where p.account_id = any ($1) order by p.entry_id, p.line`,
          [[kofi.account, ama.account]],
        )
        expect(rows).toEqual([
          { account_id: kofi.account, amount: 300, after: 300 },
          { account_id: kofi.account, amount: 200, after: 500 },
          { account_id: kofi.account, amount: -120, after: 380 },
          { account_id: ama.account, amount: 120, after: 120 },
        ])
        const deltas = await tx.query(`select pesewas from account_deltas where account_id = 4 and kind = 'recharge' order by pesewas`)
        expect(deltas.rows).toEqual([{ pesewas: -300 }, { pesewas: -200 }])
      },
    )
  })

  test.each([
    ['of which one has a key that was used', (): [number, number, string[]] => [4, kofi.account, ['many:same', 'many:same']], '23505'],
    ['that a wallet cannot pay', (): [number, number, string[]] => [kofi.account, 4, ['many:a', 'many:b']], '23514'],
    ['of a wallet that does not exist', (): [number, number, string[]] => [4, 999_999, ['many:a', 'many:b']], '23514'],
  ])('%s are refused', async (_name, given, code) => {
    const [from, to, keys] = given()
    await expect(whileOther(() => Promise.resolve(), postMany(from, to, keys, [100, 100]))).rejects.toMatchObject({ code })
  })

  test('wait for a locked wallet', async () => {
    await expect(whileOther(holdWallet(kofi.account), postMany(4, kofi.account, ['many:a'], [100]))).rejects.toMatchObject({
      code: LOCK_NOT_HAD,
    })
  })
})
