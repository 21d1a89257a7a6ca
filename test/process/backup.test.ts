import { createHash, randomBytes } from 'node:crypto'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLedger } from '../../server/ledger/check-ledger.ts'
import { writeBackup } from '../../server/platform/backup.ts'
import { SEAL, SUMS } from '../../server/platform/backup-file.ts'
import { BackupReader, proveReadable } from '../../server/platform/backup-reader.ts'
import { openPool } from '../../server/platform/db.ts'
import { createLog } from '../../server/platform/log.ts'
import { restoreBackup } from '../../server/platform/restore.ts'
import { openTestShop, type TestShop } from '../app.ts'
import { cartLine, checkout, makeUser } from '../builders.ts'
import { copyDataFolder, openEmptyDatabase } from '../database.ts'
import { makeFolder } from '../make-folder.ts'
import { closeShop, openShop } from './open-shops.ts'
import { runProgram } from './run-program.ts'

const log = createLog('silent')
/** Has in it what a careless reader of the file would take for the end of a table. */
const AWKWARD = 'first\n\\.\n\\N tab\t, a NULL, a café and a \\ at the end \\'
const FRAME_BEGINS = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const READ_AT_ONCE = 65_536
let folder: string
let shop: TestShop
let file: string

beforeAll(async () => {
  folder = await makeFolder()
  shop = await openTestShop()
  const buyer = await makeUser(shop, { balance: 500 })
  await shop.database.db.query('update shop_settings set notice_content = $1', [AWKWARD])
  const line = await cartLine(shop)
  for (let count = 0; count < 5; count++) await checkout(shop, buyer, [line, line])
  // What the shop does by itself would go on moving rows between the backup and the comparison.
  await shop.app.close()
  file = join(folder, 'shop.zst')
  await writeBackup({ url: shop.database.url, file })
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true, force: true })
})

describe('a backup that was restored', () => {
  test('holds every row of every table, and its books add up', async () => {
    const empty = await openEmptyDatabase()
    const { rows, migratedOn } = await restoreBackup({ url: empty.url, file, log })
    const before = await countRows(shop.database.url)
    expect([await countRows(empty.url), rows, migratedOn]).toEqual([before, sum(before), []])
    expect(await textOf(empty.url, 'orders')).toBe(await textOf(shop.database.url, 'orders'))
    expect(await textOf(empty.url, 'shop_settings')).toBe(await textOf(shop.database.url, 'shop_settings'))
    const db = openPool({ url: empty.url, size: 1, log, name: 'test' })
    expect(await checkLedger(db)).toEqual([])
    await db.end()
    await empty.close()
  })

  test('goes on where the shop was: triggers guard again, sequences give no number twice', async () => {
    const empty = await openEmptyDatabase()
    await restoreBackup({ url: empty.url, file, log })
    const client = await connect(empty.url)
    await expect(client.query('update postings set amount_pesewas = 1')).rejects.toThrow(/append-only/)
    await expect(client.query('truncate journal_entries cascade')).rejects.toThrow(/append-only/)
    const { rows: asleep } = await client.query(`select tgname from pg_trigger where tgenabled <> 'O' and not tgisinternal`)
    expect(asleep).toEqual([])
    const { rows } = await client.query<{ highest: number; next: number; account: number; next_account: number }>(
      `select (select max(seq) from orders)::int as highest, nextval('orders_seq_seq')::int as next,
        (select max(id) from accounts)::int as account, nextval('wallet_account_ids')::int as next_account`,
    )
    expect(rows[0]!.next).toBeGreaterThan(rows[0]!.highest)
    expect(rows[0]!.next_account).toBeGreaterThan(rows[0]!.account)
    await client.end()
    await empty.close()
  })

  test('takes no posting into an old entry, whatever the numbers of transactions are here', async () => {
    const empty = await openEmptyDatabase()
    await restoreBackup({ url: empty.url, file, log })
    const client = await connect(empty.url)
    const { rows } = await client.query(
      `select count(*)::int as entries from journal_entries where xact > pg_snapshot_xmax(pg_current_snapshot())`,
    )
    expect(rows).toEqual([{ entries: 0 }])
    await expect(client.query(`insert into postings select id, 9, 1, 1, null from journal_entries limit 1`)).rejects.toThrow(
      /its own transaction/,
    )
    await client.end()
    await empty.close()
  })

  test('is of one instant, though the shop sold while it was written', async () => {
    const busy = await openTestShop()
    const buyer = await makeUser(busy, { balance: 5_000 })
    const line = await cartLine(busy)
    let written = false
    const selling = Array.from({ length: 6 }, async () => {
      while (!written) await checkout(busy, buyer, [line])
    })
    const during = join(folder, 'during.zst')
    await writeBackup({ url: busy.database.url, file: during }).finally(() => {
      written = true
    })
    await Promise.all(selling)
    const empty = await openEmptyDatabase()
    await restoreBackup({ url: empty.url, file: during, log })
    const db = openPool({ url: empty.url, size: 1, log, name: 'test' })
    expect(await checkLedger(db)).toEqual([])
    await db.end()
    await empty.close()
    await busy.close()
  })
})

describe('the empty frame that Node may put behind the end', () => {
  const EMPTY_FRAME = zstdCompressSync('')

  test('is not written', async () => {
    expect((await readFile(file)).lastIndexOf(FRAME_BEGINS)).toBe(0)
  })

  test.each([1, 4, EMPTY_FRAME.length - 1])('does no harm to a file of which the first piece ends after %i bytes of it', async (inside) => {
    const path = join(folder, `two-frames-${inside}.zst`)
    await writeFile(path, Buffer.concat([packInto(READ_AT_ONCE - inside), EMPTY_FRAME]))
    const reader = new BackupReader(path)
    const read: string[] = []
    for (let line = await reader.readLine(); line !== null && !line.startsWith(SUMS); line = await reader.readLine()) {
      read.push(line)
      // As slow as a restore, for which what was unpacked waits.
      await readFile(path)
    }
    await reader.checkChainLink()
    reader.close()
    expect(read.length).toBeGreaterThan(50)
  })

  /** A file that reads as a backup without tables, of so many bytes. */
  function packInto(bytes: number): Buffer {
    for (;;) {
      let filler = ''
      for (let left = bytes; left > 0; ) {
        filler += `${randomBytes(Math.min(700, Math.max(1, Math.floor(left * 0.7)))).toString('base64')}\n`
        const text = `${filler}${SUMS}{}\n`
        const packed = repack(`${text}${SEAL}${createHash('sha256').update(text).digest('hex')}\n`)
        left = bytes - packed.length
        if (left === 0) return packed
      }
    }
  }
})

describe('what is refused', () => {
  test('a backup over a file that is there', async () => {
    const before = await readFile(file)
    await expect(writeBackup({ url: shop.database.url, file })).rejects.toThrow(/already a file .*never overwrites/)
    expect((await readFile(file)).equals(before)).toBe(true)
  })

  test('a restore into a database that holds something', async () => {
    const before = await countRows(shop.database.url)
    await expect(restoreBackup({ url: shop.database.url, file, log })).rejects.toThrow(/not empty/)
    expect(await countRows(shop.database.url)).toEqual(before)
  })

  test('a file that only its owner may read is what a backup is', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  describe('a file that is no whole backup', () => {
    let plain: string
    let packed: Buffer
    let empty: Awaited<ReturnType<typeof openEmptyDatabase>>
    beforeAll(async () => {
      packed = await readFile(file)
      plain = zstdDecompressSync(packed).toString('utf8')
      empty = await openEmptyDatabase()
    })
    afterAll(() => empty.close())

    // On one database: what was begun with a bad file is gone on with, first with others and in the end with a good one.
    const damages: [string, () => Buffer, RegExp][] = [
      ['it is something else', () => repack('select 1;\n'), /no backup of a shop/],
      [
        'it is of a newer version',
        () => repack(plain.replace('"0002-ledger"', '"0002-future"')),
        /another version of the shop \(0002-future\)/,
      ],
      ['one bit of the file has flipped', () => flipBit(packed, Math.floor(packed.length / 2)), /cannot be read|damaged|invalid/i],
      ['a column’s name was changed', () => repack(plain.replace('battery_percent', 'batte4y_percent')), /damaged/],
      ['the end is missing', () => packed.subarray(0, packed.length - 40), /cannot be read|cut short/],
      ['the end was cut off and the rest packed again', () => repack(plain.slice(0, -4_000)), /cut short|damaged/],
      ['an amount was changed', () => repack(plain.replace('\t-550\t', '\t-551\t')), /damaged: its checksum/],
      ['a row is gone', () => repack(plain.replace(/\n\d+\t[^\n]*\tCredit[^\n]*\n|\n1\t[^\n]*\n/, '\n')), /damaged: its checksum/],
    ]
    test.each(damages)('%s: refused, and nothing of it stays', async (_what, damage, message) => {
      const damaged = join(folder, `damaged-${crypto.randomUUID()}.zst`)
      const bytes = damage()
      expect(bytes.equals(packed)).toBe(false)
      await writeFile(damaged, bytes)
      // What is of another shop or version is sound in itself.
      if (!/another|no backup/.test(message.source)) await expect(proveReadable(damaged)).rejects.toThrow(message)
      await expect(restoreBackup({ url: empty.url, file: damaged, log })).rejects.toThrow(message)
      const client = await connect(empty.url)
      const { rows } = await client.query<{ users: boolean }>(`select to_regclass('users') is not null as users`)
      if (rows[0]!.users) expect((await client.query('select from users')).rowCount).toBe(0)
      await client.end()
    })

    test('the right file is restored after all of them', async () => {
      await restoreBackup({ url: empty.url, file, log })
      expect(await countRows(empty.url)).toEqual(await countRows(shop.database.url))
    })
  })
})

test('by command: the embedded database of an open shop into a new data folder, where the shop opens again', async () => {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  await copyDataFolder(from)
  const open = await openShop({ DATA_DIR: from, SHOP_NAME: 'Kept' })
  const backup = runProgram('tools/backup.ts', { DATA_DIR: from }, [join(folder, 'kept.zst')])
  expect([await backup.ended(), backup.output()]).toEqual([0, expect.stringMatching(/kept\.zst: \d+ tables, \d+ rows/)])
  await closeShop(open)

  const restore = runProgram('tools/restore.ts', { DATA_DIR: to }, [join(folder, 'kept.zst')])
  expect([await restore.ended(), restore.output()]).toEqual([
    0,
    expect.stringMatching(/byte for byte\n2 entries, 4 postings, 1 wallets: all balanced/),
  ])
  const again = runProgram('tools/restore.ts', { DATA_DIR: to }, [join(folder, 'kept.zst')])
  expect([await again.ended(), again.output()]).toEqual([1, expect.stringMatching(/Nothing was restored: The database is not empty/)])
  await closeShop(await openShop({ DATA_DIR: to }))
})

async function connect(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

async function countRows(url: string): Promise<Record<string, number>> {
  const client = await connect(url)
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relpersistence = 'p'
      and relname not in ('schema_migrations', 'schema_functions') order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(`select count(*)::int as count from ${name}`)
    counts[name] = Number(rows[0]!.count)
  }
  await client.end()
  return counts
}

async function textOf(url: string, table: string): Promise<string> {
  const client = await connect(url)
  const { rows } = await client.query<{ text: string }>(`select string_agg(t::text, E'\n' order by t::text) as text from ${table} t`)
  await client.end()
  return rows[0]!.text
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}

function flipBit(bytes: Buffer, at: number): Buffer {
  const flipped = Buffer.from(bytes)
  flipped[at]! ^= 1
  return flipped
}

function repack(text: string): Buffer {
  return zstdCompressSync(Buffer.from(text))
}
