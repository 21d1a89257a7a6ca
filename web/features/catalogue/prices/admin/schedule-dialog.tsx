import { useState } from 'react'
import { SCHEDULE_AT_MOST_DAYS } from '../../../../../shared/price-rules.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { timeWords, type Warning } from './price-words.ts'

const DAY_MS = 24 * 3_600_000

type Props = {
  /** "30 new prices on MTN". */
  what: string
  /** Costs are not scheduled: they count from the day they are typed. */
  costs: number
  warnings: readonly Warning[]
  onSchedule: (liveAt: Date) => Promise<void>
  onClose: () => void
}

/** Asks when prices go live, in Ghana's time. */
export function ScheduleDialog({ what, costs, warnings, onSchedule, onClose }: Props) {
  const [opened] = useState(() => shopNow())
  const form = useForm({
    initial: { day: new Date(opened.getTime() + DAY_MS).toISOString().slice(0, 10), time: '06:00' },
    parse: ({ day, time }) => {
      const at = new Date(`${day}T${time}:00Z`)
      if (Number.isNaN(at.getTime())) return { errors: { day: 'Choose a date and a time.' } }
      if (at <= shopNow()) return { errors: { time: 'Choose a time to come.' } }
      if (at.getTime() > shopNow().getTime() + SCHEDULE_AT_MOST_DAYS * DAY_MS)
        return { errors: { day: `Choose a day within ${SCHEDULE_AT_MOST_DAYS} days.` } }
      return { output: at }
    },
    submit: async (at) => {
      await onSchedule(at)
      onClose()
    },
    fieldAt: (path) => (path === 'liveAt' ? 'day' : path),
  })
  const at = new Date(`${form.values.day}T${form.values.time}:00Z`)
  return (
    <Dialog
      title="Schedule prices"
      onClose={onClose}
      yes={{
        busy: form.busy,
        busyLabel: 'Scheduling…',
        onClick: () => void form.send(),
        children: Number.isNaN(at.getTime()) ? 'Schedule' : `Schedule for ${timeWords(at)}`,
      }}
    >
      <form {...form.props} className="flex flex-col gap-4">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        <p>
          {what}. They go live by themselves, also when nobody is here. Packages that somebody changes before then are left as they are, and
          we tell you.
        </p>
        <PriceWarnings warnings={warnings} />
        <div className="grid grid-cols-2 gap-3">
          <Field label="Day" type="date" {...form.field('day')} />
          <Field label="Time in Ghana" type="time" {...form.field('time')} />
        </div>
        {costs > 0 && <p className="text-small text-muted">New costs are not scheduled. Publish them when they count.</p>}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}

/** What an owner seldom means, before the prices that are asked about. */
export function PriceWarnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null
  return (
    <ul className="mb-3 flex list-disc flex-col gap-1 rounded-box bg-pending-soft py-3 pr-4 pl-8 text-body text-pending">
      {warnings.map(({ offer, text }) => (
        <li key={`${offer} ${text}`}>
          <span className="font-semibold">{offer}</span>: {text}
        </li>
      ))}
    </ul>
  )
}
