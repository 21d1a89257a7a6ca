import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'

type Props = {
  /** What the act is about: "Next: top-ups". */
  note?: ReactNode
  /** A quiet line below it, beside it at a laptop: "10 match for certain". */
  detail?: ReactNode
  label?: string
  className?: string
  /** Buttons, the next act last and solid. */
  children?: ReactNode
}

/** The one bar at the foot of a page, above the thumb: the next act, always in the same place. */
export function ActBar({ note, detail, label = 'Next', className, children }: Props) {
  return (
    <section
      data-act-bar
      aria-label={label}
      className={classNames(
        'no-print fixed inset-x-0 bottom-[calc(var(--dock)+env(safe-area-inset-bottom))] z-20 flex min-h-18 flex-wrap items-center gap-2 border-t border-line bg-surface px-4 py-3 [--on:var(--surface)] [box-shadow:0_-8px_24px_-16px_rgb(0_0_0/0.25)]',
        'lg:left-(--rail) lg:min-h-15 lg:px-6 lg:py-2.5 [&_:is(a,button)]:min-h-12 max-lg:[&_:is(a,button)]:text-[min(0.9375rem,7vw)] lg:[&_:is(a,button)]:min-h-10',
        className,
      )}
    >
      {/* Where the buttons leave it hardly a word's width, it is left out rather than cut. */}
      <div className="@container min-w-0 flex-1 leading-tight *:@max-[4rem]:hidden lg:flex lg:items-baseline lg:gap-2.5">
        {note && <p className="font-semibold break-words lg:line-clamp-1">{note}</p>}
        {detail && <p className="text-small break-words text-muted lg:truncate">{detail}</p>}
      </div>
      {children}
    </section>
  )
}
