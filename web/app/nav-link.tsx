import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { toggleTheme, useIsDark } from '../lib/theme.ts'
import { appTexts } from '../texts/app.ts'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'

type BarProps = {
  href: string
  /** Further addresses at which the link is shown as the current one, with all below them. */
  also?: readonly string[]
  children: ReactNode
}

export function BarLink({ href, also, children }: BarProps) {
  const active = useIsActive(href, also)
  return (
    <Link
      href={href}
      aria-current={active ? 'page' : undefined}
      className={classNames(
        'inline-flex min-h-11 items-center gap-2 border-y-3 border-transparent px-3 font-semibold whitespace-nowrap transition-colors hover:text-brand-text lg:px-3.5',
        active && 'border-b-current! text-brand-text',
      )}
    >
      {children}
    </Link>
  )
}

type BottomProps = BarProps & { icon: ReactNode; badge?: ReactNode }

export function BottomLink({ href, also, icon, badge, children }: BottomProps) {
  const active = useIsActive(href, also)
  return (
    <li className="flex-auto text-small">
      <Link
        href={href}
        aria-current={active ? 'page' : undefined}
        className={classNames(
          'relative flex h-full flex-col items-center justify-center gap-0.75 px-0.5 pt-2.25 pb-2 text-center text-[min(1em,5vw)] leading-[1.3] font-semibold [&_svg]:size-5.5 short:flex-row short:gap-2 short:py-1',
          active && 'before:absolute before:-top-px before:w-10 before:border-t-3',
          active ? 'text-brand-text' : 'text-muted',
        )}
      >
        <span className="relative">
          {icon}
          {badge}
        </span>
        {children}
      </Link>
    </li>
  )
}

function useIsActive(href: string, also: readonly string[] = [href]): boolean {
  const [path] = useLocation()
  return path === href || also.some((place) => path === place || path.startsWith(`${place}/`))
}

/** Names the look that pressing it leads to. */
export function ThemeButton({ className }: { className: string }) {
  const dark = useIsDark()
  return (
    <button type="button" onClick={toggleTheme} className={className}>
      <Icon name={dark ? 'sun' : 'moon'} />
      {dark ? appTexts.lightMode : appTexts.darkMode}
    </button>
  )
}
