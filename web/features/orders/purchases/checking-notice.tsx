import { useEffect, useState } from 'react'
import { checkoutTexts } from '../../../texts/checkout.ts'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
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
    <NoticeBox tone="pending" title={checkoutTexts.checking} action={<Spinner className="size-5" />}>
      {long ? checkoutTexts.stillNoAnswer : checkoutTexts.keepOpen}
    </NoticeBox>
  )
}
