import { type ReactNode, useEffect, useRef } from 'react'

type Props = { title: string; children?: ReactNode; actions?: ReactNode; brandName?: string }

/** The one heading of a screen, which also names the browser's tab. */
export function PageHeader({ title, children, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const before = document.title
    const brand = before.split(' · ').at(-1)
    document.title = `${title} · ${brand}`
    return () => {
      document.title = before
    }
  }, [title])
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pt-6 pb-5 sm:pt-10 sm:pb-6">
      <div className="min-w-0">
        <h1 ref={heading} className="text-display sm:text-hero">
          {title}
        </h1>
        {children && <div className="mt-1.5 max-w-prose text-body text-muted">{children}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}
