import type { ReactNode } from 'react'
import { PageHeader } from '../../../../ui/page-header.tsx'

/** The heading of a bulk screen, with a link at its end. */
export function BulkHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex min-h-13.5 flex-wrap items-center justify-between gap-x-3 pt-2.5 lg:min-h-16.5 lg:pt-3.5">
      <PageHeader unseen title={title} />
      <p aria-hidden="true" className="text-display font-bold tracking-tight">
        {title}
      </p>
      {children}
    </div>
  )
}
