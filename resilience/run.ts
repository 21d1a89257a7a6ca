import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createVitest } from 'vitest/node'
import { childrenOf } from './leftovers.ts'
import type { RunOptions } from './run-options.ts'

// `npm run resilience -- --only A1,B3`, `-t "A1 "`, `--full`, `--guards`: gives Vitest the options that it does not have itself.

const { values } = parseArgs({
  options: {
    guards: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    only: { type: 'string' },
    testNamePattern: { type: 'string', short: 't', default: '' },
    runs: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})
/** `A1,B` are the experiment A1 and all whose id begins with B. */
const ids = values.only?.split(',').map((id) => (/\d/.test(id) ? id.trim() : `${id.trim()}\\d+`))
const resilience: RunOptions = {
  pattern: ids ? `^(${ids.join('|')}) ` : values.testNamePattern,
  tier: values.full ? 'full' : 'fast',
  runs: toNumber('runs', 1),
  seed: toNumber('seed', 0),
  minutes: values.minutes === undefined ? null : Number(values.minutes),
  verbose: values.verbose,
}
const vitest = await createVitest('test', {
  config: resolve(import.meta.dirname, 'vitest.config.ts'),
  watch: false,
  provide: { resilience },
})
// Vitest would kill its worker at once, which has databases and folders to remove first. When the worker has ended, so does the run.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.removeAllListeners(signal)
  process.on(signal, () => {
    for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGTERM')
  })
}
await vitest.start([values.guards ? 'guards.test.ts' : 'experiments.test.ts'])
await vitest.exit(true)

function toNumber(name: 'runs' | 'seed', least: number): number | null {
  if (values[name] === undefined) return null
  const number = Number(values[name])
  if (!Number.isSafeInteger(number) || number < least) throw new Error(`--${name} is a whole number`)
  return number
}
