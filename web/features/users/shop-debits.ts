import type { ShopDebit } from '../../../shared/users.ts'
import { request } from '../../lib/http.ts'
import { session, wipeAtSignOut } from '../../lib/session.ts'
import { createStore } from '../../lib/store.ts'

const NONE: readonly ShopDebit[] = []

/** What the shop took from the signed-in user's wallet, until they dismiss it. */
export const shopDebits = createStore<readonly ShopDebit[]>(NONE)
wipeAtSignOut(() => shopDebits.set(NONE))

let latest = 0

export async function refreshShopDebits(): Promise<void> {
  if (!session.get()) return
  const mine = ++latest
  const debits = await request<ShopDebit[]>('GET', '/user/debits')
  if (mine === latest) shopDebits.set(debits)
}

export async function dismissShopDebits(): Promise<void> {
  const [newest] = shopDebits.get()
  if (!newest) return
  latest += 1
  shopDebits.set(NONE)
  await request('POST', '/user/debits/dismiss', { body: { id: newest.id } })
}
