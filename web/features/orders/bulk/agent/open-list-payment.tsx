import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { toCedis } from '../../../../../shared/money.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { Button } from '../../../../ui/button.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { cardPhase } from '../../../card/payments/pay-by-card.ts'
import { forgetLines } from './bulk-draft.ts'
import { askAboutList, openListPayment } from './pay-list-by-card.ts'

const ASK_EVERY_MS = 10_000

/** A card payment for a list that has no outcome yet: asked about until it has one, and what was paid for leaves the list. */
export function OpenListPayment() {
  const payment = openListPayment.use()
  const phase = cardPhase.use()
  const [isAsking, setAsking] = useState(false)
  const [, navigate] = useLocation()
  const isOpen = payment !== null && phase === 'idle'

  const ask = async () => {
    const { request } = openListPayment.get() ?? {}
    if (!request || cardPhase.get() !== 'idle') return
    const outcome = await askAboutList().catch(() => null)
    if (outcome?.status === 'refused') toast.danger(outcome.error.message)
    if (outcome?.status !== 'paid') return
    forgetLines(request.lines)
    toast.success(bulkTexts.paid(request.lines.length))
    navigate(`/agent/bulk/sent/${outcome.listId}`)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads what is stored at the moment.
  useEffect(() => {
    if (!isOpen) return
    void ask()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void ask()
    }, ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [isOpen])

  if (!isOpen) return null
  return (
    <NoticeBox
      tone="pending"
      className="mt-3"
      title={bulkTexts.cardOpen(moneyText(toCedis(payment.totalPesewas)), payment.request.lines.length)}
      action={
        <Button
          variant="secondary"
          busy={isAsking}
          onClick={() => {
            setAsking(true)
            void ask().finally(() => setAsking(false))
          }}
        >
          {bulkTexts.findOut}
        </Button>
      }
    >
      {bulkTexts.cardOpenText}
    </NoticeBox>
  )
}
