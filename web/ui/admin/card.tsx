import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import type { RowTone } from './row.tsx'

const TONES: Record<RowTone, string> = {
  plain: 'bg-sunken text-muted',
  pending: 'bg-pending-soft text-pending',
  danger: 'bg-danger-soft text-danger',
  done: 'bg-done-soft text-done',
}

/** A state as a word beside its icon. */
export function StateChip({ tone = 'plain', icon, children }: { tone?: RowTone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex min-h-6 items-center gap-1 rounded-full px-2 py-0.5 text-small leading-none font-semibold [&>svg]:size-3.5 [&>svg]:shrink-0',
        TONES[tone],
      )}
    >
      {icon}
      {children}
    </span>
  )
}

type Props = {
  title?: ReactNode
  /** At the right of the heading: a `StateChip`, a figure or a small button. */
  state?: ReactNode
  /** Names the region; the title does where it is text. */
  label?: string
  className?: string
  children?: ReactNode
}

/** A white sheet with a heading and a state word. Its content pads itself: `px-4 py-3`, or rows from edge to edge. */
export function Card({ title, state, label, className, children }: Props) {
  return (
    <section
      aria-label={label ?? (typeof title === 'string' ? title : undefined)}
      className={classNames('overflow-hidden rounded-box border border-line bg-surface [--on:var(--surface)]', className)}
    >
      {(title || state) && (
        <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-4 py-2 lg:min-h-11">
          <h2 className="min-w-0 text-large leading-[1.3] font-bold tracking-normal">{title}</h2>
          {state}
        </header>
      )}
      {children}
    </section>
  )
}
