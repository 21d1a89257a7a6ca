import { spawnSync } from 'node:child_process'
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runExperiment } from './experiment.ts'
import { EXPERIMENTS } from './experiments.ts'
import { GUARDS } from './guards/all.ts'
import { type Edit, type Guard, nameOf } from './guards/guard.ts'
import { makeFolder } from './leftovers.ts'
import { updateGuard } from './page.ts'
import { openShops, type Shops, withoutGuard } from './shops.ts'

// An experiment counts only if it fails on a broken build: this takes each guard out once, in a database or a copy of
// its own, and shows that the experiment sees it. `npm run node -- resilience/guards.ts`, `npm run node -- resilience/guards.ts --only A4,B3`.

const ROOT = resolve(import.meta.dirname, '..')
const PARTS = [
  'server',
  'shared',
  'sandbox',
  'db',
  'test',
  'web',
  'resilience',
  'tools',
  'docs',
  'dist',
  'package.json',
  'package-lock.json',
]
/** What the copy's own web app is built with, where a guard is taken out of it. */
const BUILD_PARTS = ['vite.config.ts', 'tsconfig.base.json', 'tsconfig.web.json']
const { values } = parseArgs({ options: { only: { type: 'string' } } })
const wanted = values.only?.split(',').map((id) => id.trim().toUpperCase())

type Seen = { runs: number; violations: string[]; books: number }

const known = new Set(GUARDS.map(({ experiment, removed }) => `${experiment} ${removed}`))
let isMissed = false
for (const guard of GUARDS.filter(
  ({ experiment }) => !wanted || wanted.some((one) => experiment === one || experiment.replace(/[0-9]+$/, '') === one),
)) {
  const { experiment: id, removed } = guard
  const { runs, violations, books } = await tryWithout(guard).catch((error: unknown): Seen => {
    console.error(`${id} could not be tried: ${String(error)}`)
    return { runs: 0, violations: [], books: 0 }
  })
  const seen = violations.length
  if (seen === 0) isMissed = true
  const first = (violations[0] ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 160)
  const line = `| ${id} | ${removed} | ${seen === 0 ? '**nothing was seen**' : `wrong ${Math.min(seen, runs)} of ${runs}`} | ${first} | ${books} |`
  console.log(line)
  updateGuard(id, removed, line, known)
}
process.exit(isMissed ? 1 : 0)

async function tryWithout(guard: Guard): Promise<Seen> {
  const { experiment: id, runs, fromDatabase, fromProgram, replaced, atStart } = guard
  const copy = fromProgram ? await copyProgram(fromProgram) : null
  try {
    if (guard.inCopy) return runApart(copy ?? ROOT, guard)
    const experiment = EXPERIMENTS.find((one) => one.id === id)
    if (!experiment) throw new Error(`there is no experiment ${id}`)
    const options = {
      ...(copy ? { script: join(copy, 'server/main.ts') } : {}),
      ...(fromDatabase ? { spoil: fromDatabase } : {}),
      ...(replaced || atStart ? { without: nameOf(guard) } : {}),
    }
    let opened: Promise<Shops> | undefined
    const shops = () => {
      opened ??= openShops(options)
      return opened
    }
    try {
      const result = await runExperiment(experiment, { tier: 'fast', seed: 1, runs, shops, opening: options, progress: () => {} })
      if (result.notRun !== null) throw new Error(`not run: ${result.notRun}`)
      const books = opened ? (await (await opened).prove()).length : 0
      return { runs: result.runs, violations: result.violations, books }
    } finally {
      if (opened) await (await opened).close()
    }
  } finally {
    if (copy) await rm(copy, { recursive: true, force: true })
  }
}

/** What an experiment looks at in its own process is broken in another process alone. */
function runApart(folder: string, guard: Guard): Seen {
  const { experiment, runs } = guard
  const args = ['resilience/run.ts', '--only', experiment, '--runs', String(runs), '--seed', '1']
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...(guard.replaced ? withoutGuard({ without: nameOf(guard) }) : {}) },
  })
  const [, done, found] = /(\d+) runs, (\d+) violations/.exec(stdout) ?? []
  if (done === undefined) throw new Error(`the copy did not run: ${stderr.slice(-400)}`)
  const told = [...stdout.matchAll(/^ +BROKEN (.*)$/gm)].map(([, text]) => text as string)
  return { runs: Number(done), violations: [...told, ...Array(Math.max(0, Number(found) - told.length)).fill('')], books: 0 }
}

async function copyProgram(edits: Edit[]): Promise<string> {
  const copy = makeFolder('unguarded')
  for (const part of [...PARTS, ...BUILD_PARTS]) await cp(join(ROOT, part), join(copy, part), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const [file, was, becomes] of edits) {
    const text = await readFile(join(copy, file), 'utf8')
    if (!text.includes(was)) throw new Error(`${file} has no “${was}”`)
    await writeFile(
      join(copy, file),
      text.replace(was, () => becomes),
    )
  }
  return copy
}
