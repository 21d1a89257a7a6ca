import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import { type Db, openPool } from '../server/platform/db.ts'
import { findUnprivilegedAccount } from '../server/platform/embedded-postgres-account.ts'
import { createLog } from '../server/platform/log.ts'
import type { Product } from '../shared/products.ts'
import { callAt } from '../test/http-client.ts'
import { until } from '../test/until.ts'
import { findPairPrograms } from '../tools/pair/find-programs.ts'
import { runMachine } from '../tools/pair/run-machine.ts'
import type { Experiment, Trial } from './experiment.ts'
import { makeFolder, startProgram, watchProcess } from './leftovers.ts'
import { makeUser, PASSWORD, startShop, withoutGuard } from './shops.ts'

const log = createLog('silent')
const MINUTE_MS = 60_000

/** N. The archive of the database's log (docs/going-live.md, "Backups"). */
export const archive: Experiment[] = [
  {
    id: 'N1',
    expects:
      'a mistake rejects every order of a busy shop: one command brings the moment before it back beside the shop, with every order acknowledged until then, none asked for later, none rejected, and right books; the shop notes the rehearsal',
    runs: { fast: 1, full: 5 },
    deadlineMs: { fast: 15 * MINUTE_MS, full: 60 * MINUTE_MS },
    unavailable: whyNoArchive,
    go: comeBackFromMistake,
  },
]

function whyNoArchive(): string | null {
  if (process.platform !== 'linux') return 'it reads /proc, which is on Linux alone'
  try {
    findPairPrograms()
    execFileSync('pgbackrest', ['version'], { stdio: 'ignore' })
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'apt-get install pgbackrest' : (error as Error).message
  }
}

const BUYERS = 8

async function comeBackFromMistake(trial: Trial) {
  const server = await openArchivedServer(trial)
  const { db, env, folder, config } = server
  const shop = await startShop({ ...env, ...withoutGuard(trial.opening) })
  try {
    await trial.opening.spoil?.(db)
    const admin = await callAt<{ token: string }>(shop.address, 'POST', '/user/login', {
      body: { userPhone: '0200000000', password: PASSWORD },
    })
    const products = (await callAt<Product[]>(shop.address, 'GET', '/product')).body
    const product = products.find(({ network }) => network === 'MTN') as Product
    const [offer] = product.packages as [Product['packages'][0]]
    const items = [{ productId: product._id, offer: offer.offer, phoneNumber: '0551234567', amount: offer.priceCustomer }]
    const passwordHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    const buyers = await Promise.all(Array.from({ length: BUYERS }, () => makeUser(db, passwordHash, { pesewas: 100_000_000 })))
    const restoreMs: number[] = []
    await trial.repeat(async (run) => {
      const sales: { id: string; askedAt: number; at: number }[] = []
      let going = true
      const buying = buyers.map(async (as) => {
        while (going) {
          const askedAt = Date.now()
          const { status, body } = await callAt<{ orders: { _id: string }[] }>(shop.address, 'POST', '/order/checkout', {
            as,
            body: { items },
            headers: { 'idempotency-key': crypto.randomUUID() },
          })
          if (status === 200) sales.push({ id: (body.orders[0] as { _id: string })._id, askedAt, at: Date.now() })
          await wait(100)
        }
      })
      await wait(2_000 + trial.random() * 2_000)
      const moment = Date.now()
      await wait(500)
      const pending = await db.query<{ id: string }>(`select id from orders where status = 'pending'`)
      for (const { id } of pending.rows)
        await callAt(shop.address, 'PUT', `/order/update-status/${id}`, { as: admin.body, body: { status: 'rejected' } })
      going = false
      await Promise.all(buying)
      await untilArchived(db)

      const into = join(folder, `restored-${run}`)
      const since = performance.now()
      const program = startProgram('tools/rehearse.ts', env, [
        ...['--to', new Date(moment).toISOString(), '--into', into, '--config', config, '--keep'],
      ])
      await program.prints(/Ctrl-C ends it/, 5 * MINUTE_MS).catch((error: unknown) => trial.wrong(String(error)))
      restoreMs.push(performance.now() - since)
      if (!/all balanced/.test(program.output())) trial.wrong(`the books of what came back: ${program.output()}`)
      await compare(trial, into, sales, moment).catch((error: unknown) => trial.wrong(String(error)))
      program.process.kill('SIGTERM')
      await program.ended()
      const { rows } = await db.query<{ restored: Date }>('select restored_to as restored from restore_rehearsals order by id desc limit 1')
      trial.same('the rehearsal that the shop noted', rows[0]?.restored.getTime(), moment)
      rmSync(into, { recursive: true, force: true })
    })
    trial.note(`back and proved in ${(Math.max(...restoreMs) / 1000).toFixed(1)} s at most`)
  } finally {
    shop.program.process.kill('SIGTERM')
    await shop.program.ended()
    await server.close()
  }
}

async function compare(trial: Trial, into: string, sales: { id: string; askedAt: number; at: number }[], moment: number) {
  const restored = openPool({
    url: `postgres://postgres@localhost/dwadi?host=${encodeURIComponent(into)}`,
    size: 1,
    log,
    name: 'resilience',
  })
  try {
    const { rows } = await restored.query<{ id: string; status: string }>('select id, status from orders')
    const found = new Map(rows.map(({ id, status }) => [id, status]))
    const lost = sales.filter(({ id, at }) => at < moment && found.get(id) !== 'pending')
    if (lost.length > 0) trial.wrong(`${lost.length} orders from before the mistake are not back as they were`)
    const later = sales.filter(({ id, askedAt }) => askedAt > moment && found.has(id))
    if (later.length > 0) trial.wrong(`${later.length} orders came back that were made later`)
    trial.note(
      `${sales.filter(({ at }) => at < moment).length} orders before, ${sales.filter(({ askedAt }) => askedAt > moment).length} after`,
    )
  } finally {
    await restored.end()
  }
}

/** Until all that was written so far is in the archive; gives up when nothing goes there. */
async function untilArchived(db: Db) {
  const { rows } = await db.query<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment')
  await until(
    async () => {
      const { rows: archived } = await db.query<{ last: string | null }>('select last_archived_wal as last from pg_stat_archiver')
      return (archived[0]?.last ?? '') >= (rows[0]?.segment ?? '')
    },
    60_000,
    'the log to be archived',
  )
}

/** A PostgreSQL of Debian that archives with pgBackRest, as docs/going-live.md sets one up, and a first full backup. */
async function openArchivedServer(trial: Trial) {
  const programs = findPairPrograms()
  const owner = process.getuid?.() === 0 ? findUnprivilegedAccount() : null
  const folder = makeFolder('archive')
  const own = join(folder, 'server')
  const config = join(own, 'pgbackrest.conf')
  const data = join(own, 'postgres')
  const port = await findFreePort()
  mkdirSync(own)
  const files = {
    'pgbackrest.conf': `[global]
repo1-path=${own}/repository
repo1-retention-full=2
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=a pass phrase of the trial
compress-type=zst
log-path=${own}
lock-path=${own}/locks
spool-path=${own}/spool
log-level-console=warn

[dwadi]
pg1-path=${data}
pg1-port=${port}
pg1-socket-path=${own}
pg1-user=postgres
`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text, { mode: 0o644 })
  if (owner) for (const path of [own, config]) chownSync(path, owner.uid, owner.gid)
  chmodSync(own, 0o711)
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: '/', ...owner, stdio: ['ignore', 'ignore', 'pipe'] })
  run(
    join(programs.postgresFolder, 'initdb'),
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '--data-checksums',
    '--locale=C.UTF-8',
    '--encoding=UTF8',
  )
  const settings = {
    ...{
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: own,
      wal_level: 'replica',
      archive_mode: 'on',
      archive_timeout: '60s',
    },
  }
  const machine = runMachine(own, watchProcess)
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  machine.start([{ name: 'server', file: join(programs.postgresFolder, 'postgres'), args: ['-D', data, ...args], as: owner }])
  const urlOf = (database: string) => `postgres://postgres:any@127.0.0.1:${port}/${database}`
  const first = openPool({ url: urlOf('postgres'), size: 1, log, name: 'resilience' })
  await until(async () => first.query('select 1').catch(() => null), 30_000, 'the database to start')
  await first.query('create database dwadi')
  // On the command line it could not be changed any more.
  await first.query(`alter system set archive_command = 'pgbackrest --config=${config} --stanza=dwadi archive-push %p'`)
  await first.query('select pg_reload_conf()')
  await first.end()
  run('pgbackrest', `--config=${config}`, '--stanza=dwadi', 'stanza-create')
  run('pgbackrest', `--config=${config}`, '--stanza=dwadi', '--type=full', '--start-fast', 'backup')
  trial.progress('archives')
  const db = openPool({ url: urlOf('dwadi'), size: 4, log, name: 'resilience' })
  return {
    db,
    folder,
    config,
    env: { DATABASE_URL: urlOf('dwadi'), DATA_DIR: folder, CARD: 'off', MAIL: 'off', SMS: 'off', SUPPLIER: 'off' },
    async close() {
      await db.end()
      await machine.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
