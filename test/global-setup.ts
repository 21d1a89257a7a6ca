import type { TestProject } from 'vitest/node'
import { openTestServer } from './postgres.ts'
import { CATALOGUE_DATABASE, TEMPLATE_DATABASE } from './template-databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A connection string whose database name is replaced by each test file's own. */
    databaseServerUrl: string
    /** The template to clone for a database with the sample catalogue. */
    catalogueDatabase: string
    /** See `copyDataFolder`. */
    dataFolder: string
  }
}

/**
 * One PostgreSQL for the whole run, with migrated templates that each test file clones; or the one whose template
 * TEST_TEMPLATE_URL names, kept by whoever started it, into which each shop puts the sample catalogue by itself.
 */
export default async function setUp(project: TestProject) {
  const given = process.env.TEST_TEMPLATE_URL
  if (given) {
    project.provide('databaseServerUrl', given)
    project.provide('catalogueDatabase', TEMPLATE_DATABASE)
    return
  }
  const server = await openTestServer()
  project.provide('databaseServerUrl', server.url(TEMPLATE_DATABASE))
  project.provide('catalogueDatabase', CATALOGUE_DATABASE)
  project.provide('dataFolder', server.dataFolder)
  return server.stop
}
