import type { Tier } from './experiment.ts'

/** What `npm run resilience` was asked for; `provide` in vitest.config.ts has what applies without it. */
export type RunOptions = {
  /** A regular expression that the names of the experiments, or of the guards, must match. */
  pattern: string
  tier: Tier
  runs: number | null
  seed: number | null
  /** After this many minutes the sequences of Q1 and Q2 end. */
  minutes: number | null
  verbose: boolean
}

declare module 'vitest' {
  interface ProvidedContext {
    resilience: RunOptions
  }
}

/** The members whose name, which begins with an experiment's id, matches. @throws Error when there is none. */
export function choose<T>(all: readonly T[], nameOf: (one: T) => string, { pattern }: RunOptions): T[] {
  const wanted = new RegExp(pattern, 'i')
  const chosen = all.filter((one) => wanted.test(nameOf(one)))
  if (chosen.length === 0) throw new Error(`nothing matches ${pattern}: there are ${all.map((one) => nameOf(one).split(' ')[0]).join(' ')}`)
  return chosen
}
