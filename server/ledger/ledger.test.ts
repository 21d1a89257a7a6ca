import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'
import { type Tx, transaction } from '../platform/db.ts'
import { InsufficientBalance } from '../platform/errors.ts'
import { ADJUSTMENTS, AGENT_UPGRADE_FEES, SALES } from './accounts.ts'
import { type EntryKind, findWallet, lockWallet, lockWalletOf, openWallet, postTransfer, type Transfer } from './ledger.ts'

const NOW = new Date('2026-11-21T12:00:00Z')

/** The lines of a transfer as text: "ama -500, sales 500", in pesewas. */
type Lines = string

let database: TestDatabase
/** Two users with 100.00 each, anew for every test. */
let userIds: Record<'ama' | 'kofi', string>
let accounts: Record<string, number>

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

beforeEach(async () => {
  userIds = { ama: await makeUser(), kofi: await makeUser() }
  const house = { sales: SALES, fees: AGENT_UPGRADE_FEES, adjustments: ADJUSTMENTS }
  const unknown = { nobody: 999_999_999, missing: 42 }
  accounts = { ama: await accountOf(userIds.ama), kofi: await accountOf(userIds.kofi), ...house, ...unknown }
  for (const name of ['ama', 'kofi']) await post(transfer(`${name} 10000, adjustments -10000`))
})

async function makeUser(): Promise<string> {
  return transaction(database.db, async (tx) => {
    const name = randomUUID().slice(0, 18)
    const { rows } = await tx.query<{ id: string }>(
      `insert into users (username, username_skeleton, email, phone, password_hash)
       values ($1, $1, $1 || '@example.com', lpad((floor(random() * 1e10))::bigint::text, 10, '0'), 'x') returning id`,
      [name],
    )
    await openWallet(tx, rows[0]!.id)
    return rows[0]!.id
  })
}

async function accountOf(userId: string): Promise<number> {
  return (await findWallet(database.db, userId))!.accountId
}

function transfer(lines: Lines, given: Partial<Transfer> = {}): Transfer {
  return {
    key: `test:${randomUUID()}`,
    kind: 'admin-credit',
    memo: '',
    actorId: null,
    now: NOW,
    ...given,
    lines: lines
      .split(', ')
      .filter(Boolean)
      .map((line) => line.split(' '))
      .map(([account = '', amount]) => ({ accountId: accounts[account]!, amountPesewas: Number(amount) })),
  }
}

function post(what: Transfer): Promise<void> {
  return transaction(database.db, (tx) => postTransfer(tx, what))
}

async function balances(): Promise<{ ama: number; kofi: number }> {
  const [ama, kofi] = await Promise.all([findWallet(database.db, userIds.ama), findWallet(database.db, userIds.kofi)])
  return { ama: ama!.balancePesewas, kofi: kofi!.balancePesewas }
}

async function countEntries(): Promise<number> {
  const { rows } = await database.db.query<{ total: number }>('select count(*) as total from journal_entries')
  return rows[0]!.total
}

describe('a transfer', () => {
  test.each<[string, Lines, { ama: number; kofi: number }]>([
    ['from the house to a wallet', 'ama 500, adjustments -500', { ama: 10_500, kofi: 10_000 }],
    ['from a wallet to the house', 'ama -500, sales 500', { ama: 9_500, kofi: 10_000 }],
    ['of all there is', 'ama -10000, sales 10000', { ama: 0, kofi: 10_000 }],
    ['from wallet to wallet', 'ama -2500, kofi 2500', { ama: 7_500, kofi: 12_500 }],
    ['in three lines', 'ama 530, sales -500, fees -30', { ama: 10_530, kofi: 10_000 }],
    ['twice over one wallet', 'ama -700, ama 200, sales 500', { ama: 9_500, kofi: 10_000 }],
    ['within the house', 'sales 500, adjustments -500', { ama: 10_000, kofi: 10_000 }],
    ['of one pesewa', 'ama 1, adjustments -1', { ama: 10_001, kofi: 10_000 }],
    ['of ten million cedis', 'ama 1000000000, adjustments -1000000000', { ama: 1_000_010_000, kofi: 10_000 }],
  ])('%s moves exactly that', async (_name, lines, after) => {
    await post(transfer(lines))
    expect(await balances()).toEqual(after)
  })

  test.each<[string, Lines, RegExp]>([
    ['that does not balance', 'ama 500, adjustments -499', /does not balance: its postings sum to 1/],
    ['of one line', 'ama 500', /has 1 postings, at least two are needed/],
    ['of no line', '', /has 0 postings/],
    ['with a line of nothing', 'ama 500, adjustments -500, sales 0', /postings_amount_pesewas_check/],
    ['over an account that is not there', 'ama -500, missing 500', /foreign key/],
    ['over a wallet that is not there', 'ama -500, nobody 500', /query returned no rows/],
    ['with a part of a pesewa', 'ama 0.5, adjustments -0.5', /invalid input syntax for type bigint/],
    ['beyond the numbers of the database', 'ama 1e19, adjustments -1e19', /out of range/],
  ])('%s is refused and leaves no trace', async (_name, lines, message) => {
    const before = await countEntries()
    await expect(post(transfer(lines))).rejects.toThrow(message)
    expect([await countEntries(), await balances()]).toEqual([before, { ama: 10_000, kofi: 10_000 }])
  })

  test.each<[string, Lines]>([
    ['by a pesewa', 'ama -10001, sales 10001'],
    ['on its way', 'ama -10001, ama 10001'],
    ['in the second of two wallets', 'kofi -1, ama -20000, sales 20001'],
  ])('that would take a wallet below zero %s is refused with a message and leaves no trace', async (_name, lines) => {
    const before = await countEntries()
    await expect(post(transfer(lines))).rejects.toThrow(InsufficientBalance)
    expect([await countEntries(), await balances()]).toEqual([before, { ama: 10_000, kofi: 10_000 }])
  })

  test('in a transaction that fails later is undone', async () => {
    const before = await countEntries()
    const failing = transaction(database.db, async (tx) => {
      await postTransfer(tx, transfer('ama 500, adjustments -500'))
      throw new Error('and then the power went')
    })
    await expect(failing).rejects.toThrow('and then the power went')
    expect([await countEntries(), await balances()]).toEqual([before, { ama: 10_000, kofi: 10_000 }])
  })

  test('records actor, reason, time and each new balance', async () => {
    const what = transfer('ama -300, kofi 300', { kind: 'admin-debit', memo: 'a present', actorId: userIds.ama })
    await post(what)
    const { rows } = await database.db.query(
      `select e.kind, e.memo, e.actor_id, e.created_at, p.line, p.account_id, p.amount_pesewas, p.balance_after_pesewas
       from journal_entries e join postings p on p.entry_id = e.id where e.key = $1 order by p.line`,
      [what.key],
    )
    const entry = { kind: 'admin-debit', memo: 'a present', actor_id: userIds.ama, created_at: NOW }
    expect(rows).toEqual([
      { ...entry, line: 1, account_id: accounts.ama, amount_pesewas: -300, balance_after_pesewas: 9_700 },
      { ...entry, line: 2, account_id: accounts.kofi, amount_pesewas: 300, balance_after_pesewas: 10_300 },
    ])
  })

  test('increases the version of every wallet it touches', async () => {
    const version = async () => (await findWallet(database.db, userIds.ama))!.version
    const before = await version()
    await post(transfer('ama -5, kofi 5'))
    expect(await version()).toBe(before + 1)
  })
})

test('a user’s wallet is found, and a missing one stops the write', async () => {
  const kofi = await findWallet(database.db, userIds.kofi)
  expect(await transaction(database.db, (tx) => lockWalletOf(tx, userIds.kofi, new Date()))).toEqual(kofi)
  const nobody = randomUUID()
  await expect(transaction(database.db, (tx) => lockWalletOf(tx, nobody, new Date()))).rejects.toThrow(`user ${nobody} has no wallet`)
})

describe('a key', () => {
  test('repeated with the same lines moves nothing, however often and even at once', async () => {
    const what = transfer('ama -500, sales 500')
    await post(what)
    await post(what)
    await Promise.all(Array.from({ length: 16 }, () => post(what)))
    expect(await balances()).toEqual({ ama: 9_500, kofi: 10_000 })
  })

  test.each<[string, Lines, EntryKind]>([
    ['another amount', 'ama -501, sales 501', 'admin-credit'],
    ['the other direction', 'ama 500, sales -500', 'admin-credit'],
    ['another wallet', 'kofi -500, sales 500', 'admin-credit'],
    ['another account of the house', 'ama -500, adjustments 500', 'admin-credit'],
    ['its lines in another order', 'sales 500, ama -500', 'admin-credit'],
    ['a line more', 'ama -500, sales 500, sales 1, adjustments -1', 'admin-credit'],
    ['another kind', 'ama -500, sales 500', 'admin-debit'],
  ])('that was used with %s is refused', async (_name, second, kind) => {
    const first = transfer('ama -500, sales 500')
    await post(first)
    await expect(post({ ...transfer(second, { kind }), key: first.key })).rejects.toMatchObject({ code: 'DW004' })
    expect(await balances()).toEqual({ ama: 9_500, kofi: 10_000 })
  })

  test('used by two different entries at once goes to one of them', async () => {
    for (let round = 0; round < 10; round++) {
      const key = `test:${randomUUID()}`
      const outcomes = await Promise.allSettled([
        post(transfer('ama -100, sales 100', { key })),
        post(transfer('ama -200, sales 200', { key })),
        post(transfer('kofi -100, sales 100', { key })),
      ])
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })

  test.each(['', 'ab', 'x'.repeat(201)])('of %j is refused', async (key) => {
    await expect(post(transfer('ama 1, sales -1', { key }))).rejects.toThrow(/journal_entries_key_check/)
  })
})

describe('at the same time', () => {
  test('400 transfers in both directions between two wallets: no deadlock reaches the caller, and the sum stays', async () => {
    // Ten each, one after the other: with more at once, some would wait too long for a connection.
    const transferTen = async (from: string, to: string, amount: number) => {
      for (let time = 0; time < 10; time++) await post(transfer(`${from} -${amount}, ${to} ${amount}`))
    }
    const lanes = Array.from({ length: 20 }, () => [transferTen('ama', 'kofi', 7), transferTen('kofi', 'ama', 5)])
    await Promise.all(lanes.flat())
    expect(await balances()).toEqual({ ama: 10_000 - 200 * 7 + 200 * 5, kofi: 10_000 + 200 * 7 - 200 * 5 })
  })

  test('two transactions that lock wallets in opposite order: one is retried, both succeed', async () => {
    let first = 0
    const post2 = (order: ('ama' | 'kofi')[]) =>
      transaction(database.db, async (tx) => {
        await lockWallet(tx, userIds[order[0]!], new Date())
        // Both hold one wallet before either asks for the other: only the first tries meet here.
        first += 1
        for (let turn = 0; turn < 1_000 && first < 2; turn++) await tx.query('select 1')
        await lockWallet(tx, userIds[order[1]!], new Date())
        await postTransfer(tx, transfer('ama -10, kofi 10'))
      })
    await Promise.all([post2(['ama', 'kofi']), post2(['kofi', 'ama'])])
    expect(first).toBeGreaterThanOrEqual(3)
    expect(await balances()).toEqual({ ama: 9_980, kofi: 10_020 })
  })

  test('64 debits of 3.00 from 100.00: 33 succeed, 1.00 is left', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 64 }, () => post(transfer('ama -300, sales 300'))))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(33)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(InsufficientBalance)
    expect((await balances()).ama).toBe(100)
  })

  test('all accounts read in one statement sum to zero while money moves', async () => {
    let moving = true
    const sums = (async () => {
      const seen = new Set<number>()
      while (moving) {
        const { rows } = await database.db.query<{ sum: number }>(
          `select (select sum(balance_pesewas) from wallets) + (select sum(amount_pesewas) from postings where account_id < 1000) as sum`,
        )
        seen.add(rows[0]!.sum)
      }
      return seen
    })()
    const kinds: Lines[] = ['ama -7, kofi 7', 'kofi -3, sales 3', 'ama 9, adjustments -9']
    await Promise.all(Array.from({ length: 200 }, (_, index) => post(transfer(kinds[index % kinds.length]!))))
    moving = false
    expect(await sums).toEqual(new Set([0]))
  })
})

describe('the database itself', () => {
  /** Runs raw SQL as somebody would who goes round the code; the owner of the tables, with no guard switched off. */
  function raw(sql: string, values: unknown[] = []) {
    return transaction(database.db, (tx: Tx) => tx.query(sql, values))
  }

  test.each([
    ['changing a posting', 'update postings set amount_pesewas = amount_pesewas + 1', 'DW001'],
    ['changing nothing of a posting', 'update postings set line = line', 'DW001'],
    ['deleting a posting', 'delete from postings', 'DW001'],
    ['emptying the postings', 'truncate postings', 'DW001'],
    ['changing an entry', `update journal_entries set memo = 'x'`, 'DW001'],
    ['deleting an entry', 'delete from journal_entries', 'DW001'],
    ['emptying the entries', 'truncate journal_entries cascade', 'DW001'],
    ['deleting the accounts with all that hangs on them', 'truncate accounts cascade', 'DW001'],
    [
      'changing what admins did',
      `insert into admin_actions (action, subject_type, subject_id, created_at) values ('x', 'x', 'x', now());
      update admin_actions set actor_id = null`,
      'DW001',
    ],
    ['deleting an account that has postings', 'delete from accounts where id = 6', '23503'],
    ['an entry without postings', `insert into journal_entries (key, kind, created_at) values ('raw:1', 'recharge', now())`, 'DW003'],
    ['a kind that is none', `insert into journal_entries (key, kind, created_at) values ('raw:2', 'gift', now())`, '23514'],
    ['a balance below zero', 'update wallets set balance_pesewas = -1', '23514'],
    ['a total purchase below zero', 'update wallets set total_purchase_pesewas = -1', '23514'],
    ['a second wallet for a user', 'select create_wallet(user_id) from wallets limit 1', '23505'],
  ])('refuses %s', async (_name, sql, code) => {
    await expect(raw(sql)).rejects.toMatchObject({ code })
    expect(await balances()).toEqual({ ama: 10_000, kofi: 10_000 })
  })

  test('refuses a posting added to an old entry, balanced or not', async () => {
    const what = transfer('ama 500, adjustments -500')
    await post(what)
    const late = `insert into postings (entry_id, line, account_id, amount_pesewas)
      select id, 3, 1, 700 from journal_entries where key = $1 union all select id, 4, 6, -700 from journal_entries where key = $1`
    await expect(raw(late, [what.key])).rejects.toMatchObject({ code: 'DW002' })
  })

  test('refuses an entry that does not balance, at the commit', async () => {
    const client = await database.db.connect()
    try {
      await client.query('begin')
      await client.query(`with entry as (insert into journal_entries (key, kind, created_at) values ('raw:3', 'recharge', now()) returning id)
        insert into postings (entry_id, line, account_id, amount_pesewas) select id, 1, 1, 500 from entry union all select id, 2, 6, -499 from entry`)
      await expect(client.query('commit')).rejects.toMatchObject({ code: 'DW003', message: expect.stringContaining('sum to 1') })
    } finally {
      client.release()
    }
    expect((await database.db.query(`select from journal_entries where key = 'raw:3'`)).rowCount).toBe(0)
  })

  test('refuses a wallet posting without the balance after it, and a house posting with one', async () => {
    const entry = `with entry as (insert into journal_entries (key, kind, created_at) values ('raw:4', 'recharge', now()) returning id)
      insert into postings (entry_id, line, account_id, amount_pesewas, balance_after_pesewas) select id, 1, `
    await expect(raw(`${entry} $1::bigint, 5, null from entry`, [accounts.ama])).rejects.toMatchObject({ code: '23514' })
    await expect(raw(`${entry} 1, 5, 5 from entry`)).rejects.toMatchObject({ code: '23514' })
    await expect(raw(`${entry} $1::bigint, 5, -5 from entry`, [accounts.ama])).rejects.toMatchObject({ code: '23514' })
  })

  describe('holds an order to what was bought and decided', () => {
    let orderId: string
    beforeEach(async () => {
      await raw(
        `insert into images (hash, content_type, bytes, created_at) values (repeat('a', 64), 'image/webp', 'x', now()) on conflict do nothing`,
      )
      await raw(
        `insert into products (network, image_hash, created_at) select 'AFA', repeat('a', 64), now() where not exists (select from products)`,
      )
      await raw(`insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas)
        select id, 1, 'registration', 1500, 1300 from products on conflict do nothing`)
      const { rows } = await raw(`select place_wallet_orders($1, $2, 'hash', $3, now()) as placed`, [
        userIds.ama,
        randomUUID(),
        JSON.stringify([{ product: null, network: 'AFA', offer: 'registration', receiver: '0241234567', seen: 1500, clientId: null }]),
      ])
      orderId = rows[0].placed.orders[0].id
    })

    test.each([
      ['rejected after completed', 'completed', 'rejected'],
      ['completed after rejected', 'rejected', 'completed'],
      ['pending again', 'completed', 'pending'],
    ])('%s is refused', async (_name, first, second) => {
      await expect(decideTwice(first, second)).rejects.toMatchObject({ code: 'DW005' })
    })

    /** In one transaction that always fails, so that no order is left that the books do not know. */
    function decideTwice(first: string, second: string) {
      return transaction(database.db, async (tx) => {
        await tx.query('update orders set status = $2, decided_at = now() where id = $1', [orderId, first])
        await tx.query('update orders set status = $2 where id = $1', [orderId, second])
        throw new Error('the second decision went through')
      })
    }

    test.each([
      'price_pesewas = 1',
      'surcharge_pesewas = 5',
      `receiver = '0200000000'`,
      `offer = 'x'`,
      `network = 'MTN'`,
      `reference = repeat('x', 20)`,
    ])('a change to %s is refused', async (change) => {
      await expect(raw(`update orders set ${change} where id = $1`, [orderId])).rejects.toMatchObject({ code: 'DW005' })
    })

    test('a decision without its time, and a time without a decision, are refused', async () => {
      await expect(raw(`update orders set status = 'completed' where id = $1`, [orderId])).rejects.toMatchObject({ code: '23514' })
      await expect(raw('update orders set decided_at = now() where id = $1', [orderId])).rejects.toMatchObject({ code: '23514' })
    })
  })
})
