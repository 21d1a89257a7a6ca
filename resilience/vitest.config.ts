import { defineConfig } from 'vitest/config'
import type { RunOptions } from './run-options.ts'

const ALL: RunOptions = { pattern: '', tier: 'fast', runs: null, seed: null, minutes: null, verbose: false }

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['{experiments,guards}.test.ts'],
    provide: { resilience: ALL },
    pool: 'forks',
    fileParallelism: false,
    // Node loads the program as it does in the shop, so that `without.ts` can replace its exports.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Each has a deadline of its own (`runExperiment`), which grows with the load, says what it was waiting for and ends what was started.
    testTimeout: 0,
    // Closing the shops, which takes seconds.
    hookTimeout: 30 * 60_000,
    teardownTimeout: 60_000,
    // How many run at once of those that wait more than they work.
    maxConcurrency: 4,
    disableConsoleIntercept: true,
    retry: 0,
  },
})
