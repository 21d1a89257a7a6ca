import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SignedInUser } from '../../shared/users.ts'
import { seenNotice } from '../features/shop/notice/seen-notice.ts'
import { addToCart, cart } from '../features/storefront/cart/cart.ts'
import { call } from '../lib/api.ts'
import { readDraft, writeDraft } from '../lib/drafts.ts'
import { LateReplyError } from '../lib/http.ts'
import { endedSession, session } from '../lib/session.ts'
import { endSession, forgetUserData, startSession } from '../lib/session-change.ts'
import { confirmAction } from '../ui/confirm-action.ts'

const person = (name: string, token = `token of ${name}`): SignedInUser => ({
  _id: name,
  username: name,
  email: `${name}@example.com`,
  phone: '0241234567',
  userLevel: 'Customer',
  isAdmin: false,
  status: 'Active',
  totalPurchase: 0,
  balance: 10,
  balanceVersion: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  token,
})
const line = { productId: 'p1', service: 'MTN', phoneNumber: '0241234567', offer: '1GB', amount: 5.5, image: '' }
const inCart = () => cart.get().map(({ offer }) => offer)

/** Two tabs of one browser see the same storage; what the other one does is written straight into it. */
let kept: Record<string, string>
beforeEach(() => {
  kept = {}
  vi.stubGlobal('localStorage', storageOver(kept))
  vi.stubGlobal('sessionStorage', storageOver({}))
  vi.stubGlobal('window', {
    ...new EventTarget(),
    addEventListener() {},
    removeEventListener() {},
    location: { pathname: '/store', search: '?buy=p1' },
  })
})
afterEach(() => {
  endSession('signed-out')
  vi.unstubAllGlobals()
})

describe('a session that ends by itself', () => {
  test('shows why, and gives its user everything back at the next login, and nobody else', () => {
    startSession(person('ama'))
    addToCart({ ...line, offer: '1GB' })
    writeDraft('ama', 'buy p1', { phoneNumber: '024' })
    endSession('expired', 'Please log in.', 'token of ama')
    expect([session.get(), inCart(), endedSession.get()?.reason]).toEqual([null, [], 'expired'])

    expect(startSession(person('kofi'))).toBeUndefined()
    expect([inCart(), readDraft('kofi', 'buy p1'), endedSession.get()]).toEqual([[], undefined, null])
    endSession('signed-out')

    expect(startSession(person('ama', 'a newer token'))).toBe('/store?buy=p1')
    expect([inCart(), readDraft('ama', 'buy p1')]).toEqual([['1GB'], { phoneNumber: '024' }])
    endSession('signed-out')
    expect(kept).toEqual({})
  })

  test('does not end a newer session, in this tab or another', () => {
    startSession(person('ama', 'old'))
    startSession(person('ama', 'new'))
    addToCart(line)
    endSession('expired', '', 'old')
    expect([session.get()?.token, inCart()]).toEqual(['new', ['1GB']])
    kept.userInfo = JSON.stringify(person('ama', 'of the other tab'))
    endSession('banned', '', 'new')
    expect([session.get()?.token, inCart(), endedSession.get()]).toEqual(['of the other tab', ['1GB'], null])
  })

  test('answers open questions with no, and shows the notice to the next user', async () => {
    startSession(person('ama'))
    seenNotice.set('Closed on Sunday')
    const answer = confirmAction({ question: 'Pay?' })
    endSession('expired', '', 'token of ama')
    expect([await answer, seenNotice.get()]).toEqual([false, null])
  })
})

describe('another tab', () => {
  test('that signed out and in again keeps its current cart', () => {
    startSession(person('ama'))
    addToCart(line)
    kept.cartItems = JSON.stringify([{ ...line, id: 'theirs', offer: '10GB' }])
    forgetUserData()
    expect(inCart()).toEqual(['10GB'])
    expect(kept.cartItems).toContain('10GB')
  })

  test('that changed the cart loses nothing to a change made here', () => {
    startSession(person('ama'))
    addToCart(line)
    const release = cart.subscribe(() => {})
    kept.cartItems = JSON.stringify([...cart.get(), { ...line, id: 'theirs', offer: '10GB' }])
    addToCart({ ...line, offer: '2GB' })
    expect(inCart()).toEqual(['1GB', '10GB', '2GB'])
    release()
  })
})

describe('a late reply', () => {
  const replies: ((response: Response) => void)[] = []
  beforeEach(() => {
    replies.length = 0
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => replies.push(resolve)))
  })

  test('to a user who has left is not shown to the next one', async () => {
    startSession(person('ama'))
    const [orders, refused] = [call('GET /order/allorders'), call('POST /order/checkout', { body: {} })]
    startSession(person('kofi'))
    replies[0]?.(Response.json([{ receiver: '0241234567' }]))
    replies[1]?.(Response.json({ message: 'Not enough money.', code: 'INSUFFICIENT_BALANCE' }, { status: 402 }))
    await expect(orders).rejects.toBeInstanceOf(LateReplyError)
    await expect(refused).rejects.toBeInstanceOf(LateReplyError)
  })

  test('that an earlier session is over leaves the current one alone', async () => {
    startSession(person('ama', 'old'))
    const asked = call('GET /user')
    startSession(person('ama', 'new'))
    replies[0]?.(Response.json({ message: 'Please log in.', code: 'UNAUTHENTICATED' }, { status: 401 }))
    await expect(asked).rejects.toMatchObject({ status: 401 })
    expect(session.get()?.token).toBe('new')
  })
})

function storageOver(entries: Record<string, string>) {
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    setItem(key: string, text: string) {
      entries[key] = text
    },
    removeItem: (key: string) => void delete entries[key],
  }
  return new Proxy(entries, { get: (target, name) => methods[name as 'getItem'] ?? target[name as string] })
}
