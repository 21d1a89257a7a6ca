import { formatShortTime } from '../../../../shared/dates.ts'
import type { Report } from '../../../../shared/orders.ts'
import { classNames } from '../../../ui/class-names.ts'

type Props = { messages: Report['messages']; names: Record<Report['messages'][number]['from'], string>; now: Date }

/** What the customer and the shop wrote about a report, oldest first. */
export function ReportLines({ messages, names, now }: Props) {
  if (messages.length === 0) return null
  return (
    <ul className="mt-3 flex flex-col gap-2">
      {messages.map(({ from, text, at }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end.
          key={index}
          className={classNames('max-w-9/10 rounded-box px-3 py-2', from === 'shop' ? 'self-start bg-brand-soft' : 'self-end bg-sunken')}
        >
          <span className="flex justify-between gap-4 text-small text-muted">
            <span className="font-semibold">{names[from]}</span>
            <span className="tabular whitespace-nowrap">{formatShortTime(new Date(at), now)}</span>
          </span>
          <span className="block break-words whitespace-pre-line">{text}</span>
        </li>
      ))}
    </ul>
  )
}
