import { useEffect, useState } from 'react'
import { NoticeBox } from '../../ui/notice-box.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { checkoutPhase } from './pay-from-wallet.ts'
import type { PurchaseSource } from './purchase-attempt.ts'

const LONG_MS = 60_000

/** Shown while it is unknown whether a purchase went through, and being checked. */
export function CheckingNotice({ source }: { source: PurchaseSource }) {
  const at = checkoutPhase.use()
  const checking = at.phase === 'checking' && at.source === source
  const [long, setLong] = useState(false)
  useEffect(() => {
    if (!checking) return
    setLong(false)
    const timer = setTimeout(() => setLong(true), LONG_MS)
    return () => clearTimeout(timer)
  }, [checking])
  if (!checking) return null
  return (
    <NoticeBox tone="pending" title="We’re checking if it went through…" action={<Spinner className="size-5" />}>
      {long
        ? 'Still no answer. Check your connection. You can close this page: we’ll check again when you’re back, and you’re never charged twice.'
        : 'The connection dropped. Please keep this page open; you won’t be charged twice.'}
    </NoticeBox>
  )
}
