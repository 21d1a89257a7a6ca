import { Check, X } from 'lucide-react'
import { messageTexts } from '../texts/messages.ts'
import { classNames } from './class-names.ts'

/** `time` as shown; `waiting` for the one step that is still to come. */
export type TimelineStep = {
  key: string
  title: string
  detail?: string | undefined
  time?: string | undefined
  state: 'done' | 'failed' | 'waiting'
}

/** Steps from top to bottom, joined by a line. */
export function Timeline({ label, steps }: { label: string; steps: readonly TimelineStep[] }) {
  return (
    <ol aria-label={label}>
      {steps.map(({ key, title, detail, time, state }, at) => (
        <li key={key} className="relative grid grid-cols-[28px_1fr] gap-x-3 pb-5 last:pb-0">
          {at < steps.length - 1 && (
            <span aria-hidden="true" className="absolute top-8 bottom-0.5 left-3.25 border-l-2 border-dotted border-brand-text" />
          )}
          <Mark state={state} />
          {/* The time stands below with large letters. */}
          <span className="flex min-w-0 flex-wrap gap-x-3">
            <span className="min-w-0 grow basis-[7rem]">
              <span className="block text-large font-bold">{title}</span>
              {detail && <span className="block text-small text-muted">{detail}</span>}
            </span>
            <span className="tabular text-small text-muted">
              {state === 'waiting' && <span className="sr-only">{messageTexts.stillToCome}</span>}
              {time}
            </span>
          </span>
        </li>
      ))}
    </ol>
  )
}

function Mark({ state }: { state: TimelineStep['state'] }) {
  if (state === 'waiting') return <span aria-hidden="true" className="size-7 rounded-full border-2 border-dashed border-pending" />
  const Icon = state === 'done' ? Check : X
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'flex size-7 items-center justify-center rounded-full',
        state === 'done' ? 'bg-brand text-on-brand' : 'bg-danger-soft text-danger',
      )}
    >
      <Icon className="size-4" />
    </span>
  )
}
