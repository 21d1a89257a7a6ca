import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { type PointerEvent, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { messageTexts } from '../texts/messages.ts'
import { classNames } from './class-names.ts'
import { useTopLayer } from './layer.ts'
import { dismissToast, type Toast, toasts } from './toast.ts'

const TOAST_MS = 3000
/** When each toast closes, counted from when it was first shown, even if it moves above a dialog meanwhile. */
const endsAt = new Map<number, number>()

const PHONE = '(max-width: 40rem)'
const SWIPE_PX = 32

/** On a phone the bar holds the balance; elsewhere, and above a dialog, the middle of the top is free. */
function barBottom(): number {
  const bar = matchMedia(PHONE).matches && document.querySelector('header.sticky')
  return bar ? Math.max(0, bar.getBoundingClientRect().bottom) : 0
}

/** At the top centre, above an open dialog too. On a phone one at a time, below the bar. */
export function Toaster() {
  const shown = toasts.use()
  const layer = useTopLayer()
  if (shown.length === 0) return null
  const list = (
    <div
      style={{ top: layer ? 0 : barBottom() }}
      className="no-print pointer-events-none fixed inset-x-0 z-50 flex flex-col items-center gap-2 px-2 pt-[max(0.5rem,env(safe-area-inset-top))] sm:px-4"
    >
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
  const from = useRef<{ x: number; y: number } | null>(null)
  const swipe = ({ clientX, clientY }: PointerEvent) => {
    const start = from.current
    if (start && (Math.abs(clientX - start.x) > SWIPE_PX || start.y - clientY > SWIPE_PX)) dismissToast(id)
  }
  return (
    <div
      onPointerDown={({ clientX, clientY }) => {
        from.current = { x: clientX, y: clientY }
      }}
      onPointerMove={swipe}
      onPointerUp={() => {
        from.current = null
      }}
      role={tone === 'danger' ? 'alert' : 'status'}
      data-tone={tone}
      className={classNames(
        'toast-in pointer-events-auto flex w-full max-w-md touch-none items-start gap-3 rounded-box border bg-surface py-0.5 pr-1 pl-3 text-ink max-sm:not-last:hidden sm:py-2 sm:pl-4 [box-shadow:var(--lift)]',
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
      <div className="min-w-0 flex-1 py-1 sm:py-1.5">
        <p className="text-small leading-none font-semibold text-muted sm:leading-normal">{messageTexts.notification}</p>
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
