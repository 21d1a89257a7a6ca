import { useState } from 'react'
import { MAX_REPORT_TEXT } from '../../../../../shared/report-rules.ts'
import type { EndReportRequest, ReportOfOrder } from '../../../../../shared/reports.ts'
import { aboutRecord } from '../../../../lib/about-record.ts'
import { together } from '../../../../lib/subject.ts'
import { useNow } from '../../../../lib/use-now.ts'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextareaField } from '../../../../ui/field.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { OrderFacts } from '../../orders/admin/order-facts.tsx'
import { OrderSupplier, SupplierWarning } from '../../orders/admin/order-supplier.tsx'
import { refundPlan } from '../../orders/admin/refund-words.ts'
import { ReportLines } from '../../orders/report-lines.tsx'
import { totalPaid } from '../../orders/total-paid.ts'
import { endReport, replyToReport } from './api.ts'

/** A report with its order: what was written, a reply, and the three ways to end it. */
export function ReportDialog({ report, onClose }: { report: ReportOfOrder; onClose: () => void }) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const now = useNow()
  const { order, status, messages } = report
  const words = text.trim()

  const act = async (send: () => Promise<boolean>, isEnd: boolean) => {
    setBusy(true)
    const worked = await send()
    setBusy(false)
    if (!worked) return
    setText('')
    if (isEnd) onClose()
  }

  const end = async (outcome: EndReportRequest['outcome']) => {
    const said = words || WORDS[outcome]
    const yes = await confirmAction({
      about: together(aboutRecord(report, 'status'), aboutRecord(order, 'status')),
      question: QUESTIONS[outcome](order.number),
      title: TITLES[outcome],
      danger: outcome === 'refunded',
      details: (
        <>
          {outcome === 'refunded' && <SupplierWarning order={order} status="rejected" />}
          <p className="mt-3 text-body text-muted">
            {outcome === 'refunded' && `${refundPlan(order)} `}The customer reads: “{said}”
          </p>
        </>
      ),
    })
    const seen = order.supplier ? { supplierStatus: order.supplier.status } : {}
    if (yes) await act(() => endReport(report, { outcome, text: said, ...seen }), true)
  }

  return (
    <Dialog title={`Report of order ${order.number}`} onClose={onClose} wide>
      <div className="flex flex-wrap items-center justify-between gap-2 pb-3">
        <OrderSupplier order={order} />
      </div>
      <OrderFacts order={order} />
      <ReportLines messages={messages} names={{ customer: order.agent, shop: 'Shop' }} now={now} />
      {messages.length === 0 && <p className="mt-3 text-muted">{order.agent} says that it hasn’t arrived, and wrote nothing more.</p>}
      {status === 'open' ? (
        <>
          <TextareaField
            label="What you tell the customer"
            className="mt-4"
            rows={3}
            maxLength={Math.min(MAX_REPORT_TEXT, 300)}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button
            variant="secondary"
            block
            className="mt-2"
            busy={busy}
            disabled={words === ''}
            onClick={() => void act(() => replyToReport(report, words), false)}
          >
            Reply and keep it open
          </Button>
          <fieldset className="mt-5 grid gap-2 border-t border-line pt-4 sm:grid-cols-3">
            <legend className="float-left mb-1 w-full font-semibold sm:col-span-3">End the report</legend>
            <Button variant="secondary" disabled={busy || words.length < 3} note="with your words" onClick={() => void end('delivered')}>
              It was delivered
            </Button>
            <Button
              variant="secondary"
              disabled={busy}
              note={order.supplier ? 'once, to the supplier' : 'once, by hand'}
              onClick={() => void end('resent')}
            >
              Send again
            </Button>
            <Button variant="danger" disabled={busy} note={moneyText(totalPaid(order))} onClick={() => void end('refunded')}>
              Refund
            </Button>
          </fieldset>
        </>
      ) : (
        <NoticeBox tone="done" className="mt-4">
          {ENDED[status]}
        </NoticeBox>
      )}
    </Dialog>
  )
}

const TITLES: Record<EndReportRequest['outcome'], string> = { delivered: 'It was delivered', resent: 'Send again', refunded: 'Refund' }
const QUESTIONS: Record<EndReportRequest['outcome'], (number: string) => string> = {
  delivered: (number) => `Are you sure that order ${number} was delivered?`,
  resent: (number) => `Are you sure you want to send order ${number} again? This can be done once.`,
  refunded: (number) => `Are you sure you want to refund order ${number}? It can’t be sent again then.`,
}
/** What the customer reads where the admin wrote nothing. */
const WORDS = { delivered: '', resent: 'We have sent it again.', refunded: 'We could not deliver it, so we refunded it.' }
const ENDED = {
  delivered: 'This report ended: it was delivered.',
  resent: 'This report ended: it was sent again.',
  refunded: 'This report ended: it was refunded.',
}
