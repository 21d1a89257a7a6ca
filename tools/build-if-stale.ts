import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const ROOT = resolve(import.meta.dirname, '..')
const STAMP = join(ROOT, 'dist/web/.built-from')
const LOCK = join(ROOT, 'dist/web.lock')
const LONGEST_BUILD_MS = 120_000
const SOURCES = [
  'web',
  'shared',
  'vite.config.ts',
  'tsconfig.base.json',
  'tsconfig.web.json',
  'package.json',
  'package-lock.json',
  'tools/build-web.ts',
  'tools/precompress.ts',
]

if (isStale()) await buildAlone()

function isStale() {
  return textOf(STAMP) !== fingerprint()
}

/** Two starts in one folder at the same time would empty each other's output. */
async function buildAlone() {
  while (!lock()) await setTimeout(200)
  try {
    if (isStale()) build()
  } finally {
    rmSync(LOCK, { force: true })
  }
}

function build() {
  const builtFrom = fingerprint()
  console.log('Building the web app, which takes a moment …')
  // The list of its files goes to standard output, what is wrong to the other.
  const { status } = spawnSync(process.execPath, ['--run', 'build'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status === 0) writeFileSync(STAMP, builtFrom)
  else process.exitCode = status ?? 1
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesIn)) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

function filesIn(place: string): string[] {
  const stats = statSync(join(ROOT, place), { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return stats ? [place] : []
  return readdirSync(join(ROOT, place))
    .sort()
    .flatMap((name) => filesIn(`${place}/${name}`))
}

function lock() {
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (isAbandoned()) rmSync(LOCK, { force: true })
    return false
  }
}

/** A number is not proof of life: after a kill and a restart of the container another process may have it. */
function isAbandoned() {
  const since = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  return Date.now() - since > LONGEST_BUILD_MS || !isRunning(Number(textOf(LOCK)))
}

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function textOf(path: string) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
