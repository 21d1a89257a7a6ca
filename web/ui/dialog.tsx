import { X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { holdBack } from '../lib/dialog-history.ts'
import { messageTexts } from '../texts/messages.ts'
import { type Answer, Answers, type No } from './answers.tsx'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { confirmAction } from './confirm-action.ts'
import { addLayer } from './layer.ts'
import { useUnsaved } from './use-unsaved.ts'

type Props = {
  title: string
  /** A quiet word above the title, such as the screen's name, and a drawing before both. */
  kicker?: string
  mark?: ReactNode
  onClose: () => void
  children: ReactNode
  /** What the dialog is for: the button on the right. */
  yes?: Answer | undefined
  /** The button on its left, which leaves everything as it is: another word for it, or another press. False: there is none. */
  no?: string | No | false | undefined
  /** The word of the only button of a dialog that asks nothing. */
  done?: string | undefined
  /** False: only a button inside closes it, neither Escape nor Back nor a press outside. */
  dismissable?: boolean
  /** Whether closing would lose something typed, where the dialog knows better than its fields; it asks first. A question never asks. */
  unsaved?: boolean | undefined
  wide?: boolean
  role?: 'dialog' | 'alertdialog'
  className?: string
}

/** The browser's modal dialog, a bottom sheet on phones. Open while rendered. */
export function Dialog({
  title: titleText,
  kicker,
  mark,
  onClose,
  children,
  yes,
  no,
  done,
  dismissable = true,
  unsaved,
  wide,
  role,
  className,
}: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  const isUnsaved = useUnsaved(ref, role === 'alertdialog' ? false : unsaved)
  const leave = () => {
    if (!isUnsaved()) return onClose()
    const { leave: question, unsaved: title } = messageTexts
    void confirmAction({ question, title, danger: true }).then((yes) => {
      if (yes) onClose()
    })
  }
  const dismiss = useEffectEvent(() => {
    if (dismissable) leave()
  })

  useEffect(() => holdBack(() => dismiss()), [])
  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const before = document.activeElement
    dialog.showModal()
    // The browser would focus the close button. Focusing the title lets it be read first, and a stray Enter presses nothing.
    // React has focused a field with `autoFocus` too early: before the dialog was shown.
    const first = dialog.querySelector<HTMLElement>('[data-autofocus]') ?? title.current
    first?.focus()
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
        if (dismissable) leave()
      }}
      // Chromium closes a dialog at the second Escape whatever onCancel says.
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !dismissable) event.preventDefault()
      }}
      onClick={(event) => {
        if (dismissable && event.target === ref.current) leave()
      }}
      className={classNames('sheet', wide && 'sheet-wide', className)}
    >
      <div className="flex shrink-0 items-center gap-3 pt-2 pr-2 pb-1 pl-4 sm:pt-3 sm:pr-3 sm:pl-6">
        {mark}
        <h2 ref={title} id={titleId} tabIndex={-1} className="min-w-0 flex-1 py-2 text-large outline-none">
          {kicker && <span className="block text-small font-normal tracking-normal text-muted">{kicker} </span>}
          {titleText}
        </h2>
        {dismissable && (
          <IconButton label={messageTexts.close} onClick={leave}>
            <X className="size-5" aria-hidden="true" />
          </IconButton>
        )}
      </div>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain px-4 pt-1 pb-4 sm:px-6">{children}</div>
      {yes ? (
        <Answers className={FOOTER} yes={yes} no={typeof no === 'string' ? { onClick: leave, children: no } : (no ?? { onClick: leave })} />
      ) : (
        done && <Answers className={FOOTER} yes={{ onClick: onClose, children: done }} no={false} />
      )}
    </dialog>,
    document.body,
  )
}

const FOOTER = 'shrink-0 border-t border-line px-4 pt-3 pb-[max(1rem,env(safe-area-inset-bottom))] sm:px-6 sm:pb-6'
