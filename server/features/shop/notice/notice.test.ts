import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdminAction } from '../../../../shared/admin-actions.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Notice } from '../../../../shared/notice.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, makeUser } from '../../../../test/builders.ts'
import { openRealtimeProbe } from '../../../../test/realtime-probe.ts'
import { until } from '../../../../test/until.ts'

let shop: TestShop
let admin: SignedInUser

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin' })
})
afterAll(() => shop.close())

const momo = { momoPhoneNumber: '0551112222', momoAccountName: 'Dwadi Ventures' }

async function read(): Promise<Notice> {
  return (await call<Notice>(shop, 'GET', '/extra/momo-details')).body
}

function put<T = Notice & ErrorBody>(path: 'notice' | 'momo-details', body: unknown, as: { token: string } | null = admin) {
  return call<T>(shop, 'PUT', `/extra/${path}`, { ...(as ? { as } : {}), body })
}

async function actions(): Promise<AdminAction[]> {
  const { body } = await call<AdminAction[]>(shop, 'GET', '/admin/actions', { as: admin })
  return body.filter(({ action }) => action.startsWith('notice.'))
}

describe('the notice and the mobile-money details', () => {
  test('exist from the start, for anyone', async () => {
    expect(await read()).toEqual({
      noticeContent: expect.stringContaining('Check the receiver'),
      momoPhoneNumber: '0240000000',
      momoAccountName: 'Dwadi Enterprise',
    })
  })

  test('change separately, and the record has both before and after', async () => {
    const start = await read()
    const noticed = await put('notice', { noticeContent: '  Closed on <b>Friday</b>\nMTN is slow today ⚠️  ' })
    const withNotice = { ...start, noticeContent: 'Closed on <b>Friday</b>\nMTN is slow today ⚠️' }
    expect([noticed.status, noticed.body, await read()]).toEqual([200, withNotice, withNotice])
    const moved = await put('momo-details', momo)
    const withBoth = { ...withNotice, ...momo }
    expect([moved.status, moved.body, await read()]).toEqual([200, withBoth, withBoth])
    expect((await actions()).map(({ _id: _, createdAt: __, ...action }) => action)).toEqual([
      {
        actor: admin.username,
        action: 'notice.momo-details',
        subjectType: 'notice',
        subjectId: 'shop',
        subject: 'shop',
        before: withNotice,
        after: withBoth,
        note: '',
        ip: '127.0.0.1',
      },
      expect.objectContaining({ action: 'notice.text', before: start, after: withNotice }),
    ])
  })

  test('the notice can be removed', async () => {
    expect((await put('notice', { noticeContent: '' })).body.noticeContent).toBe('')
  })

  test('two changes at once both last, and the second record starts from the first', async () => {
    await Promise.all([put('notice', { noticeContent: 'Open' }), put('momo-details', { ...momo, momoAccountName: 'Dwadi Two' })])
    expect(await read()).toMatchObject({ noticeContent: 'Open', momoAccountName: 'Dwadi Two' })
    const [second, first] = await actions()
    expect(second!.before).toEqual(first!.after)
  })
})

describe('who may not', () => {
  test.each(['notice', 'momo-details'] as const)('change the %s: a visitor, a customer, an agent', async (path) => {
    const before = [await read(), (await actions()).length]
    const body = { ...momo, momoPhoneNumber: '0209999999', noticeContent: 'Send money to me' }
    expect((await put(path, body, null)).status).toBe(401)
    expect((await put(path, body, await makeUser(shop))).status).toBe(403)
    expect((await put(path, body, await makeUser(shop, { level: 'Agent' }))).status).toBe(403)
    expect([await read(), (await actions()).length]).toEqual(before)
  })
})

describe('what is refused', () => {
  test.each<['notice' | 'momo-details', unknown, string, string]>([
    ['notice', {}, 'noticeContent', 'Write the notice.'],
    ['notice', { noticeContent: 5 }, 'noticeContent', 'Write the notice.'],
    ['notice', { noticeContent: 'x'.repeat(2001) }, 'noticeContent', 'The notice has at most 2,000 characters.'],
    [
      'momo-details',
      { ...momo, momoPhoneNumber: '055111222' },
      'momoPhoneNumber',
      'Enter a phone number of exactly 10 digits, like 0241234567.',
    ],
    [
      'momo-details',
      { ...momo, momoPhoneNumber: '+233551112222' },
      'momoPhoneNumber',
      'Enter a phone number of exactly 10 digits, like 0241234567.',
    ],
    ['momo-details', { ...momo, momoAccountName: '   ' }, 'momoAccountName', 'Enter the account name.'],
    ['momo-details', { momoPhoneNumber: momo.momoPhoneNumber }, 'momoAccountName', 'Enter the account name.'],
    ['momo-details', { ...momo, momoAccountName: 'x'.repeat(101) }, 'momoAccountName', 'The account name has at most 100 characters.'],
    ['notice', { noticeContent: 'a\u0000b' }, '', 'That text holds characters that cannot be kept.'],
    ['notice', { noticeContent: 'half a sign \ud83d' }, '', 'That text holds characters that cannot be kept.'],
    ['momo-details', { ...momo, momoAccountName: 'a\u0000b' }, '', 'That text holds characters that cannot be kept.'],
  ])('%s %j', async (path, body, field, message) => {
    const before = [await read(), (await actions()).length]
    const { status, body: refusal } = await put(path, body)
    expect([status, refusal.code, refusal.message]).toEqual([400, 'INVALID', message])
    if (field) expect(refusal.issues).toEqual([{ path: field, message }])
    expect([await read(), (await actions()).length]).toEqual(before)
  })

  test('a change of the one by the call for the other', async () => {
    const before = await read()
    await put('notice', { noticeContent: before.noticeContent, momoPhoneNumber: '0209999999' })
    await put('momo-details', { momoPhoneNumber: before.momoPhoneNumber, momoAccountName: before.momoAccountName, noticeContent: 'Gone' })
    expect(await read()).toEqual(before)
  })
})

test('a change is announced to everyone who is signed in', async () => {
  const url = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const probes = await Promise.all([admin, await makeUser(shop), await makeUser(shop)].map(({ token }) => openRealtimeProbe(url, token)))
  const { body: notice } = await put('momo-details', { ...momo, momoAccountName: 'Dwadi Three' })
  await until(() => probes.every(({ heard }) => heard.length > 0))
  for (const probe of probes) {
    expect(probe.heard).toEqual([{ event: 'noticeUpdated', payload: notice }])
    probe.close()
  }
})
