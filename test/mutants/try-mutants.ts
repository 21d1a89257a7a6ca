import { join, resolve } from 'node:path'
import pg from 'pg'
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node'
import { TEMPLATE_DATABASE } from '../template-databases.ts'
import { openDatabaseServer } from './database-server.ts'
import { testsOf } from './money-tests.ts'
import type { SchemaMutant } from './schema-pieces.ts'
import type { SourceMutant } from './source-pieces.ts'

export type Mutant = SchemaMutant | SourceMutant
/** invalid: PostgreSQL does not take it, so it is no mutant. */
export type Outcome = { verdict: 'killed' | 'survived' | 'invalid'; by: string }

/** A failure that may only be a time-out: it is run again before it counts. */
const OF_A_BUSY_MACHINE = /timeout exceeded when trying to connect|timed out in|nothing came of waiting|\[vitest-pool\]/
const TRIES = 3

const ROOT = resolve(import.meta.dirname, '../..')
export const PRISTINE = 'dwadi_pristine'

export type Bench = {
  urlOf(database: string): string
  try(mutant: Mutant | null, files?: string[]): Promise<Outcome>
  close(): Promise<void>
}

/** A database server and a Vitest that try one mutant after the other. */
export async function openBench(): Promise<Bench> {
  const databases = await openDatabaseServer(PRISTINE)
  const server = new pg.Client({ connectionString: databases.urlOf('postgres') })
  await server.connect()
  process.env.TEST_TEMPLATE_URL = databases.urlOf(TEMPLATE_DATABASE)
  const mutated = new Map<string, string>()
  const vitest = await openVitest(mutated)
  const lastKiller = new Map<string, string>()

  return {
    urlOf: databases.urlOf,
    async try(mutant, files = testsOf(mutant?.piece ?? '')) {
      await dropTestDatabases(server)
      await server.query(`create database ${TEMPLATE_DATABASE} template ${PRISTINE}`)
      if (mutant && 'install' in mutant) {
        const refusal = await install(databases.urlOf(TEMPLATE_DATABASE), mutant.install)
        if (refusal) return { verdict: 'invalid', by: refusal }
      }
      mutated.clear()
      if (mutant && 'code' in mutant) mutated.set(mutant.file, mutant.code)
      const inTurn = inOrder(files, lastKiller.get(mutant?.piece ?? ''))
      const killer = await firstFailure(vitest, inTurn, mutant && 'code' in mutant ? mutant.file : null)
      if (!killer) return { verdict: 'survived', by: '' }
      if (mutant) lastKiller.set(mutant.piece, killer.file)
      return { verdict: 'killed', by: `${killer.file}: ${killer.test}` }
    },
    async close() {
      await vitest.close()
      await dropTestDatabases(server)
      await server.end()
      await databases.close()
    },
  }
}

/** The test that killed a mutant of the same piece last time runs first. */
function inOrder(files: string[], first: string | undefined): string[] {
  return first === undefined ? files : [first, ...files.filter((file) => file !== first)]
}

async function openVitest(mutated: Map<string, string>): Promise<Vitest> {
  const vitest = await createVitest(
    { config: join(import.meta.dirname, 'vitest.config.ts'), watch: false, bail: 1, reporters: [{}] },
    {
      plugins: [
        {
          name: 'mutant',
          enforce: 'pre',
          load: (id: string) => mutated.get(id.split('?')[0] ?? id),
        },
      ],
    },
  )
  // The tests' output does not matter here, only that they end.
  vitest.onCancel(() => undefined)
  await vitest.standalone()
  return vitest
}

async function firstFailure(vitest: Vitest, files: string[], changed: string | null): Promise<{ file: string; test: string } | null> {
  const specifications = files.map((file) => vitest.getRootProject().createSpecification(join(ROOT, file)))
  if (changed) vitest.invalidateFile(changed)
  try {
    for (const specification of specifications) {
      let failed = await runOne(vitest, specification)
      for (let time = 1; failed && OF_A_BUSY_MACHINE.test(failed.test) && time < TRIES; time++) failed = await runOne(vitest, specification)
      if (failed) return failed
    }
    return null
  } finally {
    if (changed) vitest.invalidateFile(changed)
  }
}

async function runOne(vitest: Vitest, specification: TestSpecification): Promise<{ file: string; test: string } | null> {
  // Otherwise what failed in an earlier run would count, and the run be cut short at once.
  vitest.state.errorsSet.clear()
  vitest.state.filesMap.clear()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
  // The reply names the modules of earlier runs too.
  const module = testModules.find(({ moduleId }) => moduleId === specification.moduleId)
  if (!module) throw new Error(`${specification.moduleId} was not run`)
  const file = module.relativeModuleId
  for (const test of module.children.allTests('failed')) return { file, test: `${test.fullName}: ${firstLine(test.result().errors?.[0])}` }
  const [error] = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
  if (error) return { file, test: `around its tests: ${firstLine(error)}` }
  if (unhandledErrors.length > 0) return { file, test: `beside its tests: ${String(unhandledErrors[0])}` }
  if (!module.ok()) return { file, test: 'it did not end well' }
  return null
}

function firstLine(error: { message: string } | undefined): string {
  return error?.message.split('\n')[0]?.slice(0, 120) ?? ''
}

async function install(connectionString: string, sql: string): Promise<string | null> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(sql)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await client.end()
  }
}

async function dropTestDatabases(server: pg.Client) {
  const { rows } = await server.query<{ name: string }>(
    `select datname as name from pg_database where datname like 'test\\_%' or datname = $1`,
    [TEMPLATE_DATABASE],
  )
  for (const { name } of rows) await server.query(`drop database ${name} with (force)`)
}
