import { classNames } from './class-names.ts'

type Props = {
  /** An order's status, in the spec's word. */
  status: 'pending' | 'completed' | 'rejected'
  /** A pending order that the network has. */
  sent?: boolean
  /** Said after the status, such as "refunded" once that is true. */
  note?: string | undefined
}

/** Three punches for paid, sent and delivered, always with the status as a word. */
export function StatusPunches({ status, sent, note }: Props) {
  const done = status === 'completed' ? 3 : status === 'rejected' ? 0 : sent ? 2 : 1
  return (
    <span
      className={classNames(
        'inline-flex flex-wrap items-center gap-x-1.5 text-small font-semibold',
        status === 'completed' ? 'text-done' : status === 'rejected' ? 'text-danger' : 'text-pending',
      )}
    >
      <span aria-hidden="true" className="flex gap-0.75">
        {[1, 2, 3].map((at) => (
          <span
            key={at}
            className={classNames(
              'size-2.5 rounded-full border-2',
              at <= done ? 'border-brand-text bg-brand-text' : status === 'rejected' ? 'border-danger' : 'border-line-strong',
            )}
          />
        ))}
      </span>
      <span>{note ? `${status} ·` : status}</span>
      {note && <span>{note}</span>}
    </span>
  )
}
