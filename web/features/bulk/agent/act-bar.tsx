import type { ReactNode } from 'react'

/** What a page is for: above the thumb on a phone, beside the lines on a laptop. */
export function ActBar({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className="sticky bottom-[calc(60px+env(safe-area-inset-bottom))] z-2 -mx-4 mt-3 border-t border-line bg-paper px-4 pt-2 pb-2.5 sm:-mx-6 sm:px-6 md:bottom-0 lg:static lg:mx-0 lg:border-0 lg:p-0 short:static">
      {note && <div className="flex min-h-7.5 flex-wrap items-center justify-between gap-x-3 text-small text-muted">{note}</div>}
      {children}
    </div>
  )
}
