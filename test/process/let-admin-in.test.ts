import { expect, test } from 'vitest'
import { openTestShop } from '../app.ts'
import { call, makeUser } from '../builders.ts'
import { runProgram } from './run-program.ts'

test('an owner who is locked out is let in from the command line; the old sessions end, and the log of admins says so', async () => {
  const shop = await openTestShop()
  const owner = await makeUser(shop, { level: 'Admin', phone: '0209999999' })
  await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [owner._id])

  const program = runProgram('tools/let-admin-in.ts', { DATABASE_URL: shop.database.url }, [owner.phone])
  expect(await program.ended()).toBe(0)
  const [, password = ''] = /the password (\S+)/.exec(program.output()) ?? []
  expect((await call(shop, 'GET', '/user', { as: owner })).status).toBe(401)
  const login = await call<{ token: string }>(shop, 'POST', '/user/login', { body: { userPhone: owner.phone, password } })
  expect([login.status, (await call(shop, 'GET', '/order/stats', { as: login.body })).status]).toEqual([200, 200])
  const { rows } = await shop.database.db.query('select action, before, note from admin_actions where subject_id = $1', [owner._id])
  expect(rows).toEqual([
    { action: 'user.level', before: { level: 'Admin', status: 'Banned' }, note: 'Let in from the command line, with a new password' },
  ])

  const nobody = runProgram('tools/let-admin-in.ts', { DATABASE_URL: shop.database.url }, ['0200000001'])
  expect([await nobody.ended(), nobody.output()]).toEqual([1, 'Nothing was changed: no account has the phone number 0200000001\n'])
  await shop.close()
})
