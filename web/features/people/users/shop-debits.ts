import type { ShopDebit } from '../../../../shared/wallet.ts'
import { call } from '../../../lib/api.ts'
import { ofUser, session } from '../../../lib/session.ts'
import { createStored } from '../../../lib/stored.ts'

const NONE: readonly ShopDebit[] = []

/** What the shop took from the signed-in user's wallet, until they dismiss it; kept, so that a reload does not push the page down late. */
export const shopDebits = ofUser(createStored<readonly ShopDebit[]>('shopDebits', NONE, Array.isArray), NONE)

let latest = 0

export async function refreshShopDebits(): Promise<void> {
  const userId = session.get()?._id
  if (!userId) return
  const mine = ++latest
  const debits = await call('GET /user/debits')
  if (mine === latest && session.get()?._id === userId) shopDebits.set(debits.length > 0 ? debits : NONE)
}

export async function dismissShopDebits(): Promise<void> {
  const [newest] = shopDebits.get()
  if (!newest) return
  latest += 1
  shopDebits.set(NONE)
  await call('POST /user/debits/dismiss', { body: { id: newest.id } })
}
