import { useState } from 'react'
import { formatShortTime } from '../../../../shared/dates.ts'
import type { TrackedOrder } from '../../../../shared/tracker.ts'
import { messageOf } from '../../../lib/http.ts'
import { useNow } from '../../../lib/use-now.ts'
import { trackerTexts as texts } from '../../../texts/orders.ts'
import { Answers } from '../../../ui/answers.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { Card } from '../../../ui/page.tsx'
import { reportOrder, sendRefundCode } from './api.ts'

type Props = {
  reference: string
  guest: NonNullable<TrackedOrder['guest']>
  /** A checker's codes stand on the page, so that there is nothing to wait for. */
  hasCodes: boolean
  onDone: () => void
}

/** What a guest can do about an order: report that it has not come, or have the code of its refund sent again. */
export function GuestActs({ reference, guest, hasCodes, onDone }: Props) {
  const now = useNow()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ tone: 'done' | 'danger'; text: string } | null>(null)
  const { refund, reportFrom, reported, answer, tells } = guest
  const opensAt = reportFrom === null ? null : new Date(reportFrom)
  const attempt = async (act: () => Promise<{ message: string }>) => {
    setBusy(true)
    setSaid(null)
    try {
      setSaid({ tone: 'done', text: (await act()).message })
      setAsking(false)
      onDone()
    } catch (error) {
      setSaid({ tone: 'danger', text: messageOf(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="mt-4 flex flex-col gap-3">
      {refund?.state === 'code' && (
        <>
          {/* Asked of the server, since at an agent's own host name My Wallet is elsewhere. */}
          <a href="/user/finance" className={classNames(buttonClass('primary'), 'w-full')}>
            {texts.useCode}
          </a>
          {guest.texts ? (
            <Button variant="secondary" block busy={busy} onClick={() => void attempt(() => sendRefundCode(reference))}>
              {texts.sendCode}
            </Button>
          ) : (
            <p className="text-small text-muted">{texts.codeInShop}</p>
          )}
        </>
      )}
      {asking && (
        <Card className="flex flex-col gap-3 p-4">
          <h2 className="text-large">{texts.reportTitle}</h2>
          <p>{texts.reportText(tells)}</p>
          <Answers
            yes={{ busy, onClick: () => void attempt(() => reportOrder(reference)), children: texts.report }}
            no={{ disabled: busy, onClick: () => setAsking(false) }}
          />
        </Card>
      )}
      {reported && said === null && <NoticeBox tone="pending">{texts.reported(tells)}</NoticeBox>}
      {answer && (
        <NoticeBox tone="pending" title={texts.answer(guest.shop.name)}>
          {answer}
        </NoticeBox>
      )}
      {opensAt && opensAt > now && !hasCodes && (
        <p className="text-small text-muted">{texts.notReceivedFrom(formatShortTime(opensAt, now))}</p>
      )}
      {opensAt && opensAt <= now && !asking && (
        <Button variant="secondary" block onClick={() => setAsking(true)}>
          {texts.notReceived}
        </Button>
      )}
      {said && <NoticeBox tone={said.tone}>{said.text}</NoticeBox>}
    </div>
  )
}
