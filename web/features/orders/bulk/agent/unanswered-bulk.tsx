import { useState } from 'react'
import { useLocation } from 'wouter'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { Button } from '../../../../ui/button.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { forgetLines } from './bulk-draft.ts'
import { bulkPhase, resumeBulk, unansweredBulk } from './pay-bulk.ts'

/** After the page was loaded again before the shop had answered: what became of the payment is asked, and said. */
export function UnansweredBulk() {
  const attempt = unansweredBulk.use()
  const phase = bulkPhase.use()
  const [isAsked, setAsked] = useState(false)
  const [, navigate] = useLocation()
  if (!attempt || (phase !== 'idle' && !isAsked)) return null
  const ask = async () => {
    setAsked(true)
    const outcome = await resumeBulk()
    setAsked(false)
    if (outcome?.status === 'refused') toast.danger(outcome.error.message)
    if (outcome?.status !== 'placed') return
    forgetLines(attempt.request.lines)
    navigate(`/agent/bulk/sent/${outcome.job._id}`)
  }
  return (
    <NoticeBox
      tone="pending"
      className="mt-3"
      title={bulkTexts.unanswered}
      action={
        <Button busy={isAsked} onClick={() => void ask()}>
          {bulkTexts.findOut}
        </Button>
      }
    >
      {bulkTexts.unansweredText(attempt.request.lines.length)}
    </NoticeBox>
  )
}
