import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SignedInUser } from '../../shared/users.ts'
import { LateReplyError, RefusedError, request, requestList } from './http.ts'
import { session, wipeAtSignOut } from './session.ts'
import { onSessionEnd, startSession } from './session-change.ts'

const ama = userNamed('ama')
const esi = userNamed('esi')
const ended = vi.fn()
const forgotten = vi.fn()
wipeAtSignOut(forgotten)

beforeEach(() => {
  vi.stubGlobal('localStorage', memoryStorage())
  vi.stubGlobal('sessionStorage', memoryStorage())
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { pathname: '/user/history', search: '' } }))
  session.reread()
  ended.mockReset()
  onSessionEnd(ended)
})
afterEach(() => {
  onSessionEnd(() => undefined)
  vi.unstubAllGlobals()
})

const REFUSALS = [
  [401, 'UNAUTHENTICATED'],
  [403, 'BANNED'],
] as const

describe.each(REFUSALS)('a reply of %i %s', (status, code) => {
  it('to the present session ends it', async () => {
    startSession(ama)
    const answer = holdReply()
    const asked = request('GET', '/order/allorders')
    answer(status, { message: 'It is over.', code })
    await expect(asked).rejects.toBeInstanceOf(RefusedError)
    expect([session.get(), ended.mock.calls]).toEqual([null, [[status === 401 ? 'expired' : 'banned', 'It is over.']]])
  })

  it('that was for somebody who has left signs nobody out, and says nothing', async () => {
    startSession(ama)
    const answer = holdReply()
    const asked = requestList('/order/allorders')
    startSession(esi)
    forgotten.mockReset()
    answer(status, { message: 'It is over.', code })
    await expect(asked).rejects.toThrow(new LateReplyError())
    expect([session.get()?.username, ended.mock.calls, forgotten.mock.calls]).toEqual(['esi', [], []])
  })

  it('to an earlier session of the same user leaves the new one alone', async () => {
    startSession(ama)
    const answer = holdReply()
    const asked = request('GET', '/order/allorders')
    startSession({ ...ama, token: 'a new one' })
    answer(status, { message: 'It is over.', code })
    await expect(asked).rejects.toBeInstanceOf(RefusedError)
    expect([session.get()?.token, ended.mock.calls]).toEqual(['a new one', []])
  })

  it('to an earlier session, while another tab has signed in anew, leaves the new one alone', async () => {
    startSession(ama)
    const stop = session.subscribe(() => undefined)
    const answer = holdReply()
    const asked = request('GET', '/order/allorders')
    // The other tab's news has not come yet.
    localStorage.setItem('userInfo', JSON.stringify(esi))
    answer(status, { message: 'It is over.', code })
    await expect(asked).rejects.toBeInstanceOf(RefusedError)
    expect([session.get()?.username, ended.mock.calls]).toEqual(['esi', []])
    stop()
  })

  it('about a session that is left by its own token ends no other', async () => {
    startSession(esi)
    const answer = holdReply()
    const asked = request('POST', '/user/logout', { token: ama.token })
    answer(status, { message: 'It is over.', code })
    await expect(asked).rejects.toBeInstanceOf(RefusedError)
    expect([session.get()?.username, ended.mock.calls]).toEqual(['esi', []])
  })
})

it('an answer for somebody who has left is handed to nobody', async () => {
  startSession(ama)
  const answer = holdReply()
  const asked = requestList('/order/allorders')
  startSession(esi)
  answer(200, [{ receiver: '0241234567' }])
  await expect(asked).rejects.toThrow(new LateReplyError())
})

/** The next call to the shop is answered by whoever calls what this replies. */
function holdReply(): (status: number, body: unknown) => void {
  const { promise, resolve } = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => promise)
  return (status, body) => resolve(Response.json(body, { status }))
}

function userNamed(username: string): SignedInUser {
  return {
    _id: `id of ${username}`,
    username,
    email: `${username}@example.com`,
    phone: '0241234567',
    userLevel: 'Customer',
    isAdmin: false,
    status: 'Active',
    totalPurchase: 0,
    balance: 10,
    balanceVersion: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    token: `token of ${username}`,
  }
}

/** As in a browser, the keys are what is enumerable. */
function memoryStorage(): Storage {
  const kept: Record<string, string> = {}
  const methods: Record<string, unknown> = {
    getItem: (key: string) => kept[key] ?? null,
    setItem(key: string, text: string) {
      kept[key] = text
    },
    removeItem: (key: string) => void delete kept[key],
  }
  return new Proxy(kept, { get: (target, name) => methods[name as string] ?? target[name as string] }) as unknown as Storage
}
