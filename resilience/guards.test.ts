import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { runExperiment } from './experiment.ts'
import { EXPERIMENTS } from './experiments.ts'
import { GUARDS } from './guards/all.ts'
import { type Guard, isOfProcess, nameOf, withoutIt } from './guards/guard.ts'
import { makeFolder, removeEverything, watchProcess } from './leftovers.ts'
import { updateGuard } from './page.ts'
import { choose } from './run-options.ts'
import { openShops, type Shops, withoutGuard } from './shops.ts'

// An experiment counts only if it fails on a broken shop: each guard is left out once, in a database, a process or a copy of its
// own, and the experiment must notice. `npm run resilience -- --guards --only A4,B3`.

const ROOT = resolve(import.meta.dirname, '..')
/** What a copy of the program consists of; its web app is built there. */
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
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'tsconfig.base.json',
  'tsconfig.web.json',
]
const known = new Set(GUARDS.map(nameOf))

type Seen = { runs: number; violations: string[]; books: number }

afterAll(removeEverything)

test.for(choose(GUARDS, nameOf, inject('resilience')).map((guard) => [nameOf(guard), guard] as const))('without %s', async ([, guard]) => {
  const { runs, violations, books } = await tryWithout(guard)
  const { experiment: id, removed } = guard
  const seen = violations.length === 0 ? '**nothing was seen**' : `wrong ${Math.min(violations.length, runs)} of ${runs}`
  const first = (violations[0] ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 160)
  const line = `| ${id} | ${removed} | ${seen} | ${first} | ${books} |`
  console.log(line)
  updateGuard(id, removed, line, known)
  expect(violations).not.toEqual([])
})

async function tryWithout(guard: Guard): Promise<Seen> {
  const { experiment: id, runs } = guard
  const isOfTheWebApp = guard.replaced?.some(({ module }) => module.startsWith('../../web/')) ?? false
  if (guard.planted || (isOfTheWebApp && !guard.apart)) return inCopy(guard)
  if (guard.apart) return runApart(ROOT, guard)
  const experiment = EXPERIMENTS.find((one) => one.id === id)
  if (!experiment) throw new Error(`there is no experiment ${id}`)
  const options = withoutIt(guard)
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
}

/** Runs the experiment in a process of its own, in which the guard is left out, as it is from all that the experiment opens. */
async function runApart(folder: string, guard: Guard): Promise<Seen> {
  const { experiment, runs } = guard
  const child = watchProcess(
    spawn(process.execPath, ['resilience/run.ts', '--only', experiment, '--runs', String(runs), '--seed', '1'], {
      cwd: folder,
      env: { ...process.env, ...(isOfProcess(guard) ? withoutGuard({ without: nameOf(guard) }, folder) : { WITHOUT: nameOf(guard) }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  let output = ''
  for (const channel of [child.stdout, child.stderr]) {
    channel.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  await once(child, 'close')
  const [, done, found] = /(\d+) runs, (\d+) violations/.exec(output) ?? []
  if (done === undefined) throw new Error(`it did not run: ${output.slice(-2_000)}`)
  const told = [...output.matchAll(/^ +BROKEN (.*)$/gm)].map(([, text]) => text as string)
  return { runs: Number(done), violations: [...told, ...Array(Math.max(0, Number(found) - told.length)).fill('')], books: 0 }
}

/** The same in a copy of the program, which builds a web app of its own. */
async function inCopy(guard: Guard): Promise<Seen> {
  const copy = makeFolder('unguarded')
  try {
    for (const part of PARTS) await cp(join(ROOT, part), join(copy, part), { recursive: true })
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (const [file, text] of Object.entries(guard.planted ?? {})) await writeFile(join(copy, file), text)
    return await runApart(copy, guard)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}
