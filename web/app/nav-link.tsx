import { Moon, Sun } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { toggleTheme, useIsDark } from '../lib/theme.ts'
import { classNames } from '../ui/class-names.ts'

export function BarLink({ href, under = href, children }: { href: string; under?: string; children: ReactNode }) {
  const [path] = useLocation()
  const active = path === href || path.startsWith(`${under}/`) || path === under
  return (
    <Link
      href={href}
      aria-current={active ? 'page' : undefined}
      className={classNames(
        'inline-flex min-h-11 items-center gap-2 rounded-box px-3 font-semibold whitespace-nowrap transition-colors',
        active ? 'bg-brand-soft text-brand-text' : 'text-ink hover:bg-sunken',
      )}
    >
      {children}
    </Link>
  )
}

export function BottomLink({
  href,
  under = href,
  icon,
  badge,
  children,
}: {
  href: string
  under?: string
  icon: ReactNode
  badge?: ReactNode
  children: ReactNode
}) {
  const [path] = useLocation()
  const active = path === href || path.startsWith(`${under}/`) || path === under
  return (
    <li className="flex-auto">
      <Link
        href={href}
        aria-current={active ? 'page' : undefined}
        className={classNames(
          'flex h-16 flex-col items-center justify-center gap-1 text-small font-semibold [&_svg]:size-6',
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

export function ThemeButton() {
  const dark = useIsDark()
  const Icon = dark ? Sun : Moon
  const label = dark ? 'Light mode' : 'Dark mode'
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={toggleTheme}
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted hover:bg-sunken hover:text-ink"
    >
      <Icon className="size-5" aria-hidden="true" />
    </button>
  )
}
