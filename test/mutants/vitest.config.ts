import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { MONEY_TESTS, PARTS } from './money-tests.ts'

/** The money tests alone, in one project, or those of the part that MUTANTS_PART names. With TEST_TEMPLATE_URL they share a database server that is there already. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    environment: 'node',
    include: PARTS[process.env.MUTANTS_PART ?? '']?.tests ?? MONEY_TESTS,
    globalSetup: ['test/global-setup.ts'],
    testTimeout: 20_000,
    // Opening a test's database takes this long only on a busy machine.
    hookTimeout: 60_000,
    maxWorkers: 2,
    // It goes by the file on the disk, and would give the original, or an earlier mutant, for what is mutated in memory.
    fsModuleCache: false,
  },
})
