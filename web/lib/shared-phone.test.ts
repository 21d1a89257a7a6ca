import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SignedInUser } from '../../shared/users.ts'
import { signOut } from '../features/people/auth/api.ts'
import { call, callList } from './api.ts'
import { LateReplyError, RefusedError } from './http.ts'
import { endedSession, session, wipeAtSignOut } from './session.ts'
import { endSession, onSessionEnd, startSession } from './session-change.ts'
import { sendUnsentSignOuts } from './sign-outs.ts'
import { unsentSignOuts } from './unsent-sign-outs.ts'

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
  it('to the current session ends it', async () => {
    startSession(ama)
    const answer = holdReply()
    const asked = call('GET /order/allorders')
    answer(status, { message: 'It is over.', code })
    await expect(asked).rejects.toBeInstanceOf(RefusedError)
    expect([session.get(), ended.mock.calls.length]).toEqual([null, 1])
    expect(endedSession.get()).toEqual({ reason: status === 401 ? 'expired' : 'banned', message: 'It is over.' })
  })

  it('for a user who has left signs nobody out and shows nothing', async () => {
    startSession(ama)
    const answer = holdReply()
    const asked = callList('GET /order/allorders')
    startSession(esi)
    forgotten.mockReset()
    answer(status, { message: 'It is over.', code })
    await expect(asked).rejects.toThrow(new LateReplyError())
    expect([session.get()?.username, ended.mock.calls, forgotten.mock.calls]).toEqual(['esi', [], []])
  })

  it('to an earlier session of the same user leaves the new one alone', async () => {
    startSession(ama)
    const answer = holdReply()
    const asked = call('GET /order/allorders')
    startSession({ ...ama, token: 'a new one' })
    answer(status, { message: 'It is over.', code })
    await expect(asked).rejects.toBeInstanceOf(RefusedError)
    expect([session.get()?.token, ended.mock.calls]).toEqual(['a new one', []])
  })

  it('to an earlier session leaves the one alone that another tab has begun', async () => {
    startSession(ama)
    const stop = session.subscribe(() => undefined)
    const answer = holdReply()
    const asked = call('GET /order/allorders')
    // The other tab's news has not come yet.
    localStorage.setItem('userInfo', JSON.stringify(esi))
    answer(status, { message: 'It is over.', code })
    await expect(asked).rejects.toBeInstanceOf(RefusedError)
    expect([session.get()?.username, ended.mock.calls]).toEqual(['esi', []])
    stop()
  })

  it('to a sign-out ends no other session', async () => {
    startSession(esi)
    const answer = holdReply()
    const asked = call('POST /user/logout', { token: ama.token })
    answer(status, { message: 'It is over.', code })
    await expect(asked).rejects.toBeInstanceOf(RefusedError)
    expect([session.get()?.username, ended.mock.calls]).toEqual(['esi', []])
  })
})

it('an answer for a user who has left is shown to nobody', async () => {
  startSession(ama)
  const answer = holdReply()
  const asked = callList('GET /order/allorders')
  startSession(esi)
  answer(200, [{ receiver: '0241234567' }])
  await expect(asked).rejects.toThrow(new LateReplyError())
})

describe('a sign-out that did not reach the shop', () => {
  const away = () => Promise.reject(new TypeError('Failed to fetch'))
  const answerWith = (status: number) => () => Promise.resolve(Response.json({ message: 'So it is.', code: 'INTERNAL' }, { status }))
  let told: string[]
  /** The shop answers so from now on; `told` are the tokens that it heard of. */
  const connect = (answer: () => Promise<Response>) => {
    vi.stubGlobal('fetch', (_url: string, { headers }: { headers: Record<string, string> }) => {
      told.push(`${headers.authorization}`)
      return answer()
    })
  }
  beforeEach(() => {
    told = []
    vi.stubGlobal('navigator', { onLine: true })
    connect(away)
  })

  it('is sent later, however many others have signed in meanwhile', async () => {
    startSession(ama)
    await signOut()
    startSession(esi)
    await signOut()
    startSession(ama)
    endSession('expired', 'It is over.')
    expect(unsentSignOuts.get()).toEqual([ama.token, esi.token])
    told = []
    connect(answerWith(200))
    await sendUnsentSignOuts()
    expect([told, unsentSignOuts.get()]).toEqual([[`Bearer ${ama.token}`, `Bearer ${esi.token}`], []])
    expect([localStorage.getItem('signOuts'), session.get()]).toEqual([null, null])
  })

  it.each([
    [200, false],
    [401, false],
    [403, false],
    [429, true],
    [503, true],
  ])('and is answered by %i, is tried again: %s', async (status, again) => {
    startSession(ama)
    await signOut()
    connect(answerWith(status))
    await sendUnsentSignOuts()
    expect(unsentSignOuts.get()).toEqual(again ? [ama.token] : [])
  })

  it('does not hold up other sign-outs', async () => {
    for (const user of [ama, esi]) {
      startSession(user)
      await signOut()
    }
    told = []
    connect(() => (told.length === 1 ? away() : answerWith(200)()))
    await sendUnsentSignOuts()
    expect(unsentSignOuts.get()).toEqual([ama.token])
  })

  it('is sent at the next visit if the page was closed before the answer', async () => {
    startSession(ama)
    const { promise, resolve } = Promise.withResolvers<Response>()
    connect(() => promise)
    const leaving = signOut()
    expect(unsentSignOuts.get()).toEqual([])
    window.dispatchEvent(new Event('pagehide'))
    expect(JSON.parse(localStorage.getItem('signOuts') ?? '[]')).toEqual([ama.token])
    resolve(Response.json({}))
    await leaving
    expect(unsentSignOuts.get()).toEqual([])
  })

  it('ends nobody else’s session', async () => {
    startSession(ama)
    await signOut()
    startSession(esi)
    connect(answerWith(401))
    await sendUnsentSignOuts()
    expect([session.get()?.username, ended.mock.calls.length, endedSession.get()]).toEqual(['esi', 1, null])
  })
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
