import { classNames } from '../class-names.ts'

export type HourBar = { label: string; orders: number; when: 'past' | 'now' | 'next' }

type Props = {
  hours: readonly HourBar[]
  opens: string
  closes: string
  /** Between the two times: "5:12pm · 223 orders". */
  note: string
  className?: string
  /** Lower bars and smaller figures, for the header. */
  small?: boolean
}

const TALLEST = 100
/** So that an hour with one order is seen. */
const LOWEST = 7

/** The day from opening to closing, a bar an hour. */
export function DayLine({ hours, opens, closes, note, className, small }: Props) {
  const most = Math.max(1, ...hours.map(({ orders }) => orders))
  return (
    <div role="img" aria-label={`Orders by hour. ${note}`} className={classNames('flex flex-col', small ? 'gap-0.5' : 'gap-1', className)}>
      <div className={classNames('flex items-end', small ? 'h-6 gap-0.5' : 'h-11 gap-0.75')}>
        {hours.map(({ label, orders, when }) => (
          <span
            key={label}
            title={`${label}: ${orders} ${orders === 1 ? 'order' : 'orders'}`}
            className={classNames(
              'min-h-0.75 flex-1 rounded-t-[2px]',
              when === 'now' ? 'bg-(--now,var(--pending-mark))' : when === 'next' ? 'bg-line' : 'bg-brand',
            )}
            style={{ height: `${orders === 0 ? 0 : Math.max(LOWEST, Math.round((orders / most) * TALLEST))}%` }}
          />
        ))}
      </div>
      <div
        className={classNames('tabular flex flex-wrap justify-between gap-x-2 text-muted', small ? 'text-[0.6875rem]' : 'text-[0.75rem]')}
      >
        <span>{opens}</span>
        <span>{note}</span>
        <span>{closes}</span>
      </div>
    </div>
  )
}
