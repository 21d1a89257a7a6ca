import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Config, listSettings, readConfig } from '../server/platform/config.ts'

type Env = Record<string, string | undefined>
type Candidate = { env: Env; from: string; isHere: boolean }
/** `from`: where the settings stand; null when the environment alone has them. */
export type Found = { config: Config; env: Env; from: string | null }
type Places = { root: string; proc: string; etc: string }

const HERE: Places = { root: resolve(import.meta.dirname, '..'), proc: '/proc', etc: '/etc' }

/**
 * The shop that a command is about, for all of them: the one that DATA_DIR or DATABASE_URL names, with the other settings of the shop
 * that runs there; else the one that runs from this folder; else that of the service's settings; else the sandbox in ./data.
 * @throws Error that says what to do when there is none, several, or one whose settings are closed to this user.
 */
export function findShop(own: Env, places: Places = HERE): Found {
  const given = settingsOf(own)
  const database = given.DATABASE_URL ?? given.DATA_DIR
  if (database !== undefined) {
    const same = listCandidates(places, { mayBeClosed: true }).find(({ env }) => isSameDatabase(env, given))
    return merge(same ?? { env: {}, from: null }, given)
  }
  const candidates = listCandidates(places)
  const here = candidates.filter(({ isHere }) => isHere)
  const others = here.filter(({ env }) => !isSameDatabase(env, here[0]?.env ?? {}))
  if (here[0] && others.length === 0) return merge(here[0], given)
  const sandbox = join(places.root, 'data')
  if (!here[0] && isThere(join(sandbox, 'postgres/PG_VERSION'))) return merge({ env: { DATA_DIR: sandbox }, from: 'the defaults' }, given)
  if (isThere(join(places.root, '.env')) && given.POSTGRES_PASSWORD === undefined && candidates.length === 0)
    throw new Error(
      `Which shop? ${join(places.root, '.env')} is for Docker: run the command there, as in docker compose exec shop node tools/ledger-check.ts, ` +
        'or say DATA_DIR or DATABASE_URL.',
    )
  const known = here[0] ? here : candidates
  throw new Error(
    [
      known.length > 1
        ? 'Several shops run here. Say which one is meant:'
        : 'Which shop? None runs from this folder. Say which one is meant:',
      ...(known.length > 0
        ? known.map(({ env, from }) => `  ${nameDatabase(env)}   (${from})`)
        : ['  DATA_DIR=/var/lib/dwadi/data, or DATABASE_URL=postgres://…, before the command']),
    ].join('\n'),
  )
}

/** Running shops first, since they have what they were really started with. */
function listCandidates(places: Places, { mayBeClosed = false } = {}): Candidate[] {
  return [...listRunning(places), ...listServices(places, mayBeClosed)]
}

function listRunning({ root, proc }: Places): Candidate[] {
  const found: Candidate[] = []
  for (const pid of namesIn(proc).filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(join(proc, pid, 'cmdline'), 'utf8').split('\0')
      const main = command.find((word) => /(?:^|\/)server\/main\.ts$/.test(word))
      if (main === undefined || !/node$/.test(command[0] ?? '')) continue
      // A container's shop is another machine's: its database has a name that means nothing here.
      if (readlinkSync(join(proc, pid, 'ns/pid')) !== readlinkSync(join(proc, 'self/ns/pid'))) continue
      const cwd = readlinkSync(join(proc, pid, 'cwd'))
      const env = parseEnviron(readFileSync(join(proc, pid, 'environ'), 'utf8'))
      found.push({
        env: withAbsoluteFolder(settingsOf(env), cwd),
        from: `the settings of the running shop, process ${pid}`,
        isHere: realpathSync(resolve(cwd, main)) === realpathSync(join(root, 'server/main.ts')),
      })
    } catch {
      // It has ended, or is another user's.
    }
  }
  return found
}

/** The service of docs/going-live.md: its settings also count while it is stopped. */
function listServices({ root, etc }: Places, mayBeClosed: boolean): Candidate[] {
  const unit = textOf(join(etc, 'systemd/system/dwadi.service'))
  const files =
    unit === null ? [join(etc, 'dwadi.env')] : [...unit.matchAll(/^EnvironmentFile=-?(\S+)/gm)].map(([, file]) => file as string)
  const env = parseAssignments([...(unit ?? '').matchAll(/^Environment=(.*)/gm)].map(([, line]) => line as string).join(' '))
  const read: string[] = []
  for (const file of files) {
    try {
      Object.assign(env, parseEnvFile(readFileSync(file, 'utf8')))
      read.push(file)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EACCES' && !mayBeClosed)
        throw new Error(
          `The shop's settings in ${file} are closed to this user. Run the command as root: it goes on as the shop's own user.`,
        )
    }
  }
  if (read.length === 0) return []
  const folder = /^WorkingDirectory=(\S+)/m.exec(unit ?? '')?.[1] ?? root
  return [{ env: withAbsoluteFolder(settingsOf(env), folder), from: read.join(' and '), isHere: true }]
}

function merge({ env, from }: { env: Env; from: string | null }, given: Env): Found {
  const all = { ...env, ...given }
  return { config: readConfig(all), env: all, from }
}

/** What this program knows as a setting, and is not empty. */
function settingsOf(env: Env): Env {
  const names = [...listSettings().map(({ name }) => name), 'POSTGRES_PASSWORD']
  return Object.fromEntries(names.filter((name) => env[name] !== undefined && env[name] !== '').map((name) => [name, env[name]]))
}

function withAbsoluteFolder(env: Env, cwd: string): Env {
  return { ...env, DATA_DIR: resolve(cwd, env.DATA_DIR ?? './data') }
}

function isSameDatabase(one: Env, other: Env): boolean {
  if (one.DATABASE_URL !== undefined || other.DATABASE_URL !== undefined) return one.DATABASE_URL === other.DATABASE_URL
  return realFolder(one.DATA_DIR) === realFolder(other.DATA_DIR)
}

function realFolder(path = './data'): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** A setting to type, without a password. */
function nameDatabase(env: Env): string {
  return env.DATABASE_URL === undefined ? `DATA_DIR=${env.DATA_DIR}` : `DATABASE_URL of ${hideLogin(env.DATABASE_URL)}`
}

export function hideLogin(url: string): string {
  if (!URL.canParse(url)) return 'a database server'
  const { hostname, port, pathname, searchParams } = new URL(url)
  return `${hostname || searchParams.get('host') || 'a socket'}${port ? `:${port}` : ''}${pathname}`
}

/** As systemd reads an EnvironmentFile: no variables, no commands, `#` and `;` begin a comment only at a line's start. */
export function parseEnvFile(text: string): Env {
  const env: Env = {}
  for (const line of text.replaceAll('\\\n', '').split('\n')) {
    const [, name, raw = ''] = /^\s*([A-Za-z_]\w*)=(.*)$/.exec(line) ?? []
    if (name === undefined) continue
    const value = raw.trim()
    const [, quoted] = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')$/.exec(value) ?? []
    env[name] =
      value.startsWith("'") && value.endsWith("'") && value.length > 1 ? value.slice(1, -1) : (quoted ?? value).replace(/\\(.)/g, '$1')
  }
  return env
}

/** Several on a line, each with quotes around all of it or none. */
function parseAssignments(text: string): Env {
  const words = [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
  return Object.fromEntries(
    words.filter((word) => word.includes('=')).map((word) => [word.replace(/=.*/s, ''), word.replace(/^[^=]*=/, '')]),
  )
}

function parseEnviron(text: string): Env {
  return Object.fromEntries(
    text
      .split('\0')
      .filter((entry) => entry.includes('='))
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  )
}

/** Whose the data folder is, or would be: that of the nearest folder above that there is. */
export function ownerOfFolder(path: string): { uid: number; gid: number } {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats) return { uid: stats.uid, gid: stats.gid }
    if (folder === dirname(folder)) return { uid: 0, gid: 0 }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path) !== undefined
  } catch {
    return false
  }
}
