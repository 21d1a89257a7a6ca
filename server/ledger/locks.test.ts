import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const LOCK_NOT_HAD = '55P03'
const CANCELLED = '57014'

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
        await postMany(ama.account, kofi.account, [`many:${randomUUID()}`], [20])(tx)
        const { rows } = await tx.query(
          `select p.line, p.account_id, p.amount_pesewas as amount, p.balance_after_pesewas as after from postings p
           where p.account_id = any ($1) order by p.entry_id, p.line`,
          [[kofi.account, ama.account]],
        )
        expect(rows).toEqual([
          { line: 2, account_id: kofi.account, amount: 300, after: 300 },
          { line: 2, account_id: kofi.account, amount: 200, after: 500 },
          { line: 1, account_id: kofi.account, amount: -120, after: 380 },
          { line: 2, account_id: ama.account, amount: 120, after: 120 },
          { line: 1, account_id: ama.account, amount: -20, after: 100 },
          { line: 2, account_id: kofi.account, amount: 20, after: 400 },
        ])
        // The first wallet of a shop has the lowest number of all, just above those of the house.
        expect(ama.account).toBe(1000)
        const deltas = await tx.query(`select account_id, pesewas from account_deltas where kind = 'recharge' order by pesewas`)
        expect(deltas.rows).toEqual([
          { account_id: 4, pesewas: -300 },
          { account_id: 4, pesewas: -200 },
        ])
        const wallets = await tx.query('select version from wallets where account_id = any ($1) order by account_id', [
          [ama.account, kofi.account],
        ])
        expect(wallets.rows).toEqual([{ version: 2 }, { version: 4 }])
      },
    )
  })

  test('are booked after the last day that was closed', async () => {
    const closedAt = new Date('2026-11-21T13:00:00Z')
    await whileOther(
      () => Promise.resolve(),
      async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query(
          `insert into day_closes (from_at, until_at, opening_pesewas, closing_pesewas, sheet, counted, signed_by, signed_at)
           values ($1::timestamptz - interval '1 day', $1, 0, 0, '{}', '{}', $2, $1)`,
          [closedAt, ama.id],
        )
        await tx.query('set local session_replication_role = origin')
        await postMany(4, kofi.account, ['many:late'], [100])(tx)
        const { rows } = await tx.query(`select created_at from journal_entries where key = 'many:late'`)
        expect(rows).toEqual([{ created_at: closedAt }])
      },
    )
  })

  test('lock their wallets in one order, so that none is held by who waits for another', async () => {
    const third = await database.db.connect()
    await whileOther(holdWallet(ama.account), async (tx) => {
      await tx.query(`set local lock_timeout = '10s'`)
      const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
      const pid = rows[0]?.pid
      const waiting = postMany(kofi.account, ama.account, ['many:a'], [100])(tx).catch((error: { code: string }) => error.code)
      await until(async () => (await third.query('select from pg_locks where pid = $1 and not granted', [pid])).rowCount === 1)
      await expect(third.query('select from wallets where account_id = $1 for update nowait', [kofi.account])).resolves.toBeDefined()
      await third.query('select pg_cancel_backend($1)', [pid])
      expect(await waiting).toBe(CANCELLED)
    }).finally(() => third.release())
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
