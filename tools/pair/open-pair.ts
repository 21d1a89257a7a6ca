import { type ChildProcess, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { findUnprivilegedAccount } from '../../server/platform/embedded-postgres-account.ts'
import { findPairPrograms } from './find-programs.ts'
import { type RunningMachine, runMachine, type Service } from './run-machine.ts'
import { chooseEtcdInterface, etcdArguments, haproxySettings, type Machine, type Passwords, patroniSettings } from './write-settings.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const STARTS_WITHIN_MS = 90_000
const LOOK_EVERY_MS = 100

export type DatabaseMachine = 'a' | 'b'
export type Standing = { primary: DatabaseMachine | null; syncStandby: DatabaseMachine | null }

/** Two machines and a witness on this one: each has processes, folders and ports of its own, all on loopback. */
export type Pair = {
  /** The front door, which leads to the processes of the shop that can sell. */
  address: string
  /** The database as a process of the shop on the witness would reach it: whichever is the primary. */
  databaseUrl: string
  machines: Record<Machine['name'], RunningMachine>
  /** The shop's database on one machine, primary or not, past every proxy. */
  urlOf(name: DatabaseMachine): string
  /** What the machines that answer say; null while nobody is. */
  standing(): Promise<Standing>
  /** Waits until a primary has a standby that confirms every transaction. @throws Error with the logs' place when it takes too long. */
  untilPaired(withinMs?: number): Promise<Standing & { primary: DatabaseMachine; syncStandby: DatabaseMachine }>
  /** Waits until the front door leads to a process that can sell. */
  untilOpen(withinMs?: number): Promise<void>
  /** Starts a machine that was killed. */
  start(name: Machine['name']): void
  /** The processes on the primary that send the log to the standby. */
  listLogSenders(): Promise<number[]>
  /** Ends everything; the folder stays. */
  close(): Promise<void>
}

export type PairOptions = {
  /** An empty folder, for everything. */
  folder: string
  /** Of the front door; by default a free one. */
  port?: number
  /** Settings of the processes of the shop. */
  shopEnv?: Record<string, string>
  /** Sees each process as it is started. */
  onStart?: (child: ChildProcess) => void
  /** Runs on the new database, as a superuser, before the shop opens. */
  prepare?: (db: pg.Client) => Promise<unknown>
  /** Is given how to end everything before anything is started, for whoever is interrupted meanwhile. */
  onBegin?: (close: () => Promise<void>) => void
  tell?: (text: string) => void
}

/**
 * Makes a pair of machines in `folder` and waits until the shop is open on both.
 * @throws Error that says which packages are missing, or where the logs are when something does not start.
 */
export async function openPair({
  folder,
  port,
  shopEnv = {},
  onStart,
  prepare,
  onBegin,
  tell = () => undefined,
}: PairOptions): Promise<Pair> {
  if (process.platform !== 'linux') throw new Error('The trial of two machines runs on Linux alone, since it reads /proc.')
  const programs = findPairPrograms()
  const owner = process.getuid?.() === 0 ? findUnprivilegedAccount() : null
  const free = await findFreePorts(20)
  const take = () => free.pop() as number
  const plans = (['a', 'b', 'c'] as const).map((name): Machine => {
    const ports = { etcd: take(), etcdPeers: take(), patroni: take(), postgres: take(), database: take(), shop: take() }
    return { name, host: '127.0.0.1', folder: join(folder, name), ports }
  })
  const planOf = (name: Machine['name']) => plans.find((one) => one.name === name) as Machine
  const password = () => randomBytes(18).toString('base64url')
  const passwords: Passwords = {
    ...{ superuser: password(), replication: password(), rewind: password() },
    ...{ api: password(), shop: password() },
  }
  const frontPort = port ?? take()
  const address = `http://127.0.0.1:${frontPort}`
  const etcdInterface = chooseEtcdInterface(execFileSync(programs.patroni, ['--version'], { encoding: 'utf8' }))
  const pair = { machines: plans, passwords, postgresFolder: programs.postgresFolder, etcdInterface }

  for (const plan of plans) {
    mkdirSync(plan.folder, { recursive: true, mode: 0o700 })
    const files = { 'patroni.yml': patroniSettings(pair, plan), 'haproxy.cfg': haproxySettings(pair, plan, `127.0.0.1:${frontPort}`) }
    for (const [name, text] of Object.entries(files)) {
      const path = join(plan.folder, name)
      writeFileSync(path, text, { mode: 0o600 })
      if (owner) chownSync(path, owner.uid, owner.gid)
    }
    if (owner) chownSync(plan.folder, owner.uid, owner.gid)
    // The programs of the shop run as whoever started this, the others as `owner`.
    chmodSync(plan.folder, 0o711)
  }
  const machines = Object.fromEntries(plans.map(({ name, folder: own }) => [name, runMachine(own, onStart)])) as unknown as Pair['machines']
  const shopUrl = (databasePort: number) => `postgres://dwadi:${passwords.shop}@127.0.0.1:${databasePort}/dwadi`

  function servicesOf({ name, folder: own, ports }: Machine, parts: 'databases' | 'all'): Service[] {
    const plan = planOf(name)
    const below: Service[] = [
      { name: 'etcd', file: programs.etcd, args: etcdArguments(pair, plan), env: {}, as: owner },
      { name: 'haproxy', file: programs.haproxy, args: ['-db', '-f', join(own, 'haproxy.cfg')], as: owner },
      ...(name === 'c' ? [] : [{ name: 'patroni', file: programs.patroni, args: [join(own, 'patroni.yml')], as: owner }]),
    ]
    if (parts === 'databases' || name === 'c') return below
    return [...below, shopService(own, ports)]
  }

  function shopService(own: string, ports: Machine['ports']): Service {
    return {
      name: 'shop',
      file: process.execPath,
      args: ['--max-semi-space-size=4', '--import', join(ROOT, 'server/quick-start.js'), join(ROOT, 'server/main.ts')],
      env: {
        ...{ PORT: String(ports.shop), DATABASE_URL: shopUrl(ports.database), DATA_DIR: join(own, 'shop'), TRUSTED_PROXIES: '1' },
        ...{ PUBLIC_URL: address, LOG_LEVEL: 'warn' },
        ...shopEnv,
      },
      as: null,
    }
  }

  async function ask(name: DatabaseMachine, path: string) {
    const { ports } = planOf(name)
    return fetch(`http://127.0.0.1:${ports.patroni}${path}`, { signal: AbortSignal.timeout(1_000) })
  }

  async function standing(): Promise<Standing> {
    for (const name of ['a', 'b'] as const) {
      const answer = await ask(name, '/cluster').catch(() => null)
      if (!answer?.ok) continue
      const { members = [] } = (await answer.json().catch(() => ({}))) as {
        members?: { name: DatabaseMachine; role: string; state: string }[]
      }
      const primary = members.find(({ role, state }) => role === 'leader' && state === 'running')?.name ?? null
      // The word of a primary that died lives on until its lock ends, so it must answer for itself.
      if (primary === null || !(await ask(primary, '/primary').catch(() => null))?.ok) continue
      const standby = members.find(({ role }) => role === 'sync_standby')?.name ?? null
      const answers = standby !== null && (await ask(standby, '/synchronous').catch(() => null))?.ok === true
      return { primary, syncStandby: answers ? standby : null }
    }
    return { primary: null, syncStandby: null }
  }

  async function waitFor<T>(what: string, condition: () => Promise<T | null | false>, withinMs: number): Promise<T> {
    const startedAt = performance.now()
    for (;;) {
      const result = await condition().catch(() => null)
      if (result !== null && result !== false) return result
      if (performance.now() - startedAt > withinMs)
        throw new Error(`${what} took longer than ${withinMs / 1000} s. The logs are in ${folder}/*/*.log`)
      await wait(LOOK_EVERY_MS)
    }
  }

  const opened: Pair = {
    address,
    databaseUrl: shopUrl(planOf('c').ports.database),
    machines,
    urlOf: (name) => shopUrl(planOf(name).ports.postgres),
    standing,
    untilPaired: (withinMs = STARTS_WITHIN_MS) =>
      waitFor(
        'A primary with a standby that confirms',
        async () => {
          const { primary, syncStandby } = await standing()
          return primary !== null && syncStandby !== null && { primary, syncStandby }
        },
        withinMs,
      ),
    untilOpen: async (withinMs = STARTS_WITHIN_MS) => {
      const isReady = async () => (await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok
      await waitFor('Opening the shop', isReady, withinMs)
    },
    start: (name) => machines[name].start(servicesOf(planOf(name), 'all')),
    async listLogSenders() {
      const { primary } = await standing()
      if (primary === null) return []
      const url = `postgres://postgres:${passwords.superuser}@127.0.0.1:${planOf(primary).ports.postgres}/postgres`
      return withClient(url, async (client) =>
        (await client.query<{ pid: number }>('select pid from pg_stat_replication')).rows.map(({ pid }) => pid),
      )
    },
    async close() {
      const all = ['a', 'b', 'c'] as const
      await Promise.all(all.map((name) => machines[name].end('shop', 12_000)))
      await Promise.all(all.map((name) => machines[name].end('patroni', 20_000)))
      await Promise.all(all.map((name) => machines[name].kill()))
    },
  }

  onBegin?.(opened.close)
  try {
    tell('Starting etcd on three machines, and PostgreSQL on two …')
    for (const plan of plans) machines[plan.name].start(servicesOf(plan, 'databases'))
    const first = await waitFor('Starting the first database', async () => (await standing()).primary, STARTS_WITHIN_MS)
    const owning = `postgres://postgres:${passwords.superuser}@127.0.0.1:${planOf(first).ports.postgres}`
    await withClient(`${owning}/postgres`, async (client) => {
      await client.query(`create role dwadi login createrole password ${pg.escapeLiteral(passwords.shop)}`)
      await client.query('create database dwadi owner dwadi')
    })
    await opened.untilPaired()
    if (prepare) await withClient(`${owning}/dwadi`, prepare)
    tell('Opening the shop on both …')
    for (const name of ['a', 'b'] as const) machines[name].start([shopService(planOf(name).folder, planOf(name).ports)])
    await opened.untilOpen()
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Ports of this machine that nobody listens on just now. */
async function findFreePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const server = createServer()
          server.once('error', reject)
          server.listen(0, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
