import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageTexts } from '../texts/messages.ts'
import { classNames } from './class-names.ts'

type Tone = 'info' | 'pending' | 'done' | 'danger'
const ICONS = { info: Info, pending: TriangleAlert, done: CircleCheck, danger: CircleAlert }

/** A message that stays on the page, unlike a toast. */
export function NoticeBox({
  tone = 'info',
  title,
  children,
  action,
  className,
}: {
  tone?: Tone
  title?: string
  children?: ReactNode
  action?: ReactNode
  className?: string
}) {
  const Icon = ICONS[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={classNames(
        'flex flex-wrap items-start gap-x-3 gap-y-2 rounded-box px-4 py-3 text-body',
        tone === 'info' && 'bg-sunken text-ink',
        tone === 'pending' && 'bg-pending-soft text-pending',
        tone === 'done' && 'bg-done-soft text-done',
        tone === 'danger' && 'bg-danger-soft text-danger',
        className,
      )}
    >
      <Icon className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-48">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
      {action}
    </div>
  )
}

/** Says what could not be loaded, with a button to try again. */
export function LoadError({ what, onRetry, error }: { what: string; onRetry: () => void; error?: Error | null }) {
  return (
    <NoticeBox
      tone="danger"
      title={messageTexts.couldNotLoad(what)}
      action={
        <button type="button" onClick={onRetry} className="ml-8 min-h-11 rounded-box font-semibold underline underline-offset-4">
          {messageTexts.tryAgain}
        </button>
      }
    >
      <p>{error?.message ?? messageTexts.checkConnection}</p>
    </NoticeBox>
  )
}
