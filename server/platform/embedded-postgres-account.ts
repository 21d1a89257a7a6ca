import { spawn } from 'node:child_process'
import { lchownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** How to run a database program: PostgreSQL refuses to run as root. */
export type RunAs = {
  description: string
  /** The owner for files that the program writes; null for the current user. */
  owner: Owner | null
  command(program: string, args: string[]): Command
}

export type Owner = { uid: number; gid: number }
type Need = { postgres: string; configFolder: string; chownFolder: string }
type Command = { file: string; args: string[]; identity: Partial<Owner> }

export const isWindows = process.platform === 'win32'
const PROBE_TIMEOUT_MS = 10_000
const ACCOUNTS = ['postgres', '_postgres', 'nobody']

/**
 * Finds an account that can run `postgres` and read `configFolder` (a folder with a postgresql.conf), and gives it
 * everything in `chownFolder`. Only needed when running as root.
 * @throws Error when no account can.
 */
export async function findWayToRun(need: Need): Promise<RunAs> {
  if (process.getuid?.() !== 0) return asOurselves
  const failures: string[] = []
  for (const way of waysForRoot(need)) {
    const failure = await whyNot(way, need)
    if (failure === null) return way
    failures.push(`${way.description}: ${failure}`)
  }
  throw new Error(
    `PostgreSQL does not run as root, and no unprivileged account here can reach both the data folder ${dirname(need.configFolder)} and ${need.postgres}. ` +
      'Set DATA_DIR to a folder that such an account can reach (and put the application in one), start it as another user, ' +
      `or set DATABASE_URL to a database server.\n${failures.join('\n')}`,
  )
}

/** Runs a program and returns its exit code (null if it did not run or timed out) and all of its output. */
export function runProgram(
  way: RunAs,
  program: string,
  args: string[],
  timeoutMs: number,
): Promise<{ code: number | null; output: string }> {
  const { file, args: allArgs, identity } = way.command(program, args)
  return new Promise((resolve) => {
    const child = spawn(file, allArgs, { ...identity, ...programOptions(), stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', (error) => resolve({ code: null, output: `${output}${error.message}` }))
    child.on('close', (code, signal) => resolve({ code, output: signal ? `${output}ended by ${signal}` : output }))
  })
}

/** The working folder may be closed to that account, and PG* variables of the operator's shell refer to another server. */
export function programOptions() {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')))
  return { cwd: isWindows ? undefined : '/', env: { ...env, LC_ALL: 'C', LANG: 'C' } as NodeJS.ProcessEnv, windowsHide: true }
}

async function whyNot(way: RunAs, { postgres, configFolder, chownFolder }: Need): Promise<string | null> {
  try {
    giveFolder(chownFolder, way.owner)
  } catch (error) {
    return (error as Error).message
  }
  const { code, output } = await runProgram(way, postgres, ['-D', configFolder, '-C', 'port'], PROBE_TIMEOUT_MS)
  // If the file could be read but has mistakes, let the start report them.
  const mistaken = output.includes('contains errors') && !output.includes('Permission denied')
  return code === 0 || mistaken ? null : output.trim()
}

/** Makes one file or folder readable by the account; does nothing when no account is switched to. */
export async function givePath(path: string, owner: Owner | null) {
  if (owner) await chown(path, owner.uid, owner.gid)
}

export const asOurselves: RunAs = {
  description: 'as the current user',
  owner: null,
  command: (file, args) => ({ file, args, identity: {} }),
}

/**
 * Prefer the cluster's current owner, so that a start with sudo changes nothing. An account that can't reach the folder or
 * the programs (below /root, for instance) gets the one capability that bypasses file permissions, as a last resort.
 */
function waysForRoot({ configFolder }: Need): RunAs[] {
  const owner = statSync(join(configFolder, 'postgresql.conf'))
  const account = owner.uid === 0 ? findUnprivilegedAccount() : { uid: owner.uid, gid: owner.gid }
  return process.platform === 'linux' ? [withAccount(account), pastPermissions(account)] : [withAccount(account)]
}

function withAccount({ uid, gid }: Owner): RunAs {
  return {
    description: `as uid ${uid}`,
    owner: { uid, gid },
    command: (file, args) => ({ file, args, identity: { uid, gid } }),
  }
}

/** PostgreSQL checks with access(2), which ignores a plain user's capabilities unless `no_setuid_fixup` is set. */
function pastPermissions({ uid, gid }: Owner): RunAs {
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup']
  return {
    description: `as uid ${uid} past file permissions`,
    owner: { uid, gid },
    command: (program, args) => ({ file: 'setpriv', args: [...identity, ...capability, '--', program, ...args], identity: {} }),
  }
}

/** The account for programs that refuse to run as root. @throws Error when this system has none. */
export function findUnprivilegedAccount(): Owner {
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of ACCOUNTS) {
    const entry = entries.find(([user]) => user === name)
    if (entry) return { uid: Number(entry[2]) >>> 0, gid: Number(entry[3]) >>> 0 }
  }
  throw new Error(
    `PostgreSQL does not run as root, and this system has none of the accounts ${ACCOUNTS.join(', ')}. Start it as another user, or set DATABASE_URL.`,
  )
}

/** Checks every file, since a copy or restore may have given some of them another owner. */
function giveFolder(folder: string, owner: Owner | null) {
  if (!owner) return
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const path of [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]) {
    if (lstatSync(path).uid !== owner.uid) lchownSync(path, owner.uid, owner.gid)
  }
}
