import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'

export type RowTone = 'plain' | 'pending' | 'danger' | 'done'

const TONES: Record<RowTone, string> = {
  plain: 'bg-sunken text-ink',
  pending: 'bg-pending-soft text-pending',
  danger: 'bg-danger-soft text-danger',
  done: 'bg-done-soft text-done',
}

type Props = {
  icon: ReactNode
  tone?: RowTone
  title: ReactNode
  subtitle?: ReactNode
  /** The act that fits, a button or a link. */
  act?: ReactNode
  /** Its details stand beside the list. */
  selected?: boolean
  /** Names the row for the keys J, K and Enter. */
  rowKey?: string
  onSelect?: () => void
}

/** One thing that waits, with the act that fits. */
export function Row({ icon, tone = 'plain', title, subtitle, act, selected, rowKey, onSelect }: Props) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: J, K and Enter select by keyboard; a press anywhere on the row is a convenience.
    <article
      {...(rowKey !== undefined && { 'data-row': rowKey, tabIndex: -1 })}
      aria-current={selected ? 'true' : undefined}
      onClick={onSelect}
      onFocus={onSelect}
      className={classNames(
        'grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 py-3 pr-3 pl-4 outline-none lg:py-2.5 lg:pr-4',
        'focus-visible:shadow-[inset_0_0_0_2px_var(--brand-text)]',
        onSelect && 'lg:cursor-pointer',
        selected && 'lg:bg-brand-soft lg:shadow-[inset_3px_0_0_var(--brand)]',
      )}
    >
      <span aria-hidden="true" className={classNames('grid size-9 place-items-center rounded-full [&>svg]:size-5', TONES[tone])}>
        {icon}
      </span>
      <div className="min-w-0">
        <h3 className="text-body leading-[1.3] font-semibold tracking-normal text-pretty">{title}</h3>
        {subtitle && <div className="mt-0.5 text-small leading-[1.25rem] text-muted lg:line-clamp-1">{subtitle}</div>}
      </div>
      {act && (
        <div className="@max-[13rem]:col-span-full @max-[13rem]:[&>:is(a,button)]:w-full [&>:is(a,button)]:min-w-22 [&>:is(a,button)]:px-2.5 lg:[&>:is(a,button)]:min-h-9 lg:[&>:is(a,button)]:min-w-30">
          {act}
        </div>
      )}
    </article>
  )
}

/** Rows on one sheet of paper, under a quiet heading with their number. */
export function RowGroup({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="tabular mb-1.5 px-0.5 text-small font-semibold tracking-normal text-muted">
        {title} {count !== undefined && count}
      </h2>
      <div className="@container divide-y divide-line overflow-hidden rounded-box border border-line bg-surface">{children}</div>
    </section>
  )
}
