import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { classNames } from './class-names.ts'

/** `mark` is shown beside a tab that is not open, such as a count. */
export type Tab = { href: string; label: string; icon?: ReactNode; mark?: ReactNode }

/** Screens side by side, each with an address of its own. */
export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  const strip = useRef<HTMLElement>(null)
  // On a phone the tabs are wider than the screen, and the one that is open must be seen.
  useEffect(() => {
    const nav = strip.current
    const open = nav?.querySelector<HTMLElement>(`a[href="${CSS.escape(current)}"]`)
    if (nav && open) nav.scrollLeft = open.offsetLeft - nav.offsetLeft - (nav.clientWidth - open.offsetWidth) / 2
  }, [current])
  return (
    <nav ref={strip} aria-label={label} className="-mx-4 overflow-x-auto px-4 [scrollbar-width:none] sm:mx-0 sm:px-0">
      <ul className="flex min-w-max gap-1 border-b border-line">
        {tabs.map((tab) => {
          const active = tab.href === current
          return (
            <li key={tab.href}>
              <Link
                href={tab.href}
                aria-current={active ? 'page' : undefined}
                className={classNames(
                  '-mb-px inline-flex min-h-12 items-center gap-2 border-b-2 px-4 text-body font-semibold whitespace-nowrap transition-colors [&>svg]:size-[1.15em]',
                  active ? 'border-brand-text text-brand-text' : 'border-transparent text-muted hover:text-ink',
                )}
              >
                {tab.icon}
                {tab.label}
                {tab.mark}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
