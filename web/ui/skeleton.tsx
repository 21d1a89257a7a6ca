import { uiTexts } from '../texts/ui.ts'
import { classNames } from './class-names.ts'

/** A placeholder in the shape of what is loading. Label what is loading once beside it. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames('skeleton', className)} />
}

export function Loading({ label = uiTexts.loading, children }: { label?: string; children: React.ReactNode }) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      {children}
    </div>
  )
}
