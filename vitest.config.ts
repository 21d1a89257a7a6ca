import { existsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'

const GLOBAL_SETUP = 'test/global-setup.ts'
const exclude = [...configDefaults.exclude, 'test/e2e/**', 'tools/boundaries-fixture/**']

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    environment: 'node',
    // Only what hangs takes so long; a machine that checks everything at once is slow at times.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // Each file of the integration project talks to a database of its own in one PostgreSQL.
    maxWorkers: 2,
    // A test that passes only the second time is a fault to be found.
    retry: 0,
    projects: [
      { extends: true, test: { name: 'unit', include: ['{shared,web,tools}/**/*.test.{ts,tsx}'], exclude } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['{server,sandbox,db,test,bench}/**/*.test.ts'],
          exclude,
          globalSetup: existsSync(GLOBAL_SETUP) ? [GLOBAL_SETUP] : [],
          // A worker loads the server once for all of its files, which keep nothing in modules.
          isolate: false,
        },
      },
    ],
  },
})
