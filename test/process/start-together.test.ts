/** @module-tag long */
import pg from 'pg'
import { expect, test } from 'vitest'
import { openEmptyDatabase } from '../database.ts'
import { closeShop, openShop } from './open-shops.ts'

test('three processes that start at once on an empty database migrate it once, and make one admin and one shelf', async () => {
  const database = await openEmptyDatabase()
  const shops = await Promise.all(Array.from({ length: 3 }, () => openShop({ DATABASE_URL: database.url })))
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query(
    `select (select count(*) - count(distinct name) from schema_migrations)::int as twice,
      (select count(*) from schema_migrations)::int > 5 as migrated,
      (select count(*) from users where level = 'Admin')::int as admins,
      (select count(*) from products)::int as products, (select count(distinct network) from products)::int as networks`,
  )
  await client.end()
  expect(rows).toEqual([{ twice: 0, migrated: true, admins: 1, products: 7, networks: 7 }])
  await Promise.all(shops.map(closeShop))
  await database.close()
})
