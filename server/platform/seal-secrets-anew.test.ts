import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../test/app.ts'
import { call, makeUser, PASSWORD } from '../../test/builders.ts'
import { makeCtx } from '../../test/settling.ts'
import { checkCode } from '../features/people/second-factor/check-code.ts'
import { checkPin } from '../features/people/transaction-pin/check-pin.ts'
import { type Db, openPool } from './db.ts'
import { createLog } from './log.ts'
import { openRateLimiter } from './rate-limiter.ts'
import { hashWithKey, openSecret, SecretClosed, sealSecret } from './seal-secret.ts'
import { SEALED_COLUMNS, sealSecretsAnew } from './seal-secrets-anew.ts'

const OLD = 'the key of the secrets of a test'
const NEW = 'another key of the secrets of a test'
const PIN = '7392'
const CARD = { fullName: 'Ama Owusu', ghanaCard: 'GHA-123456789-0' }
let shop: TestShop
let db: Db
beforeAll(async () => {
  shop = await openTestShop()
  // As the shop itself connects: not as the owner of the tables.
  db = openPool({ url: shop.database.appUrl, size: 2, log: createLog('silent'), name: 'test' })
})
afterAll(async () => {
  await db.end()
  await shop.close()
})

test('a changed SECRETS_KEY is said in words; with the one before, all is encrypted anew, and then the one before can go', async () => {
  const buyer = await makeUser(shop)
  expect((await call(shop, 'POST', '/user/me/pin', { as: buyer, body: { password: PASSWORD, pin: PIN, atCheckout: false } })).status).toBe(
    200,
  )
  const form = randomUUID()
  await db.query(`insert into second_factors (user_id, kind, secret, created_at) values ($1, 'totp', $2, now())`, [
    buyer._id,
    sealSecret('JBSWY3DPEHPK3PXP', OLD),
  ])
  await db.query('insert into afa_forms (id, user_id, details, card_hash, consented_at) values ($1, $2, $3, $4, now())', [
    form,
    buyer._id,
    sealSecret(JSON.stringify(CARD), OLD),
    hashWithKey(`ghana card ${CARD.ghanaCard}`, OLD),
  ])
  const { ctx } = makeCtx(shop)
  const checks = (secretsKey: string) => ({ limiter: openRateLimiter(null, () => new Date()), secretsKey })

  await expect(checkPin(ctx, NEW, { userId: buyer._id, pin: PIN })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('choose a new one'),
  })
  expect(await checkCode(ctx, checks(NEW), buyer._id, '123456', 'elsewhere')).toBe(false)
  expect(await sealSecretsAnew(db, NEW)).toEqual({ changed: 0, closed: 3 })

  expect(await sealSecretsAnew(db, { current: NEW, previous: OLD })).toEqual({ changed: 3, closed: 0 })
  expect(await sealSecretsAnew(db, NEW)).toEqual({ changed: 0, closed: 0 })
  await checkPin(ctx, NEW, { userId: buyer._id, pin: PIN })
  const { rows } = await db.query<{ details: Buffer; card_hash: Buffer }>('select details, card_hash from afa_forms where id = $1', [form])
  expect(JSON.parse(openSecret(rows[0]!.details, NEW))).toEqual(CARD)
  expect(rows[0]!.card_hash.equals(hashWithKey(`ghana card ${CARD.ghanaCard}`, NEW))).toBe(true)
  expect(() => openSecret(rows[0]!.details, OLD)).toThrow(SecretClosed)
})

test('the columns that are encrypted anew are in the schema, and the shop may change each', async () => {
  const schema = readFileSync(new URL('../../db/schema.sql', import.meta.url), 'utf8')
  for (const { table, id, column } of SEALED_COLUMNS) {
    expect(schema).toMatch(new RegExp(`create table ${table} \\([^;]*\\b${column} bytea`))
    await db.query(`update ${table} set ${column} = ${column} where ${id} = $1`, [randomUUID()])
  }
})
