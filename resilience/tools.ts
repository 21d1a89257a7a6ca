import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseSync } from '@swc/core'
import type { Experiment, Trial } from './experiment.ts'
import { makeFolder, watchProcess } from './leftovers.ts'
import { openShops, type Shops } from './shops.ts'

const ROOT = resolve(import.meta.dirname, '..')

/** J21 to J23. Third-party tools, where they are installed. */
export const tools: Experiment[] = [
  {
    id: 'J21',
    beside: true,
    expects: 'sqlmap at every kind of parameter (search, status, page, a JSON body, a part of the address): nothing to inject',
    runs: { fast: 2, full: 9 },
    unavailable: () => absent('sqlmap'),
    go: injectWithSqlmap,
  },
  {
    id: 'J22',
    beside: true,
    expects: 'slowhttptest with slow headers and bodies (full: and reading): no connection is left open, the shop answers all the while',
    runs: { fast: 2, full: 3 },
    unavailable: () => absent('slowhttptest'),
    go: slowDown,
  },
  {
    id: 'J23',
    expects: 'recheck over every regular expression of the shop and the web app: none that a text could make slow',
    runs: { fast: 1, full: 1 },
    unavailable: async () => ((await loadRecheck()) === null ? 'recheck is not installed' : null),
    go: checkExpressions,
  },
]

function absent(program: string): string | null {
  const found = spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
  return found.status === 0 ? null : `${program} is not installed here (apt-get install ${program})`
}

async function runTool(program: string, args: string[]): Promise<string> {
  // Its files go into this run's folder.
  const home = makeFolder('tool')
  const child = watchProcess(
    spawn(program, args, { cwd: home, env: { PATH: process.env.PATH, HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  let output = ''
  for (const channel of [child.stdout, child.stderr])
    channel?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  await once(child, 'close')
  return output
}

async function injectWithSqlmap(trial: Trial) {
  const shops = await openShops({ ...trial.opening, processes: 1 })
  try {
    await injectAt(trial, shops)
  } finally {
    await shops.close()
  }
}

async function injectAt(trial: Trial, shops: Shops) {
  const person = await shops.makeUser({ pesewas: 10_000 })
  const [admin] = shops.admins
  await shops.buy(person, [shops.line()])
  const line = shops.line()
  const asked: [token: string, path: string, parameters: string, body?: string][] = [
    // It finds the only order, so that an injected condition would show.
    [admin.token, '/order/allorders?page=1&pageSize=10&status=pending&search=1gb', 'search,status'],
    [person.token, '/user/login', 'userPhone,password', '{"userPhone":"0241234567","password":"a good password"}'],
    [admin.token, '/recharge/10000001*/approve', '#1*', '{}'],
    [admin.token, '/user?page=1&pageSize=10&search=a', 'page,pageSize,search'],
    [person.token, '/proxy', 'reference', '{"body":{"reference":"AAAAAAAAAAAAAAAAAAAA"}}'],
    [admin.token, '/admin/actions?page=1&search=a', 'page,search'],
    [person.token, '/user/forget-password', 'email', '{"email":"a@example.com"}'],
    [
      person.token,
      '/order/create',
      'id,offer,receiver',
      `{"newOrder":{"id":"a1","network":"MTN","offer":"1GB","receiver":"0551234567","totalAmount":${line.amount}}}`,
    ],
    [admin.token, '/export/admin-orders?search=1gb&status=pending', 'search,status'],
  ]
  const deep = trial.tier === 'full' ? ['--level=5', '--risk=3'] : ['--level=2', '--risk=1', '--technique=BEU']
  for (const [token, path, parameters, body] of asked.slice(0, trial.runs)) {
    const output = await runTool('sqlmap', [
      ...['-u', `${shops.all[0]?.address}/api${path}`, '--batch', '--dbms=PostgreSQL', '--ignore-code=*', '--disable-coloring'],
      ...['--header', `Authorization: Bearer ${token}`, '--threads=4', '--output-dir=out', ...deep],
      ...(path.includes('*') ? [] : ['-p', parameters]),
      ...(body === undefined ? [] : ['--data', body, '--header', 'Content-Type: application/json']),
      ...(path.includes('/approve') ? ['--method=PUT'] : []),
    ])
    if (/is vulnerable|injection point\(s\)|appears to be '[^']+' injectable/.test(output))
      trial.wrong(`${path}: ${/Parameter: .+\n\s+Type: .+/.exec(output)?.[0] ?? output.slice(-600)}`)
    else if (!/all tested parameters do not appear to be injectable/.test(output))
      trial.wrong(`${path} was not tried: ${output.slice(-400)}`)
    trial.progress(`${path} was tried`)
    trial.did()
  }
}

/** The tool writes in colour. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

const SLOW: [name: string, args: string[]][] = [
  ['headers', ['-H', '-i', '3']],
  ['bodies', ['-B', '-i', '3', '-s', '8192', '-t', 'POST']],
  ['reading', ['-X', '-w', '1', '-y', '1', '-n', '5', '-z', '8', '-k', '3']],
]

async function slowDown(trial: Trial) {
  const shops = await openShops({ ...trial.opening, processes: 1 })
  const pid = shops.all[0]?.program.process.pid as number
  try {
    const before = countSockets(pid)
    for (const [name, args] of SLOW.slice(0, trial.runs)) {
      const path = name === 'bodies' ? '/api/user/login' : '/api/product'
      const tried = runTool('slowhttptest', [
        ...['-c', trial.tier === 'full' ? '1000' : '200', '-r', '100', '-l', '40', '-p', '5', ...args],
        ...['-u', `${shops.all[0]?.address}${path}`],
      ])
      let over = false
      void tried.finally(() => {
        over = true
      })
      const slowest = await askAllTheWhile(trial, shops, () => over)
      const output = (await tried).replaceAll(COLOUR, '')
      const status = /Exit status:\s*(.+)/.exec(output)?.[1] ?? output.slice(-200)
      trial.note(`${name}: ${status.trim().toLowerCase()}, slowest honest answer ${slowest.toFixed(0)} ms`)
      if (name !== 'reading' && !/no open connections left/i.test(status)) trial.wrong(`slow ${name}: ${status.trim()}`)
      // A slow reader may still have bytes to receive after the shop has hung up, so count the shop's own sockets.
      const left = countSockets(pid)
      if (left > before + 10) trial.wrong(`slow ${name}: ${left - before} connections were left open`)
      trial.did()
    }
  } finally {
    await shops.close()
  }
}

/** A process's sockets, including those to its database. */
function countSockets(pid: number): number {
  if (process.platform !== 'linux') return 0
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length
}

async function askAllTheWhile(trial: Trial, shops: Shops, isOver: () => boolean): Promise<number> {
  let slowest = 0
  while (!isOver()) {
    const since = performance.now()
    const { status } = await shops.call('GET', '/product')
    if (status !== 200) trial.wrong(`an honest call got ${status}`)
    slowest = Math.max(slowest, performance.now() - since)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return slowest
}

type Recheck = { check(source: string, flags: string, params?: object): Promise<{ status: string; complexity?: { summary: string } }> }

async function loadRecheck(): Promise<Recheck | null> {
  process.env.RECHECK_BACKEND = 'pure'
  return import('recheck').then(
    (found) => found as unknown as Recheck,
    () => null,
  )
}

async function checkExpressions(trial: Trial) {
  const recheck = (await loadRecheck()) as Recheck
  const checked = new Set<string>()
  const unsure: string[] = []
  for (const file of listSources()) {
    for (const { pattern, flags } of expressionsIn(file)) {
      if (checked.has(`${flags}/${pattern}`)) continue
      checked.add(`${flags}/${pattern}`)
      const { status, complexity } = await recheck.check(pattern, flags, { timeout: 10_000 })
      if (status === 'vulnerable') trial.wrong(`${relative(ROOT, file)}: /${pattern}/${flags} is ${complexity?.summary}`)
      if (status === 'unknown') unsure.push(`/${pattern}/${flags}`)
      trial.did()
    }
  }
  if (unsure.length > 0) trial.note(`could not tell of ${unsure.join(' ')}`)
}

/** Sources that a stranger's text may reach: not the tests, nor the experiments. */
function listSources(): string[] {
  return ['server', 'shared', 'web', 'sandbox'].flatMap((folder) =>
    readdirSync(resolve(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$|\.d\.ts$/.test(entry.name))
      .map((entry) => resolve(entry.parentPath, entry.name)),
  )
}

type Expression = { pattern: string; flags: string }

function expressionsIn(file: string): Expression[] {
  const found: Expression[] = []
  const walk = (node: unknown) => {
    if (Array.isArray(node)) return void node.forEach(walk)
    if (node === null || typeof node !== 'object') return
    const { type, pattern, flags } = node as { type?: string } & Expression
    if (type === 'RegExpLiteral') found.push({ pattern, flags })
    for (const inner of Object.values(node)) walk(inner)
  }
  walk(parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', tsx: file.endsWith('x') }))
  return found
}
