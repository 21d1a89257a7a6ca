import { classNames } from './class-names.ts'

/** Stands where something will be, in its shape. Say once beside it what is being loaded. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames('skeleton', className)} />
}

export function Loading({ label = 'Loading…', children }: { label?: string; children: React.ReactNode }) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      {children}
    </div>
  )
}
