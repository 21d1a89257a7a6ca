import { useState } from 'react'
import { formatShortTime } from '../../../../shared/dates.ts'
import type { Order, Report, Reporting } from '../../../../shared/orders.ts'
import { MAX_REPORT_TEXT } from '../../../../shared/report-rules.ts'
import { useForm } from '../../../lib/use-form.ts'
import { reportTexts as texts } from '../../../texts/orders.ts'
import { Answers } from '../../../ui/answers.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextareaField } from '../../../ui/field.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { Card } from '../../../ui/page.tsx'
import { toast } from '../../../ui/toast.ts'
import { addReportLine, openReport, takeOverReport } from './api.ts'
import { ReportLines } from './report-lines.tsx'

type Props = { order: Order; reporting: Reporting | undefined; now: Date }

/** "I haven't received it": from when it can be said, the conversation with the shop, and how it ended. */
export function ReportPanel({ order, reporting, now }: Props) {
  const [asking, setAsking] = useState(false)
  // A shop of the version before says nothing of reports.
  const { opensAt = null, report = null } = reporting ?? {}
  // Codes are there at once: nothing to wait for.
  const isLater = opensAt !== null && new Date(opensAt) > now
  const isToSay = opensAt !== null && !(isLater && order.network === 'WAEC Checkers' && order.status === 'completed')
  if (asking) return <Asking order={order} onClose={() => setAsking(false)} />
  return (
    <>
      {report && <ReportCard report={report} now={now} />}
      {isToSay && (
        <Button
          variant="secondary"
          block
          disabled={isLater}
          note={isLater ? texts.opensAt(formatShortTime(new Date(opensAt), now), order.network) : texts.ask}
          onClick={() => setAsking(true)}
        >
          {texts.open}
        </Button>
      )}
    </>
  )
}

function Asking({ order, onClose }: { order: Order; onClose: () => void }) {
  const form = useLine(order._id, async (text) => {
    takeOverReport(await openReport(order._id, text))
    toast.success(texts.sent)
    onClose()
  })
  return (
    <Card className="p-4">
      <form onSubmit={form.onSubmit} className="flex flex-col gap-3">
        <h2 className="text-large">{texts.open}</h2>
        <TextareaField label={texts.line} hint={texts.lineHint} rows={2} autoFocus {...form.field} />
        {form.error && <NoticeBox tone="danger">{form.error}</NoticeBox>}
        <Answers yes={{ type: 'submit', busy: form.busy, busyLabel: texts.sending, children: texts.send }} no={{ onClick: onClose }} />
      </form>
    </Card>
  )
}

function ReportCard({ report, now }: { report: Report; now: Date }) {
  const { status, openedAt, endedAt, messages } = report
  const isOpen = status === 'open'
  return (
    <Card className="p-4">
      <h2 className="text-large">{texts.title[status]}</h2>
      <p className="text-small text-muted">
        {endedAt ? texts.ended(formatShortTime(new Date(endedAt), now)) : texts.since(formatShortTime(new Date(openedAt), now))}
      </p>
      <ReportLines messages={messages} names={{ customer: texts.you, shop: texts.shop }} now={now} />
      {isOpen && <AddLine report={report} />}
    </Card>
  )
}

function AddLine({ report }: { report: Report }) {
  const form = useLine(report._id, async (text) => takeOverReport(await addReportLine(report._id, text)))
  return (
    <form onSubmit={form.onSubmit} className="mt-3 flex flex-col gap-2 border-t border-line pt-3">
      <TextareaField label={texts.addLine} rows={2} required {...form.field} />
      {form.error && <NoticeBox tone="danger">{form.error}</NoticeBox>}
      <Button type="submit" variant="secondary" busy={form.busy} busyLabel={texts.sending} className="self-end">
        {texts.add}
      </Button>
    </form>
  )
}

/** One line of text about an order or a report, kept until it is sent. */
function useLine(about: string, send: (text: string) => Promise<void>) {
  const form = useForm({
    initial: { text: '' },
    draft: { form: `line ${about}`, fields: ['text'] },
    parse: ({ text }) => ({ output: text.trim() }),
    submit: async (text) => {
      await send(text)
      form.reset()
    },
  })
  const { formError: error, busy, props } = form
  return { field: { ...form.field('text'), maxLength: MAX_REPORT_TEXT }, busy, error, onSubmit: props.onSubmit }
}
