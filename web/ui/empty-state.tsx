import type { ReactNode } from 'react'

type Props = { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode }

/** Says what will appear here and how to get it. */
export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-box border border-dashed border-line px-6 py-12 text-center">
      {icon && (
        <div className="flex size-14 items-center justify-center rounded-full bg-brand-soft text-brand-text [&>svg]:size-7">{icon}</div>
      )}
      <p className="text-large font-semibold">{title}</p>
      {children && <div className="max-w-sm text-body text-muted">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}
