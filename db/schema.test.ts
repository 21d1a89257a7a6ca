import { readFile } from 'node:fs/promises'
import { expect, inject, test } from 'vitest'
import { openPool } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import { openTestDatabase } from '../test/database.ts'
import { TEMPLATE_DATABASE } from '../test/template-databases.ts'
import { describeSchema } from '../tools/describe-schema.ts'

const FILE = new URL('./schema.sql', import.meta.url)

test('db/schema.sql is what the migrations make; when it is not, run: npm run db:schema', async () => {
  const database = await openTestDatabase()
  expect(await describeSchema(database.db)).toBe(await readFile(FILE, 'utf8'))
  await database.close()
})

test('db/schema.sql makes that schema in an empty database', async () => {
  const name = `schema_${process.pid}`
  const urlOf = (database: string) => inject('databaseServerUrl').replace(TEMPLATE_DATABASE, database)
  const open = (database: string) => openPool({ url: urlOf(database), size: 1, log: createLog('silent'), name: 'test' })
  const server = open('postgres')
  await server.query(`create database ${name}`)
  const empty = open(name)
  await empty.query(await readFile(FILE, 'utf8'))
  await empty.query('reset check_function_bodies')
  expect(await describeSchema(empty)).toBe(await readFile(FILE, 'utf8'))
  await empty.end()
  await server.query(`drop database ${name}`)
  await server.end()
})
