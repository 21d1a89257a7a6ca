import type { ReactNode } from 'react'
import { checkoutTexts } from '../../../texts/checkout.ts'
import { Dialog } from '../../../ui/dialog.tsx'

type Props = { title: string; heading: string; onClose: () => void; children: ReactNode }

/** The sheet that says that something was bought. */
export function PlacedFrame({ title, heading, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose} className="sheet-field field">
      <div className="mx-auto flex max-w-sm flex-col gap-4 pb-2 pt-7 text-center max-sm:pt-[max(8dvh,3rem)]">
        <div ref={takeFocus} tabIndex={-1} className="outline-none">
          <p className="text-body text-muted">{checkoutTexts.made}</p>
          <p className="text-display font-bold text-balance">{heading}</p>
        </div>
        {children}
      </div>
    </Dialog>
  )
}

/** Moves the focus here, because the pressed button is gone and keyboard users would lose their place. */
const takeFocus = (element: HTMLElement | null) => element?.focus()
