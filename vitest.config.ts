import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const GLOBAL_SETUP = 'test/global-setup.ts'
const exclude = [...configDefaults.exclude, 'test/e2e/**', 'tools/boundaries-fixture/**']
/** Files that mostly wait: for processes, a browser, time-outs. */
const WAITS =
  /\/(test\/(process|outside|race)\/|sandbox\/pages|server\/platform\/(embedded-postgres|http\/slow-sockets)|server\/features\/office\/failed-jobs\/failed)/

/** What waits comes first, so that others work meanwhile and no core is idle at the end. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => Number(WAITS.test(other.moduleId)) - Number(WAITS.test(one.moduleId)))
  }
}

// Workers find what was compiled in an earlier run.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/dwadi/compiled')

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    environment: 'node',
    // Only what hangs takes so long; a machine that checks everything at once is slow at times.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // More than two cores can do at once, since many wait. Each integration file talks to a database of its own in one PostgreSQL.
    maxWorkers: 4,
    sequence: { sequencer: WaitingFirst },
    // A test that passes only the second time is a fault to be found.
    retry: 0,
    tags: [{ name: 'long', description: 'Starts many processes or waits long; run by `npm run test:long`, not by `npm test`.' }],
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
          // Node runs this TypeScript by itself, as it runs the shop.
          experimental: { viteModuleRunner: false },
        },
      },
    ],
  },
})
