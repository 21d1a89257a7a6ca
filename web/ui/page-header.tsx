import { type ReactNode, useEffect } from 'react'

type Props = {
  title: string
  /** A quiet line above the title. */
  kicker?: ReactNode
  children?: ReactNode
  actions?: ReactNode
  /** The tabs above say it already, so only screen readers hear it. */
  unseen?: boolean
}

/** The one heading of a screen, which also names the browser's tab. */
export function PageHeader({ title, kicker, children, actions, unseen }: Props) {
  useEffect(() => {
    const brand = document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content
    document.title = `${title} · ${brand}`
  }, [title])
  if (unseen) return <h1 className="sr-only">{title}</h1>
  return (
    <header className="flex flex-col gap-1.5 pt-6 pb-5 sm:pt-10 sm:pb-6">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          {kicker && <p className="text-small text-muted">{kicker}</p>}
          <h1 className="text-[min(1.5625rem,13vw)] leading-[1.2] sm:text-hero">{title}</h1>
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children && <div className="max-w-prose text-body text-muted">{children}</div>}
    </header>
  )
}
