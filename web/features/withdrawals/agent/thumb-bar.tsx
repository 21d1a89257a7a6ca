import type { ReactNode } from 'react'

/** The one act of a page, above the thumb on a phone and over nothing at the page's end; a laptop has it beside the lines. */
export function ThumbBar({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-[calc(3.875rem+env(safe-area-inset-bottom))] z-20 -mx-4 border-t border-line bg-paper px-4 pt-2 pb-2.5 sm:-mx-6 sm:px-6 md:bottom-0 lg:hidden">
      {children}
    </div>
  )
}
