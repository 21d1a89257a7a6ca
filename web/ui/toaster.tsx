import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { type PointerEvent, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'wouter'
import { messageTexts } from '../texts/messages.ts'
import { classNames } from './class-names.ts'
import { useTopLayer } from './layer.ts'
import { dismissToast, type Toast, toasts } from './toast.ts'

const TOAST_MS = 3000
/** When each toast closes, counted from when it was first shown, even if it moves above a dialog meanwhile. */
const endsAt = new Map<number, number>()

const PHONE = '(max-width: 40rem)'
const SWIPE_PX = 32
/** What of the bar stays in sight beside a toast. */
const STAYS = '[data-above-toasts]'
const CLOSE_PX = 44

/** On a phone, the bar that stays at the top while the page moves. */
function phoneBar(): HTMLElement | null {
  const bar = matchMedia(PHONE).matches ? document.querySelector<HTMLElement>('header.sticky') : null
  return bar && getComputedStyle(bar).position !== 'static' ? bar : null
}

/**
 * At the top centre, above an open dialog too. On a phone one at a time, over the bar, where it covers neither the headline below nor the
 * balance beside it, which may just have changed.
 */
export function Toaster() {
  const shown = toasts.use()
  const layer = useTopLayer()
  const [, lookAgain] = useReducer((times: number) => times + 1, 0)
  useLocation()
  const bar = shown.length > 0 && !layer ? phoneBar() : null
  // The screen that comes may have another bar, or none.
  useLayoutEffect(() => {
    if (bar && !bar.isConnected) lookAgain()
  })
  if (shown.length === 0) return null
  const list = (
    <div
      className={classNames(
        'no-print pointer-events-none inset-x-0 top-0 flex flex-col items-center gap-2 px-2',
        bar ? 'absolute pt-1' : 'fixed z-50 pt-[max(0.5rem,env(safe-area-inset-top))] sm:px-4',
      )}
    >
      {shown.map((one) => (
        <ToastBox key={one.id} bar={bar} {...one} />
      ))}
    </div>
  )
  return createPortal(list, layer ?? bar ?? document.body)
}

/** How wide the part of the bar is that stays in sight, up to its end. It grows with the balance. */
function useRoomBeside(bar: HTMLElement | null): number {
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    const stays = bar?.querySelector(STAYS)
    if (!bar || !stays) {
      setRoom(0)
      return
    }
    const measure = () => setRoom(bar.getBoundingClientRect().right - stays.getBoundingClientRect().left)
    measure()
    if (typeof ResizeObserver === 'undefined') return
    const watch = new ResizeObserver(measure)
    watch.observe(stays)
    return () => watch.disconnect()
  }, [bar])
  return room
}

const ICONS = { success: CircleCheck, danger: CircleAlert, info: Info }

function ToastBox({ id, tone, message, bar }: Toast & { bar: HTMLElement | null }) {
  const Icon = ICONS[tone]
  const room = useRoomBeside(bar)
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
  const icon = (
    <Icon
      aria-hidden="true"
      className={classNames(
        'shrink-0',
        bar ? 'size-4' : 'mt-2.5 size-5',
        tone === 'success' && 'text-done',
        tone === 'danger' && 'text-danger',
        tone === 'info' && 'text-muted',
      )}
    />
  )
  const close = (
    <button
      type="button"
      aria-label={messageTexts.dismiss}
      onClick={() => dismissToast(id)}
      className={classNames(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted hover:text-ink',
        bar && 'absolute top-0 right-0',
      )}
    >
      <X className="size-4" aria-hidden="true" />
    </button>
  )
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
        'toast-in pointer-events-auto w-full max-w-md touch-none rounded-box border bg-surface text-ink max-sm:not-last:hidden [box-shadow:var(--lift)]',
        bar ? 'relative min-h-12 py-1 pl-3' : 'flex items-start gap-3 py-0.5 pr-1 pl-3 sm:py-2 sm:pl-4',
        tone === 'success' && 'border-done',
        tone === 'danger' && 'border-danger',
        tone === 'info' && 'border-line-strong',
      )}
    >
      {/* What is long goes on below the balance, in the whole width. */}
      {bar ? <span className="float-right h-11" style={{ width: Math.max(CLOSE_PX, room) }} /> : icon}
      <div className={bar ? undefined : 'min-w-0 flex-1 py-1 sm:py-1.5'}>
        <p
          className={classNames(
            'text-small leading-none font-semibold text-muted',
            bar ? 'flex items-center gap-1.5' : 'sm:leading-normal',
          )}
        >
          {bar && icon}
          {messageTexts.notification}
        </p>
        <p className={classNames('text-body font-medium', bar && 'leading-tight', tone === 'danger' && 'text-danger')}>{message}</p>
      </div>
      {close}
    </div>
  )
}
