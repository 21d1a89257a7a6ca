import { ensureSampleCatalogue } from '../server/features/catalogue/products/ensure-sample-catalogue.ts'
import { letAppIn } from '../server/platform/app-role.ts'
import { openPool } from '../server/platform/db.ts'
import type { EmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { installJobQueue } from '../server/platform/job-queue.ts'
import { createLog } from '../server/platform/log.ts'
import { migrate } from '../server/platform/migrate.ts'
import { APP_ROLE, CATALOGUE_DATABASE, CATALOGUE_TIME, SHOP_DATABASE, TEMPLATE_DATABASE } from './template-databases.ts'

const log = createLog('silent')

/** What the first start of a shop makes in its database. */
export async function makeShopDatabase(postgres: EmbeddedPostgres) {
  await migrate(postgres.url(), log)
  const db = openPool({ url: postgres.url(), size: 1, log, name: 'dwadi-test' })
  await installJobQueue(db)
  await db.end()
}

/** Renames the shop's database, which is then a template, and makes a second one with the sample catalogue. */
export async function makeTemplates(postgres: EmbeddedPostgres) {
  const server = openPool({ url: postgres.url(), size: 1, log, name: 'dwadi-test' })
  await server.query(`alter database ${SHOP_DATABASE} rename to ${TEMPLATE_DATABASE}`)
  await letAppIn({ ownerUrl: postgres.url(TEMPLATE_DATABASE), role: APP_ROLE })
  await server.query(`create database ${CATALOGUE_DATABASE} template ${TEMPLATE_DATABASE}`)
  await server.end()
  const catalogue = openPool({ url: postgres.url(CATALOGUE_DATABASE), size: 1, log, name: 'dwadi-test' })
  await ensureSampleCatalogue(catalogue, CATALOGUE_TIME)
  await catalogue.query('vacuum analyze')
  await catalogue.end()
}
