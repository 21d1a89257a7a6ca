import { execFile } from 'node:child_process'
import { chown, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findShop, parseEnvFile } from '../../tools/find-shop.ts'
import { copyDataFolder } from '../database.ts'
import { LIVE_SETTINGS } from '../live-settings.ts'
import { makeFolder } from '../make-folder.ts'
import { runProgram } from './run-program.ts'

const NOBODY = 65_534
const LIVE = {
  ...LIVE_SETTINGS,
  ADMIN_PHONE: '0241234567',
}
let folder: string
beforeEach(async () => {
  folder = await makeFolder()
  for (const name of ['root/server', 'elsewhere/server', 'proc/self/ns', 'etc/systemd/system', 'data']) {
    await mkdir(join(folder, name), { recursive: true })
  }
  for (const root of ['root', 'elsewhere']) await writeFile(join(folder, root, 'server/main.ts'), '')
  await symlink('pid:[1]', join(folder, 'proc/self/ns/pid'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const places = () => ({ root: join(folder, 'root'), proc: join(folder, 'proc'), etc: join(folder, 'etc') })

/** A process as Linux shows it. */
async function running(pid: number, root: string, env: Record<string, string>, namespace = 'pid:[1]') {
  const path = join(folder, 'proc', String(pid))
  await mkdir(join(path, 'ns'), { recursive: true })
  await writeFile(join(path, 'cmdline'), ['/usr/bin/node', '--import', './server/quick-start.js', 'server/main.ts', ''].join('\0'))
  await writeFile(
    join(path, 'environ'),
    Object.entries({ PATH: '/usr/bin', ...env })
      .map(([name, value]) => `${name}=${value}\0`)
      .join(''),
  )
  await symlink(join(folder, root), join(path, 'cwd'))
  await symlink(namespace, join(path, 'ns/pid'))
}

function envFile(settings: Record<string, string>) {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

describe('a command without settings', () => {
  test('is about the shop that runs from its folder, with all the settings of that one', async () => {
    await running(41, 'root', { ...LIVE, DATA_DIR: join(folder, 'data') })
    const { config, from } = findShop({ PATH: '/usr/bin' }, places())
    expect([config.dataDir, config.mode, config.firstAdmin.phone, from]).toEqual([
      join(folder, 'data'),
      'live',
      '0241234567',
      'the settings of the running shop, process 41',
    ])
  })

  test('reads a relative folder as the shop does', async () => {
    await running(41, 'root', { DATA_DIR: './kept' })
    expect(findShop({}, places()).config.dataDir).toBe(join(folder, 'root/kept'))
  })

  test('is about the service while that is stopped: of its unit, or of /etc/dwadi.env alone', async () => {
    await writeFile(join(folder, 'etc/dwadi.env'), envFile({ ...LIVE, DATA_DIR: join(folder, 'data') }))
    expect(findShop({}, places()).config).toMatchObject({ mode: 'live', dataDir: join(folder, 'data') })
    const other = join(folder, 'other.env')
    await writeFile(other, envFile(LIVE))
    // As docs/going-live.md had it before, with the folder in the unit.
    const unit = `[Service]\nUser=dwadi\nWorkingDirectory=/opt/dwadi\nEnvironmentFile=${other}\nEnvironment=DATA_DIR=/var/lib/dwadi/data PATH=/opt/dwadi/node_modules/.bin:/usr/bin\n`
    await writeFile(join(folder, 'etc/systemd/system/dwadi.service'), unit)
    expect(findShop({}, places())).toMatchObject({ config: { mode: 'live', dataDir: '/var/lib/dwadi/data' }, from: other })
  })

  test('is refused where shops run from elsewhere, and names each', async () => {
    await running(41, 'elsewhere', { DATA_DIR: '/srv/one' })
    await running(42, 'elsewhere', { DATABASE_URL: 'postgres://shop:a-secret@db.example/two' })
    expect(() => findShop({}, places())).toThrow(/Several shops run here[\s\S]*DATA_DIR=\/srv\/one[\s\S]*db\.example\/two/)
    expect(() => findShop({}, places())).not.toThrow(/a-secret/)
  })

  test('is refused where two run from here on two databases, and not where they share one', async () => {
    await running(41, 'root', { DATABASE_URL: 'postgres://db.example/one', PORT: '3000' })
    await running(42, 'root', { DATABASE_URL: 'postgres://db.example/one', PORT: '3001' })
    expect(findShop({}, places()).config.databaseUrl).toBe('postgres://db.example/one')
    await running(43, 'root', { DATABASE_URL: 'postgres://db.example/two' })
    expect(() => findShop({}, places())).toThrow(/Several shops run here/)
  })

  test('is refused where there is nothing, and where the shop is in a container', async () => {
    expect(() => findShop({}, places())).toThrow(/Which shop\? .*\n {2}DATA_DIR=/)
    await running(41, 'root', { DATABASE_URL: 'postgres://database/dwadi' }, 'pid:[2]')
    await writeFile(join(folder, 'root/.env'), 'POSTGRES_PASSWORD=x\n')
    expect(() => findShop({}, places())).toThrow(/docker compose exec shop/)
  })

  test('is about the sandbox in ./data where there is one and no other shop', async () => {
    await mkdir(join(folder, 'root/data/postgres'), { recursive: true })
    await writeFile(join(folder, 'root/data/postgres/PG_VERSION'), '18\n')
    expect(findShop({}, places()).config.dataDir).toBe(join(folder, 'root/data'))
  })
})

test('a command that names the database has the other settings of the shop there, and those of the shell go first', async () => {
  await running(41, 'elsewhere', { ...LIVE, DATA_DIR: join(folder, 'data') })
  const { config } = findShop({ DATA_DIR: `${folder}/data/`, ADMIN_PHONE: '0209999999' }, places())
  expect(config).toMatchObject({ mode: 'live', firstAdmin: { phone: '0209999999' } })
  expect(findShop({ DATA_DIR: '/srv/other' }, places())).toMatchObject({ from: null, config: { mode: 'sandbox' } })
})

test('the file of settings is read as systemd does', () => {
  const text = [
    '# A=comment',
    '; B=comment',
    'MAIL_FROM=My Shop <hello@myshop.com>',
    'SHOP_TAGLINE="Data, \\"cheap\\" & quick"',
    "SHOP_NAME='Ama & Sons'",
    'ADMIN_PASSWORD=a#b;c$d ',
    'EMPTY=',
  ]
  expect(parseEnvFile(text.join('\n'))).toEqual({
    MAIL_FROM: 'My Shop <hello@myshop.com>',
    SHOP_TAGLINE: 'Data, "cheap" & quick',
    SHOP_NAME: 'Ama & Sons',
    ADMIN_PASSWORD: 'a#b;c$d',
    EMPTY: '',
  })
})

describe.skipIf(process.getuid?.() !== 0)('as root, about a shop of another user', () => {
  beforeEach(() => chown(folder, NOBODY, NOBODY))

  test('a command goes on as that user, and leaves nothing of root’s', { tags: 'long' }, async () => {
    const dataDir = join(folder, 'shop')
    await copyDataFolder(dataDir)
    await promisify(execFile)('chown', ['-R', `${NOBODY}:${NOBODY}`, dataDir])
    const backup = runProgram('tools/backup.ts', { DATA_DIR: dataDir }, [join(folder, 'shop.zst')])
    expect([await backup.ended(), backup.output()]).toEqual([
      0,
      expect.stringMatching(/^The shop: .* is in .*shop\.\n {2}\(as user nobody\)\n/),
    ])
    const restore = runProgram('tools/restore.ts', { DATA_DIR: join(folder, 'back') }, [join(folder, 'shop.zst')])
    expect([await restore.ended(), restore.output()]).toEqual([0, expect.stringMatching(/^The shop: .*back\.\n[\s\S]*all balanced/)])
    // A shop that is lost: the rehearsal is none the worse for it.
    const rehearse = runProgram('tools/rehearse.ts', { DATA_DIR: join(folder, 'lost') }, [join(folder, 'shop.zst')])
    expect([await rehearse.ended(), rehearse.output()]).toEqual([
      0,
      expect.stringMatching(
        /all balanced[\s\S]*The backup is good, but it could not be noted in the shop: There is no database in the data folder/,
      ),
    ])
    const files = (await readdir(folder, { recursive: true })).filter((name) => /^(?:shop|back)/.test(name))
    const owners = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).uid))
    expect(files.length).toBeGreaterThan(1_000)
    expect(new Set(owners)).toEqual(new Set([NOBODY]))
  })

  test('a file or a folder that it can’t have is refused before anything is done, with the command that helps', async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed, { mode: 0o700 })
    const dataDir = join(folder, 'new')
    const backup = runProgram('tools/backup.ts', { DATA_DIR: dataDir }, [join(closed, 'shop.zst')])
    expect([await backup.ended(), backup.output()]).toEqual([1, expect.stringContaining(`install -d -m 700 -o nobody ${closed}`)])
    const restore = runProgram('tools/restore.ts', { DATA_DIR: dataDir }, [join(closed, 'shop.zst')])
    expect([await restore.ended(), restore.output()]).toEqual([1, expect.stringContaining('can’t read'.replace('’', "'"))])
    await expect(stat(dataDir)).rejects.toThrow(/ENOENT/)
  })
})
