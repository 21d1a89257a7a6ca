import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { messageTexts } from '../texts/messages.ts'
import { classNames } from './class-names.ts'
import { useTopLayer } from './layer.ts'
import { dismissToast, type Toast, toasts } from './toast.ts'

const TOAST_MS = 3000
/** When each toast closes, counted from when it was first shown, even if it moves above a dialog meanwhile. */
const endsAt = new Map<number, number>()

/** At the top centre, above an open dialog too. */
export function Toaster() {
  const shown = toasts.use()
  const layer = useTopLayer()
  if (shown.length === 0) return null
  const list = (
    <div className="no-print pointer-events-none fixed inset-x-0 top-0 z-50 flex flex-col items-center gap-2 px-4 pt-[max(0.75rem,env(safe-area-inset-top))]">
      {shown.map((one) => (
        <ToastBox key={one.id} {...one} />
      ))}
    </div>
  )
  return createPortal(list, layer ?? document.body)
}

const ICONS = { success: CircleCheck, danger: CircleAlert, info: Info }

function ToastBox({ id, tone, message }: Toast) {
  const Icon = ICONS[tone]
  useEffect(() => {
    const end = endsAt.get(id) ?? Date.now() + TOAST_MS
    endsAt.set(id, end)
    const timer = setTimeout(() => {
      endsAt.delete(id)
      dismissToast(id)
    }, end - Date.now())
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      data-tone={tone}
      className={classNames(
        'toast-in pointer-events-auto flex w-full max-w-md items-start gap-3 rounded-box border bg-surface py-2 pr-1 pl-4 text-ink [box-shadow:var(--lift)]',
        tone === 'success' && 'border-done',
        tone === 'danger' && 'border-danger',
        tone === 'info' && 'border-line-strong',
      )}
    >
      <Icon
        aria-hidden="true"
        className={classNames(
          'mt-2.5 size-5 shrink-0',
          tone === 'success' && 'text-done',
          tone === 'danger' && 'text-danger',
          tone === 'info' && 'text-muted',
        )}
      />
      <div className="min-w-0 flex-1 py-1.5">
        <p className="text-small font-semibold text-muted">{messageTexts.notification}</p>
        <p className={classNames('text-body font-medium', tone === 'danger' && 'text-danger')}>{message}</p>
      </div>
      <button
        type="button"
        aria-label={messageTexts.dismiss}
        onClick={() => dismissToast(id)}
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted hover:text-ink"
      >
        <X className="size-4" aria-hidden="true" />
      </button>
    </div>
  )
}
