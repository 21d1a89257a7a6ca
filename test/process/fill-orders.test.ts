import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { openEmptyDatabase, openTestDatabase } from '../database.ts'
import { LIVE_SETTINGS } from '../live-settings.ts'
import { makeFolder } from '../make-folder.ts'
import { runProgram } from './run-program.ts'

const PROGRAM = 'tools/fill-orders.ts'

test('the command of docs/going-live.md fills an empty shop with orders of every kind that it sells, and its books balance', async () => {
  const page = await readFile(resolve(import.meta.dirname, '../../docs/going-live.md'), 'utf8')
  expect(page).toContain(`\`DATA_DIR=/tmp/trial npm run node -- ${PROGRAM} --orders `)
  const { url, close } = await openEmptyDatabase()
  try {
    const filled = runProgram(PROGRAM, { DATABASE_URL: url }, ['--orders', '300', '--customers', '5'])
    expect([await filled.ended(), filled.output()]).toEqual([0, expect.stringContaining('5 customers and 300 orders in')])
    const books = runProgram('tools/ledger-check.ts', { DATABASE_URL: url })
    expect([await books.ended(), books.output()]).toEqual([0, expect.stringContaining('all balanced')])
  } finally {
    await close()
  }
})

test('a shop with people of its own gets no trial orders, and stays as it was', async () => {
  const shop = await openTestDatabase({ catalogue: true })
  try {
    await shop.db.query(
      `insert into users (username, username_skeleton, email, phone, password_hash) values ('kofi', 'kofi', 'kofi@shop.example', '0244111222', '-')`,
    )
    const filling = runProgram(PROGRAM, { DATABASE_URL: shop.url }, ['--orders', '1', '--customers', '1'])
    expect([await filling.ended(), filling.output()]).toEqual([1, expect.stringContaining('1 person has an account there')])
    expect((await shop.db.query('select username from users')).rows).toEqual([{ username: 'kofi' }])
  } finally {
    await shop.close()
  }
})

test.skipIf(process.platform !== 'linux')('nor does a live shop whose folder is named without the rest of its settings', async () => {
  const folder = await makeFolder()
  const dataDir = join(folder, 'data')
  await mkdir(join(folder, 'server'))
  await writeFile(join(folder, 'server/main.ts'), `console.log('open'); setInterval(() => {}, 1000)\n`)
  const live = runProgram(join(folder, 'server/main.ts'), { ...LIVE_SETTINGS, DATA_DIR: dataDir })
  await live.prints(/open/)
  try {
    const filling = runProgram(PROGRAM, { DATA_DIR: dataDir })
    expect([await filling.ended(), filling.output()]).toEqual([1, 'This fills a shop with trial orders; SHOP_MODE is live.\n'])
    await expect(stat(dataDir)).rejects.toThrow(/ENOENT/)
  } finally {
    live.process.kill()
    await live.ended()
  }
})
