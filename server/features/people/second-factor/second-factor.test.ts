import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnAccount } from '../../../../shared/account.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, makeUser, PASSWORD, registerUser, setUpCode } from '../../../../test/builders.ts'

const STEP_MS = 30_000
const MINUTE_MS = 60_000

let shop: TestShop
let guarded: TestShop
beforeAll(async () => {
  shop = await openTestShop()
  guarded = await openTestShop({ rateLimits: true })
})
afterAll(async () => {
  await shop.close()
  await guarded.close()
})

function signIn(user: SignedInUser, code?: string, at = shop) {
  const body = { userPhone: user.phone, password: PASSWORD, ...(code === undefined ? {} : { code }) }
  return call<SignedInUser & ErrorBody>(at, 'POST', '/user/login', { body })
}
const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status).sort()

/** Of sixteen at once one is let in. Of the rest, those that the queue of passwords has no room for are told to come back. */
function expectOnlyOne(replies: { status: number }[]) {
  const [first, ...rest] = statuses(replies)
  expect(first).toBe(200)
  expect(rest.filter((status) => status !== 401 && status !== 429)).toEqual([])
}

describe('a code at sign-in', () => {
  test('is asked of whoever has switched it on, in words and with a code of its own; the others sign in as before', async () => {
    const [owner, other] = [await makeUser(shop, { roles: ['owner'] }), await makeUser(shop, { roles: ['finance'] })]
    const { codeNow } = await setUpCode(shop, owner)
    shop.clock.advance(STEP_MS)
    const asked = await signIn(owner)
    expect([asked.status, asked.body.code, asked.body.token]).toEqual([401, 'CODE_NEEDED', undefined])
    expect(asked.body.message).toBe('Enter the 6-digit code from your authenticator app, or a recovery code.')
    const { status, body } = await signIn(owner, codeNow())
    expect([status, body.username, body.roles, typeof body.token]).toEqual([200, owner.username, ['owner'], 'string'])
    expect((await signIn(other)).status).toBe(200)
    expect((await signIn(other, '000000')).status).toBe(200)
  })

  test('does not tell a wrong password from a right one with a wrong code beside it', async () => {
    const owner = await makeUser(shop, { roles: ['owner'] })
    const { codeNow } = await setUpCode(shop, owner)
    shop.clock.advance(STEP_MS)
    const body = { userPhone: owner.phone, password: 'not the password', code: codeNow() }
    expect((await call<ErrorBody>(shop, 'POST', '/user/login', { body })).body.code).toBe('UNAUTHENTICATED')
    expect((await signIn(owner, codeNow())).status).toBe(200)
  })

  test('works once, also when it is sent sixteen times at once', async () => {
    const owner = await makeUser(shop, { roles: ['owner'] })
    const { codeNow } = await setUpCode(shop, owner)
    shop.clock.advance(STEP_MS)
    const code = codeNow()
    const replies = await Promise.all(Array.from({ length: 16 }, () => signIn(owner, code)))
    expectOnlyOne(replies)
    expect((await signIn(owner, code)).body.message).toBe(
      'That code is not right, or was used already. Wait for the next one in the app and try again.',
    )
  })

  test('that switched it on does not sign in as well', async () => {
    const owner = await makeUser(shop, { roles: ['owner'] })
    const { codeNow } = await setUpCode(shop, owner)
    expect((await signIn(owner, codeNow())).status).toBe(401)
  })

  test('may be from a phone whose clock is half a minute off, and no more; an older one than the last used is refused', async () => {
    const owner = await makeUser(shop, { roles: ['owner'] })
    const { codeNow } = await setUpCode(shop, owner)
    shop.clock.advance(10 * STEP_MS)
    expect((await signIn(owner, codeNow(-2 * STEP_MS))).status).toBe(401)
    expect((await signIn(owner, codeNow(2 * STEP_MS))).status).toBe(401)
    expect((await signIn(owner, codeNow(-STEP_MS))).status).toBe(200)
    expect((await signIn(owner, codeNow(STEP_MS))).status).toBe(200)
    expect((await signIn(owner, codeNow())).status).toBe(401)
  })

  test('cannot be guessed: after five wrong ones it takes minutes, also for the right one', async () => {
    const owner = await makeUser(guarded, { roles: ['owner'] })
    const { codeNow } = await setUpCode(guarded, owner)
    guarded.clock.advance(STEP_MS)
    const wrong = codeNow() === '123456' ? '654321' : '123456'
    const replies = await Promise.all(Array.from({ length: 12 }, () => signIn(owner, wrong, guarded)))
    expect(statuses(replies)).toEqual([...Array(5).fill(401), ...Array(7).fill(429)])
    expect((await signIn(owner, codeNow(), guarded)).status).toBe(429)
    guarded.clock.advance(3 * MINUTE_MS)
    expect((await signIn(owner, codeNow(), guarded)).status).toBe(200)
  })

  test('wrong ones of a thief use up neither the recovery codes nor what is typed where the owner has signed in before', async () => {
    const owner = await registerUser(guarded, { level: 'Admin' })
    const { codeNow, recoveryCodes } = await setUpCode(guarded, owner)
    guarded.clock.advance(STEP_MS)
    const known = await guarded.app.inject({
      ...{ method: 'POST', url: '/api/user/login' },
      payload: { userPhone: owner.phone, password: PASSWORD, code: codeNow() },
    })
    const cookie = String(known.headers['set-cookie']).split(';')[0] ?? ''
    guarded.clock.advance(STEP_MS)
    const wrong = codeNow() === '123456' ? '654321' : '123456'
    for (let n = 0; n < 6; n++) await signIn(owner, wrong, guarded)
    expect((await signIn(owner, codeNow(), guarded)).status).toBe(429)
    expect((await signIn(owner, recoveryCodes[0], guarded)).status).toBe(200)
    const again = await guarded.app.inject({
      ...{ method: 'POST', url: '/api/user/login', headers: { cookie } },
      payload: { userPhone: owner.phone, password: PASSWORD, code: codeNow() },
    })
    expect(again.statusCode).toBe(200)
  })

  test('is kept encrypted where the shop has a key, and recovery codes as hashes', async () => {
    const owner = await makeUser(shop, { roles: ['owner'] })
    const start = await call<{ secret: string; uri: string }>(shop, 'POST', '/user/me/second-factor', { as: owner, body: {} })
    expect(start.body.uri).toContain(`secret=${start.body.secret}`)
    const { recoveryCodes } = await setUpCode(shop, owner)
    const { rows } = await shop.database.db.query<{ text: string }>(
      `select concat(encode(secret, 'escape'), (select string_agg(encode(hash, 'escape'), '') from recovery_codes r where r.user_id = f.user_id)) as text
       from second_factors f where user_id = $1`,
      [owner._id],
    )
    for (const secret of [start.body.secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
      expect(rows[0]!.text).not.toContain(secret)
    }
  })
})

describe('setting it up', () => {
  test('takes a first code, says so in the account, and is for staff alone', async () => {
    const [owner, customer] = [await makeUser(shop, { roles: ['orders'] }), await makeUser(shop)]
    await call(shop, 'POST', '/user/me/second-factor', { as: owner, body: {} })
    const wrong = await call<ErrorBody>(shop, 'POST', '/user/me/second-factor/confirm', { as: owner, body: { code: '000000' } })
    expect([wrong.status, wrong.body.issues?.[0]?.path]).toEqual([400, 'code'])
    expect((await signIn(owner)).status).toBe(200)
    await setUpCode(shop, owner)
    const { body } = await call<OwnAccount>(shop, 'GET', '/user/me/account', { as: owner })
    expect(body.secondFactor).toEqual({ since: shop.clock.now.toISOString(), codesLeft: 10, required: false })
    expect((await call(shop, 'POST', '/user/me/second-factor', { as: owner, body: {} })).status).toBe(409)
    expect((await call(shop, 'POST', '/user/me/second-factor', { as: customer, body: {} })).status).toBe(403)
    expect((await call<OwnAccount>(shop, 'GET', '/user/me/account', { as: customer })).body.secondFactor).toBeNull()
  })

  test('signs every other device out: whoever signed in with the password alone is asked for it too', async () => {
    const owner = await makeUser(shop, { roles: ['owner'] })
    const { body: thief } = await signIn(owner)
    await setUpCode(shop, owner)
    const see = (as: SignedInUser) => call(shop, 'GET', '/user/me', { as })
    expect([(await see(thief)).status, (await see(owner)).status]).toEqual([401, 200])
  })

  test('or switching it off takes the password again after five minutes', async () => {
    const owner = await makeUser(shop, { roles: ['owner'] })
    shop.clock.advance(5 * MINUTE_MS + 1)
    const start = () => call<ErrorBody>(shop, 'POST', '/user/me/second-factor', { as: owner, body: {} })
    expect((await start()).body.code).toBe('PASSWORD_NEEDED')
    const confirm = (password: string) => call<ErrorBody>(shop, 'POST', '/user/me/confirm-password', { as: owner, body: { password } })
    expect((await confirm('not the password')).body.issues?.[0]?.path).toBe('password')
    expect((await start()).status).toBe(403)
    expect((await confirm(PASSWORD)).status).toBe(200)
    const { codeNow, recoveryCodes } = await setUpCode(shop, owner)
    shop.clock.advance(5 * MINUTE_MS + 1)
    const end = (code: string) => call<ErrorBody>(shop, 'POST', '/user/me/second-factor/end', { as: owner, body: { code } })
    expect((await end(codeNow())).body.code).toBe('PASSWORD_NEEDED')
    await confirm(PASSWORD)
    // The password alone, as a thief has it, neither ends the code nor makes recovery codes.
    const wrong = codeNow() === '123456' ? '654321' : '123456'
    expect((await end(wrong)).body.issues?.[0]?.path).toBe('code')
    const renew = (code: string) => call<ErrorBody>(shop, 'POST', '/user/me/recovery-codes', { as: owner, body: { code } })
    expect([(await renew(wrong)).status, (await renew('AAAA-BBBB-CCCC-DDDD')).status]).toEqual([400, 400])
    expect((await signIn(owner, recoveryCodes[0])).status).toBe(200)
    // The request that was refused for want of the password has not used the code up.
    expect((await end(codeNow())).status).toBe(200)
    expect((await signIn(owner)).status).toBe(200)
    expect((await end(codeNow())).status).toBe(409)
  })
})

describe('a recovery code', () => {
  test('signs in once, in any spelling, also when it is sent sixteen times at once', async () => {
    const owner = await makeUser(shop, { roles: ['owner'] })
    const { recoveryCodes } = await setUpCode(shop, owner)
    expect([recoveryCodes.length, new Set(recoveryCodes).size]).toEqual([10, 10])
    const [one, other] = recoveryCodes as [string, string]
    const replies = await Promise.all(Array.from({ length: 16 }, () => signIn(owner, one)))
    expectOnlyOne(replies)
    expect((await signIn(owner, other.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    const { body } = await call<OwnAccount>(shop, 'GET', '/user/me/account', { as: owner })
    expect(body.secondFactor?.codesLeft).toBe(8)
  })

  test('of somebody else does not, nor one that newer ones replaced', async () => {
    const [owner, other] = [await makeUser(shop, { roles: ['owner'] }), await makeUser(shop, { roles: ['finance'] })]
    const [theirs, own] = [await setUpCode(shop, other), await setUpCode(shop, owner)]
    expect((await signIn(owner, theirs.recoveryCodes[0])).status).toBe(401)
    const renewed = await call<{ recoveryCodes: string[] }>(shop, 'POST', '/user/me/recovery-codes', {
      as: owner,
      body: { code: own.recoveryCodes[1] },
    })
    expect((await signIn(owner, own.recoveryCodes[0])).status).toBe(401)
    expect((await signIn(owner, renewed.body.recoveryCodes[0])).status).toBe(200)
  })
})

describe('where the shop asks for a code of whoever moves money', () => {
  beforeAll(() => shop.database.db.query('update staff_rules set second_factor_required = true'))
  afterAll(() => shop.database.db.query('update staff_rules set second_factor_required = false'))

  test('an owner without one does not switch that off, nor change the other rules', async () => {
    const owner = await makeUser(shop, { roles: ['owner'] })
    const change = (body: object) => call<ErrorBody>(shop, 'PUT', '/admin/staff/rules', { as: owner, body })
    for (const body of [{ secondFactorRequired: false }, { secondPersonAbove: null }, { passwordAbove: 9 }])
      expect((await change(body)).body.code).toBe('SECOND_FACTOR_NEEDED')
    await setUpCode(shop, owner)
    expect((await change({ passwordAbove: 500 })).status).toBe(200)
  })

  test('they sign in and look without one, but move none until it is set up', async () => {
    const [finance, customer] = [await makeUser(shop, { roles: ['finance'] }), await makeUser(shop)]
    const credit = () => call<ErrorBody>(shop, 'PUT', '/user/balance', { as: finance, body: { chosenId: customer._id, amount: 5 } })
    expect((await call(shop, 'GET', '/user/account-balances', { as: finance })).status).toBe(200)
    const refused = await credit()
    expect([refused.status, refused.body.code]).toEqual([403, 'SECOND_FACTOR_NEEDED'])
    expect(refused.body.message).toContain('Set yours up under More, My code')
    expect(await balanceOf(shop, customer._id)).toBe(0)
    await setUpCode(shop, finance)
    expect((await credit()).status).toBe(200)
  })

  test('the number where money goes stays, and nobody becomes an admin; whoever keeps orders or products is not asked', async () => {
    const [owner, products, customer] = [
      await makeUser(shop, { roles: ['owner'] }),
      await makeUser(shop, { roles: ['products'] }),
      await makeUser(shop),
    ]
    const body = { momoPhoneNumber: '0557654321', momoAccountName: 'Somebody else' }
    expect((await call<ErrorBody>(shop, 'PUT', '/extra/momo-details', { as: owner, body })).body.code).toBe('SECOND_FACTOR_NEEDED')
    const promoted = await call<ErrorBody>(shop, 'PUT', `/user/${customer._id}/level`, { as: owner, body: { userLevel: 'Admin' } })
    expect(promoted.body.code).toBe('SECOND_FACTOR_NEEDED')
    expect((await call(shop, 'PUT', '/extra/notice', { as: owner, body: { noticeContent: 'Closed' } })).status).toBe(200)
    const { body: catalogue } = await call<{ _id: string }[]>(shop, 'GET', '/product')
    const status = { status: 'out of stock' }
    expect((await call(shop, 'PUT', `/product/${catalogue[0]!._id}/status`, { as: products, body: status })).status).toBe(200)
  })
})

describe('the password again', () => {
  test('is asked before the payment number changes, somebody becomes an admin, or a large amount moves, and then holds for five minutes', async () => {
    const [owner, customer] = [await makeUser(shop, { roles: ['owner'] }), await makeUser(shop)]
    const momo = { momoPhoneNumber: '0557654321', momoAccountName: 'The shop' }
    const acts = {
      number: () => call<ErrorBody>(shop, 'PUT', '/extra/momo-details', { as: owner, body: momo }),
      large: () => call<ErrorBody>(shop, 'PUT', '/user/balance', { as: owner, body: { chosenId: customer._id, amount: 500.01 } }),
      promotion: () => call<ErrorBody>(shop, 'PUT', `/user/${customer._id}/level`, { as: owner, body: { userLevel: 'Admin' } }),
    }
    shop.clock.advance(5 * MINUTE_MS + 1)
    for (const act of Object.values(acts)) expect((await act()).body.code).toBe('PASSWORD_NEEDED')
    expect(await balanceOf(shop, customer._id)).toBe(0)
    const small = await call(shop, 'PUT', '/user/balance', { as: owner, body: { chosenId: customer._id, amount: 500 } })
    expect(small.status).toBe(200)
    await call(shop, 'POST', '/user/me/confirm-password', { as: owner, body: { password: PASSWORD } })
    for (const act of Object.values(acts)) expect((await act()).status).toBe(200)
    expect(await balanceOf(shop, customer._id)).toBe(100_001)
  })

  test('of one session does not hold for another', async () => {
    const owner = await makeUser(shop, { roles: ['owner'] })
    const laptop = (await signIn(owner)).body
    shop.clock.advance(5 * MINUTE_MS + 1)
    await call(shop, 'POST', '/user/me/confirm-password', { as: owner, body: { password: PASSWORD } })
    const body = { momoPhoneNumber: '0557654321', momoAccountName: 'The shop' }
    expect((await call(shop, 'PUT', '/extra/momo-details', { as: laptop, body })).status).toBe(403)
    expect((await call(shop, 'PUT', '/extra/momo-details', { as: owner, body })).status).toBe(200)
  })
})
