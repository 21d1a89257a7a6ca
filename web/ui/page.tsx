import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Props = { width?: 'form' | 'reading' | 'wide' | 'full'; className?: string; children: ReactNode }

/** The column that a screen stands in: narrow for forms, full for tables. */
export function Page({ width = 'wide', className, children }: Props) {
  return (
    <div
      className={classNames(
        'mx-auto w-full px-4 pb-16 sm:px-6',
        width === 'form' && 'max-w-md',
        width === 'reading' && 'max-w-[45rem]',
        width === 'wide' && 'max-w-7xl',
        width === 'full' && 'max-w-[100rem]',
        className,
      )}
    >
      {children}
    </div>
  )
}

/** A sheet of paper on the page. */
export function Card({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={classNames('rounded-box border border-line bg-surface [--on:var(--surface)]', className)}>{children}</div>
}
