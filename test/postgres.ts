import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { copyFolder, makeFolder, removeLeftBehind } from './make-folder.ts'
import { CATALOGUE_DATABASE, SHOP_DATABASE, TEMPLATE_DATABASE } from './template-databases.ts'

export type TestServer = {
  url(database?: string): string
  /** A data folder to copy (`copyFolder`) for a shop with a database of its own: migrated, without rows. */
  dataFolder: string
  stop(): Promise<void>
}

const ROOT = resolve(import.meta.dirname, '..')
const CACHE = join(ROOT, 'node_modules/.cache/dwadi')
/** All that the templates follow from. */
const SOURCES = [
  'package-lock.json',
  'db/**/*.{sql,webp}',
  'server/platform/{migrate,replay-sql,app-role,job-queue}.ts',
  'server/features/catalogue/products/ensure-sample-catalogue.ts',
  'test/{postgres,make-templates,template-databases}.ts',
]
const KEPT = 'test-database-'
const DRAFT = `${KEPT}draft-`
const SERVER = 'server'
const DATA_FOLDER = 'data-folder'
const UNUSED_FOR_GOOD_MS = 24 * 3_600_000
const log = createLog('silent')
const SETTINGS = {
  max_connections: 500,
  autovacuum: 'off',
  max_wal_size: '512MB',
  wal_level: 'minimal',
  max_wal_senders: 0,
  scram_iterations: 1,
}

/**
 * A PostgreSQL for one run of tests, on a copy of a data folder that is kept in node_modules/.cache and holds the
 * templates already. The copy is thrown away at the end, so runs may overlap, and one that is killed breaks nothing.
 */
export async function openTestServer(): Promise<TestServer> {
  const kept = join(CACHE, KEPT + (await hashSources()))
  await removeLeftBehind()
  const dataDir = await makeFolder()
  const server = (await openCopy(kept, dataDir).catch(() => null)) ?? (await openNew(kept, dataDir))
  return {
    url: server.url,
    dataFolder: join(kept, DATA_FOLDER),
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Fills a new data folder with what the shop's first start would make there, if an earlier run of the tests has kept it. */
export async function fillDataFolder(dataDir: string) {
  const kept = join(CACHE, KEPT + (await hashSources()), DATA_FOLDER)
  if (existsSync(kept)) await copyFolder(kept, dataDir)
}

/** @throws Error when there is no such folder yet, or it is damaged. */
async function openCopy(kept: string, dataDir: string): Promise<EmbeddedPostgres> {
  await copyFolder(join(kept, SERVER), dataDir)
  const postgres = await start(dataDir)
  try {
    await checkTemplate(postgres, TEMPLATE_DATABASE, 0)
    await checkTemplate(postgres, CATALOGUE_DATABASE, 7)
    return postgres
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

async function checkTemplate(postgres: EmbeddedPostgres, database: string, products: number) {
  const client = new pg.Client({ connectionString: postgres.url(database) })
  await client.connect()
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from products').finally(() => client.end())
  if (rows[0]?.count !== products) throw new Error(`${database} holds ${rows[0]?.count} products`)
}

async function openNew(kept: string, dataDir: string): Promise<EmbeddedPostgres> {
  await rm(dataDir, { recursive: true, force: true })
  await mkdir(dataDir)
  await mkdir(CACHE, { recursive: true })
  await removeUnused()
  // Most runs find the templates made, and need not load what makes them.
  const { makeShopDatabase, makeTemplates } = await import('./make-templates.ts')
  const draft = await mkdtemp(join(CACHE, DRAFT))
  await inServer(dataDir, SHOP_DATABASE, makeShopDatabase)
  await copyFolder(dataDir, join(draft, DATA_FOLDER))
  await inServer(dataDir, 'postgres', makeTemplates)
  await copyFolder(dataDir, join(draft, SERVER))
  await keep(draft, kept)
  return start(dataDir)
}

async function inServer(dataDir: string, database: string, work: (postgres: EmbeddedPostgres) => Promise<void>) {
  const postgres = await start(dataDir, database)
  await work(postgres).finally(() => postgres.stop())
}

function start(dataDir: string, database = TEMPLATE_DATABASE) {
  return startEmbeddedPostgres({ dataDir, log, database, settings: SETTINGS, durable: false })
}

/** The folder appears whole or not at all. What another run has put there meanwhile, or what is damaged, is replaced. */
async function keep(draft: string, kept: string) {
  const replaced = await mkdtemp(join(CACHE, DRAFT))
  await rename(kept, join(replaced, 'old')).catch(() => undefined)
  // Another run may be as far at this very moment; its folder is as good.
  await rename(draft, kept).catch(() => rm(draft, { recursive: true, force: true }))
  await rm(replaced, { recursive: true, force: true })
}

async function removeUnused() {
  for (const name of (await readdir(CACHE)).filter((one) => one.startsWith(KEPT))) {
    const path = join(CACHE, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > UNUSED_FOR_GOOD_MS) await rm(path, { recursive: true, force: true })
  }
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  const files: string[] = []
  for (const pattern of SOURCES) {
    const found = files.length
    for await (const file of glob(pattern, { cwd: ROOT })) files.push(file)
    if (files.length === found) throw new Error(`test/postgres.ts: nothing is called ${pattern} any more`)
  }
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update(await readFile(join(ROOT, file)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}
