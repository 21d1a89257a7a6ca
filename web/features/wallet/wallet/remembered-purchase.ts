import { useState } from 'react'
import { toPesewas, topUpFor } from '../../../../shared/money.ts'
import { type Draft, readDraft, writeDraft } from '../../../lib/drafts.ts'
import { session } from '../../../lib/session.ts'

/** What somebody was buying when they left for My Wallet: its price in cedis, what to call it, and the screen to return to. */
export type RememberedPurchase = { price: number; name: string; path: string }

const FORM = 'top-up for'

export function rememberPurchase(purchase: RememberedPurchase | null): void {
  const userId = session.get()?._id ?? null
  writeDraft(userId, FORM, purchase && { price: String(purchase.price), name: purchase.name, path: purchase.path })
}

/** The purchase that My Wallet was opened for, what the wallet still lacks for it in pesewas, and how to forget it. */
export function useRememberedPurchase() {
  const user = session.use()
  const [purchase, setPurchase] = useState(() => read(readDraft(user?._id ?? null, FORM)))
  const missingPesewas = purchase ? topUpFor(toPesewas(purchase.price), toPesewas(user?.balance ?? 0)) : 0
  const forget = () => {
    rememberPurchase(null)
    setPurchase(null)
  }
  return { purchase, missingPesewas, forget }
}

function read({ price, name, path }: Draft = {}): RememberedPurchase | null {
  return name && path?.startsWith('/') && Number(price) > 0 ? { price: Number(price), name, path } : null
}
