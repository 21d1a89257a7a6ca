import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { addLayer } from './layer.ts'

type Props = {
  title: string
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  /** False: only a button inside closes it, neither Escape nor a press outside. */
  dismissable?: boolean
  wide?: boolean
  role?: 'dialog' | 'alertdialog'
  className?: string
}

/** The browser's modal dialog, a bottom sheet on phones. Open while rendered. */
export function Dialog({ title: titleText, onClose, children, footer, dismissable = true, wide, role, className }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const titleId = useId()

  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const before = document.activeElement
    dialog.showModal()
    // The browser would focus the close button. Focusing the title lets it be read first, and a stray Enter presses nothing.
    if (!dialog.querySelector('[autofocus]')) title.current?.focus()
    const removeLayer = addLayer(dialog)
    return () => {
      removeLayer()
      dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  // In the body, since a menu that closes behind it would hide it too.
  return createPortal(
    <dialog
      ref={ref}
      role={role}
      aria-labelledby={titleId}
      aria-modal="true"
      onCancel={(event) => {
        event.preventDefault()
        if (dismissable) onClose()
      }}
      // Chromium closes a dialog at the second Escape whatever onCancel says.
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !dismissable) event.preventDefault()
      }}
      onClick={(event) => {
        if (dismissable && event.target === ref.current) onClose()
      }}
      className={classNames('sheet', wide && 'sheet-wide', className)}
    >
      <div className="flex shrink-0 items-center justify-between gap-2 border-b border-line py-2 pr-2 pl-5">
        <h2 ref={title} id={titleId} tabIndex={-1} className="min-w-0 py-2 text-title outline-none">
          {titleText}
        </h2>
        {dismissable && (
          <IconButton label="Close" onClick={onClose}>
            <X className="size-5" aria-hidden="true" />
          </IconButton>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-5">{children}</div>
      {footer && (
        <div className="flex shrink-0 flex-col gap-2 border-t border-line px-5 pt-3 pb-[max(1rem,env(safe-area-inset-bottom))] sm:flex-row-reverse sm:pb-4">
          {footer}
        </div>
      )}
    </dialog>,
    document.body,
  )
}
