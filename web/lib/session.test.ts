import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SignedInUser, User } from '../../shared/users.ts'
import { endSession, mergeUser } from './session-change.ts'

const current: SignedInUser = {
  _id: 'u1',
  username: 'ama',
  email: 'ama@example.com',
  phone: '0241234567',
  userLevel: 'Customer',
  isAdmin: false,
  status: 'Active',
  totalPurchase: 12,
  balance: 40,
  balanceVersion: 7,
  createdAt: '2026-01-01T00:00:00.000Z',
  token: 'secret',
}
const { token: _, ...record } = current

function incoming(changes: Partial<User>): User {
  return { ...record, ...changes }
}

describe('mergeUser', () => {
  it('takes a newer balance', () => {
    expect(mergeUser(current, incoming({ balance: 35, balanceVersion: 8 }))).toMatchObject({
      balance: 35,
      balanceVersion: 8,
      token: 'secret',
    })
  })

  it('keeps its balance when the message is late, and still takes the rest', () => {
    const merged = mergeUser(current, incoming({ balance: 90, balanceVersion: 6, userLevel: 'Agent' }))
    expect(merged).toMatchObject({ balance: 40, balanceVersion: 7, userLevel: 'Agent' })
  })

  it('never loses the token', () => {
    expect(mergeUser(current, incoming({})).token).toBe('secret')
  })
})

describe('endSession', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('removes all of the user’s data, also of screens that are not loaded, and keeps the rest', () => {
    const kept: Record<string, string> = {
      theme: '"dark"',
      lastStore: '{}',
      userInfo: JSON.stringify(current),
      orderHistory: '[{"receiver":"0241234567"}]',
      receivers: '[{"network":"MTN","phoneNumber":"0241234567"}]',
      somethingNew: '1',
    }
    const methods = {
      getItem: (key: string) => kept[key] ?? null,
      setItem(key: string, text: string) {
        kept[key] = text
      },
      removeItem: (key: string) => void delete kept[key],
    }
    // As in a browser, the keys are what is enumerable.
    const storage = new Proxy(kept, { get: (target, name) => methods[name as 'getItem'] ?? target[name as string] })
    vi.stubGlobal('localStorage', storage)
    endSession('signed-out')
    expect(Object.keys(kept).sort()).toEqual(['lastStore', 'theme'])
  })
})
