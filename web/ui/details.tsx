import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** Names and values in lines, as on a receipt. */
export function Details({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={classNames('flex flex-col gap-2 text-body', className)}>{children}</dl>
}

export function Detail({ name, strong, children }: { name: string; strong?: boolean; children: ReactNode }) {
  return (
    <div className={classNames('flex flex-wrap items-baseline justify-between gap-x-4', strong && 'border-t border-line pt-2 text-large')}>
      <dt className={strong ? 'font-semibold' : 'text-muted'}>{name}</dt>
      <dd className="ml-auto min-w-0 text-right font-medium break-words">{children}</dd>
    </div>
  )
}
