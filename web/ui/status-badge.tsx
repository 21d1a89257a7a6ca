import { CircleCheck, CircleX, Clock } from 'lucide-react'
import { classNames } from './class-names.ts'

export type StatusTone = 'pending' | 'done' | 'danger' | 'neutral'

const ICONS = { pending: Clock, done: CircleCheck, danger: CircleX, neutral: null }

/** A status is always a word with an icon, never a colour alone. */
export function StatusBadge({ tone, children }: { tone: StatusTone; children: string }) {
  const Icon = ICONS[tone]
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-full py-0.5 pr-2.5 pl-2 text-small font-semibold whitespace-nowrap',
        tone === 'pending' && 'bg-pending-soft text-pending',
        tone === 'done' && 'bg-done-soft text-done',
        tone === 'danger' && 'bg-danger-soft text-danger',
        tone === 'neutral' && 'bg-sunken pl-2.5 text-muted',
      )}
    >
      {Icon && <Icon className="size-3.5" aria-hidden="true" />}
      {children}
    </span>
  )
}

const TONES: Record<string, StatusTone> = {
  pending: 'pending',
  completed: 'done',
  approved: 'done',
  available: 'done',
  Active: 'done',
  rejected: 'danger',
  declined: 'danger',
  'out of stock': 'danger',
  Banned: 'danger',
}

/** The tone of any status of the shop: of an order, a recharge, a product or a user. */
export function toneOfStatus(status: string): StatusTone {
  return TONES[status] ?? 'neutral'
}
