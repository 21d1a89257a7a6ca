import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'

type Props = {
  /** A line above the act: what it is about, and at its end another way to do it. */
  note?: ReactNode
  className?: string
  children: ReactNode
}

/** The one act of a page: above the thumb on a phone and over nothing at the page's end, beside the lines on a laptop. */
export function ThumbBar({ note, className, children }: Props) {
  return (
    <div
      className={classNames(
        'sticky bottom-[calc(60px+env(safe-area-inset-bottom))] z-20 -mx-4 mt-3 border-t border-line bg-paper px-4 pt-2 pb-2.5 sm:-mx-6 sm:px-6 md:bottom-0 lg:static lg:mx-0 lg:border-0 lg:p-0 short:static',
        className,
      )}
    >
      {note && <div className="flex min-h-7.5 flex-wrap items-center justify-between gap-x-3 text-small text-muted">{note}</div>}
      {children}
    </div>
  )
}
