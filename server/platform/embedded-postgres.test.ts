import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyDataFolder } from '../../test/database.ts'
import { makeFolder } from '../../test/make-folder.ts'
import { allow } from '../../test/slowness.ts'
import { until } from '../../test/until.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { createLog } from './log.ts'

const holder = join(import.meta.dirname, '../../test/fixtures/hold-database.ts')
const log = createLog('silent')
const isRoot = process.getuid?.() === 0
const container = ['unshare', '--fork', '--kill-child', '--pid', '--ipc', '--mount', '--mount-proc', '--']
const canMakeContainers = isRoot && spawnSync('unshare', [...container.slice(1), 'true']).status === 0

let parent: string
let dataDir: string
let apps: ChildProcess[]
let databases: EmbeddedPostgres[]

beforeEach(async () => {
  parent = await makeFolder()
  await chmod(parent, 0o755)
  dataDir = join(parent, 'data')
  apps = []
  databases = []
})

afterEach(async () => {
  for (const database of databases) await database.stop()
  for (const app of apps) await end(app, 'SIGKILL')
  for (const folder of await readdir(parent)) await killDatabase(join(parent, folder))
  await rm(parent, { recursive: true, force: true, maxRetries: 5 })
})

test('the first start makes a cluster with checksums, UTF-8 and everything synchronous', async () => {
  const { url } = await start()
  expect(
    await ask(
      url(),
      `select current_database() as database, current_setting('fsync') as fsync,
    current_setting('full_page_writes') as pages, current_setting('synchronous_commit') as commit,
    current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding,
    current_setting('listen_addresses') as tcp, upper('é') as upper`,
    ),
  ).toEqual([{ database: 'dwadi', fsync: 'on', pages: 'on', commit: 'on', checksums: 'on', encoding: 'UTF8', tcp: '', upper: 'É' }])
  expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600)
})

test('a folder that cannot be made is refused by the name of its setting', async () => {
  await writeFile(join(parent, 'file'), '')
  for (const path of ['file', 'file/data']) {
    const start = startEmbeddedPostgres({ dataDir: join(parent, path), log })
    await expect(start).rejects.toThrow(/^The settings are not right:\n {2}DATA_DIR: the shop can't write in .*file.* \(E(EXIST|NOTDIR)\)/)
  }
})

test('a connection with a wrong password is refused', async () => {
  await copyDataFolder(dataDir)
  const { url } = await start()
  await expect(ask(url().replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password authentication failed/)
})

test('a second start keeps the data and the password', async () => {
  await copyDataFolder(dataDir)
  const first = await start()
  await remember(first.url())
  await first.stop()
  expect(await recall((await start()).url())).toBe('kept')
})

test('settings are added, but durability cannot be switched off', { tags: 'long' }, async () => {
  await copyDataFolder(dataDir)
  const { url } = await start({ settings: { max_connections: 40 } })
  expect(await ask(url(), `select current_setting('max_connections') as most`)).toEqual([{ most: '40' }])
  await expect(start({ dataDir: join(parent, 'other'), settings: { fsync: 'off' } })).rejects.toThrow(/fsync is on, always/)
})

test('a database that outlived its killed app is taken over', async () => {
  await copyDataFolder(dataDir)
  const app = await startApp()
  await remember(app.url)
  const before = await postmasterPid()
  await end(app.process, 'SIGKILL')
  expect(await recall((await start()).url())).toBe('kept')
  expect(await postmasterPid()).toBe(before)
})

test('a folder whose app and database were both killed starts again', async () => {
  await copyDataFolder(dataDir)
  const app = await startApp()
  await remember(app.url)
  await end(app.process, 'SIGKILL')
  process.kill(await postmasterPid(), 'SIGKILL')
  expect(await recall((await start()).url())).toBe('kept')
})

test('a lock file whose process id was reused does not block the start', { tags: 'long' }, async () => {
  await copyDataFolder(dataDir)
  const app = await startApp()
  await remember(app.url)
  await end(app.process, 'SIGKILL')
  await killDatabase(dataDir)
  const { uid, gid } = await stat(join(dataDir, 'postgres'))
  const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
  apps.push(stranger)
  for (const file of ['postgres/postmaster.pid', 'postgres-socket/.s.PGSQL.5432.lock']) {
    const text = await readFile(join(dataDir, file), 'utf8')
    await writeFile(join(dataDir, file), text.replace(/^\d+/, String(stranger.pid)))
  }
  expect(await recall((await start()).url())).toBe('kept')
  expect(stranger.exitCode).toBe(null)
})

test('a second process on the folder is refused at once, and the first continues', async () => {
  await copyDataFolder(dataDir)
  const { url } = await start()
  const began = Date.now()
  const said = await startAppInVain()
  expect(said).toContain(`${dataDir} is in use by another Dwadi process (process ${process.pid})`)
  expect(Date.now() - began).toBeLessThan(allow(5_000))
  await expect(start()).rejects.toThrow(/is in use/)
  await remember(url())
})

test('of several first starts at the same instant exactly one wins', { tags: 'long' }, async () => {
  const outcomes = await Promise.allSettled([startApp(), startApp(), startApp()])
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => String(reason))
  expect(failures).toEqual([expect.stringContaining('is in use'), expect.stringContaining('is in use')])
  expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres-password', 'postgres-socket', 'postgres.log'])
})

test.skipIf(!canMakeContainers)(
  'nor do two containers open one folder, which cannot see each other’s processes',
  { tags: 'long' },
  async () => {
    const outcomes = await Promise.allSettled([startApp(container), startApp(container)])
    const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => String(reason))
    expect(failures).toEqual([expect.stringContaining('is in use')])
  },
)

test('an app that is asked to stop stops its database', async () => {
  await copyDataFolder(dataDir)
  const app = await startApp()
  await end(app.process, 'SIGTERM')
  expect(app.process.exitCode).toBe(0)
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
})

test('a database that dies is restarted, and stays owned', async () => {
  await copyDataFolder(dataDir)
  const { url } = await start()
  await remember(url())
  const before = await postmasterPid()
  process.kill(before, 'SIGKILL')
  await until(async () => (await recall(url())) === 'kept' && (await postmasterPid().catch(() => before)) !== before)
  await until(async () => (await startAppInVain()).includes('is in use'))
})

test('a first start killed during initdb does not break the next ones, and is cleaned up', { tags: 'long' }, async () => {
  const app = spawn(process.execPath, [holder, dataDir], { stdio: 'ignore' })
  apps.push(app)
  let unfinished: string | undefined
  await until(async () => {
    unfinished = (await readdir(dataDir).catch(() => [])).find((name) => name.startsWith('postgres-init-'))
    return (
      unfinished !== undefined && (await readdir(join(dataDir, unfinished, 'cluster')).catch((): string[] => [])).includes('PG_VERSION')
    )
  })
  await end(app, 'SIGKILL')
  const { url, stop } = await start()
  await remember(url())
  await stop()
  await utimes(join(dataDir, unfinished!), 0, 0)
  expect(await recall((await start()).url())).toBe('kept')
  expect(await readdir(dataDir)).not.toContain(unfinished)
})

test('a folder with a long path and odd characters works', { tags: 'long' }, async () => {
  dataDir = join(parent, `long, "odd" ${'é%20'.repeat(30)}`, 'data')
  const { url, stop } = await start()
  await remember(url())
  const socketFolder = new URL(url().replace('@/', '@host/')).searchParams.get('host')!
  expect(socketFolder.length).toBeLessThan(90)
  expect((await stat(socketFolder)).mode & 0o777).toBe(0o700)
  expect(await startAppInVain()).toContain('is in use')
  await stop()
  expect(await recall((await start()).url())).toBe('kept')
  await databases.at(-1)!.stop()
  await rm(socketFolder, { recursive: true })
})

test('a copy of a folder in use gets a database of its own', { tags: 'long' }, async () => {
  await copyDataFolder(dataDir)
  const original = await start()
  await remember(original.url())
  const copy = join(parent, 'copy')
  await cp(dataDir, copy, { recursive: true, filter: (name) => !name.includes('.s.PGSQL'), preserveTimestamps: true })
  const { url } = await start({ dataDir: copy })
  expect(await ask(url(), `select current_setting('data_directory') as folder`)).toEqual([{ folder: join(copy, 'postgres') }])
})

test('a database that cannot start says why', { tags: 'long' }, async () => {
  await copyDataFolder(dataDir)
  const { stop } = await start()
  await stop()
  await writeFile(join(dataDir, 'postgres/postgresql.conf'), 'shared_bufers = 1')
  await expect(start()).rejects.toThrow(/did not start.*shared_bufers/s)
})

test('a database that ended by itself says why', async () => {
  await copyDataFolder(dataDir)
  const { url, whyItEnded } = await start()
  expect(await whyItEnded()).toBe(null)
  await rename(join(dataDir, 'postgres/pg_wal'), join(dataDir, 'postgres/pg_wal-away'))
  await expect(ask(url(), 'select pg_switch_wal(); create table t (id int)')).rejects.toThrow()
  await until(async () => /^could not .*pg_wal/.test((await whyItEnded()) ?? ''))
  // PostgreSQL can hang when it cannot start again after a crash; see that the test does not wait for it.
  await killDatabase(dataDir)
})

test('a database that was killed has stopped, although it leaves its lock file', async () => {
  await copyDataFolder(dataDir)
  const { stop } = await start()
  const before = performance.now()
  process.kill(await postmasterPid(), 'SIGKILL')
  await stop()
  expect(performance.now() - before).toBeLessThan(allow(30_000))
})

test('what there is to do meanwhile is begun while the database is made, and while it starts', async () => {
  const states: string[] = []
  const meanwhile = () => states.push(existsSync(join(dataDir, 'postgres')) ? 'made' : 'not made')
  const database = await startEmbeddedPostgres({ dataDir, log, meanwhile })
  databases.push(database)
  expect(states).toEqual(['not made', 'made'])
})

test.skipIf(!isRoot)('root can use a folder that is closed to every other account', { tags: 'long' }, async () => {
  await copyDataFolder(dataDir)
  await chmod(parent, 0o700)
  const app = await startApp()
  await remember(app.url)
  await end(app.process, 'SIGKILL')
  const { url, stop } = await start()
  expect(await recall(url())).toBe('kept')
  await stop()
  const again = await start()
  expect(await recall(again.url())).toBe('kept')
  await again.stop()
  // As a copy made by root leaves it, and as versions before 0.3.0 did where no other account could reach the folder.
  for (const name of ['.', ...(await readdir(join(dataDir, 'postgres'), { recursive: true }))])
    await chown(join(dataDir, 'postgres', name), 0, 0)
  expect(await recall((await start()).url())).toBe('kept')
  expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0)
})

async function start(options: { dataDir?: string; settings?: Record<string, string | number> } = {}): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({ dataDir, log, ...options })
  databases.push(database)
  return database
}

async function startApp(wrapper: string[] = []): Promise<{ process: ChildProcess; url: string }> {
  const [program = '', ...args] = [...wrapper, process.execPath, holder, dataDir]
  const app = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  apps.push(app)
  let errors = ''
  app.stderr.on('data', (text) => {
    errors += text
  })
  const failed = once(app, 'close').then(() => Promise.reject(new Error(errors)))
  const [line] = await Promise.race([once(app.stdout, 'data'), failed])
  failed.catch(() => undefined)
  return { process: app, url: String(line).trim() }
}

function startAppInVain(): Promise<string> {
  return startApp().then(
    () => 'it started',
    (error: Error) => error.message,
  )
}

async function end(app: ChildProcess, signal: NodeJS.Signals) {
  if (app.exitCode !== null || app.signalCode !== null) return
  app.kill(signal)
  await once(app, 'exit')
}

async function postmasterPid(folder = dataDir): Promise<number> {
  return Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
}

async function killDatabase(folder: string) {
  const pid = await postmasterPid(folder).catch(() => null)
  if (!pid || !(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(folder)) return
  process.kill(pid, 'SIGKILL')
  await until(async () => (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) === '')
}

function remember(url: string) {
  return ask(url, `create table memory as select 'kept' as word`)
}

async function recall(url: string): Promise<unknown> {
  const rows = await ask(url, 'select word from memory').catch(() => [])
  return rows[0]?.word
}

async function ask(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
