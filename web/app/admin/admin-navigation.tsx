import { LogOut, Store } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { signOut } from '../../features/people/auth/api.ts'
import { roleNames } from '../../features/people/staff/admin/role-words.ts'
import { useShop } from '../../features/shop/shop/api.ts'
import { session } from '../../lib/session.ts'
import { useMediaQuery } from '../../lib/use-media-query.ts'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Money } from '../../ui/money.tsx'
import { SignMark } from '../../ui/sign-mark.tsx'
import type { Screen } from './screen.ts'
import { MORE, useScreens } from './screens.tsx'

const ORDERS = { href: '/admin/orders' }

/** From this width on the rail stands at the left; below it the bar stands at the foot. */
export const LAPTOP = '(min-width: 64rem)'

export function AdminNavigation({ current }: { current: Screen }) {
  const laptop = useMediaQuery(LAPTOP)
  return laptop ? <Rail current={current} /> : <Dock current={current} />
}

/** A phone's places. What stands under More counts as More. */
function Dock({ current }: { current: Screen }) {
  const screens = useScreens()
  const places = [...screens.filter(({ place }) => place === 'bar'), MORE]
  const open = current.place === 'below' ? ORDERS : current.place === 'bar' ? current : MORE
  return (
    <nav
      aria-label="Admin Portal"
      className="no-print fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="flex h-(--dock)">
        {places.map(({ href, label, icon, Mark }) => {
          const active = href === open.href
          return (
            <li key={href} className="flex-auto">
              <Link
                href={href}
                aria-current={active ? 'page' : undefined}
                className={classNames(
                  // As wide as its word, and no larger than six words stand side by side.
                  'relative flex h-full flex-col items-center justify-center gap-0.75 text-[min(0.75rem,4vw)] leading-none font-semibold [&>svg]:size-5 [&>svg]:shrink-0 short:[&>svg]:hidden',
                  active
                    ? 'text-brand-text before:absolute before:top-0 before:h-0.75 before:w-10 before:rounded-b-[3px] before:bg-brand'
                    : 'text-muted',
                )}
              >
                {icon}
                <span className="leading-[1.3]">{label}</span>
                {Mark && (
                  <span className="absolute top-1.5 left-[calc(50%+4px)]">
                    <Mark />
                  </span>
                )}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** A laptop's rail: the day first, the rest behind the counter. */
function Rail({ current }: { current: Screen }) {
  const shop = useShop()
  const user = session.use()
  const screens = useScreens()
  const open = current.place === 'below' ? ORDERS : current.place === 'more' ? MORE : current
  const link = ({ href, label, icon, letter, Mark }: Screen) => (
    <RailLink key={href} href={href} active={href === open.href} icon={icon} label={label}>
      <span className="absolute top-0 right-0 flex items-center gap-2 roomy:static roomy:ml-auto">
        {Mark && <Mark />}
        {letter && (
          <span aria-hidden="true" className="hidden font-sans text-[0.75rem] text-muted in-aria-[current]:text-current roomy:inline">
            G {letter.toUpperCase()}
          </span>
        )}
      </span>
    </RailLink>
  )
  return (
    <div className="field no-print z-26 row-span-2 px-2 roomy:px-3">
      <div className="sticky top-0 flex h-screen flex-col">
        <nav aria-label="Admin Portal" className="flex min-h-0 flex-1 flex-col gap-0.5 overflow-y-auto pt-3 pb-4 [scrollbar-width:thin]">
          <Link
            href="/admin"
            className="mb-2 flex min-h-11 items-center justify-center gap-2.5 px-1 text-large font-bold roomy:justify-start roomy:px-2"
          >
            {shop.logo ? <img src={shop.logo} alt="" className="size-7.5 shrink-0" /> : <SignMark className="size-7.5 shrink-0" />}
            <span className="sr-only truncate roomy:not-sr-only">{shop.name}</span>
          </Link>
          {screens.filter(({ place }) => place === 'bar' || place === 'day').map(link)}
          <p className="mt-2 border-t border-line pt-2 roomy:mt-0 roomy:border-0 roomy:px-2 roomy:pt-4 roomy:pb-1">
            <span className="sr-only text-[0.75rem] font-semibold text-muted roomy:not-sr-only">Behind the counter</span>
          </p>
          {screens.filter(({ place }) => place === 'rail').map(link)}
          <RailLink href="/store" active={false} icon={<Store aria-hidden="true" />} label="Store" />
          {link(MORE)}
        </nav>
        {user && (
          <div className="flex shrink-0 flex-col items-center gap-2.5 justify-center bg-field px-1 pt-2 pb-4 roomy:flex-row roomy:justify-start roomy:px-2 leading-tight">
            <span
              aria-hidden="true"
              className="grid size-8 shrink-0 place-items-center rounded-full bg-(--on-field) text-small font-bold text-(--field)"
            >
              {initialsOf(user.username)}
            </span>
            <span className="hidden min-w-0 flex-1 roomy:block">
              <span className="block truncate font-semibold">{user.username}</span>
              <span className="block text-small text-muted">
                {user.userLevel}, {roleNames(user)}
              </span>
              <span className="block text-small text-muted">
                <span className="sr-only">Wallet balance </span>
                <Money cedis={user.balance} />
              </span>
            </span>
            <IconButton label="Logout" onClick={() => void signOut()}>
              <LogOut className="size-4.5" aria-hidden="true" />
            </IconButton>
          </div>
        )}
      </div>
    </div>
  )
}

type RailLinkProps = { href: string; active: boolean; icon: ReactNode; label: string; children?: ReactNode }

/** On a narrow laptop only the icon is seen, and the label is its title. */
function RailLink({ href, active, icon, label, children }: RailLinkProps) {
  return (
    <Link
      href={href}
      title={label}
      aria-current={active ? 'page' : undefined}
      className={classNames(
        'relative flex min-h-10 shrink-0 items-center justify-center gap-2.5 rounded-[8px] px-2 roomy:min-h-9 roomy:justify-start [&>svg]:size-4.5 [&>svg]:shrink-0',
        active ? 'bg-brand font-bold text-on-brand' : 'font-medium hover:bg-sunken [&>svg]:text-muted',
      )}
    >
      {icon}
      <span className="sr-only truncate roomy:not-sr-only">{label}</span>
      {children}
    </Link>
  )
}

function initialsOf(name: string): string {
  const words = name.trim().split(/[\s._-]+/)
  const letters = words.length > 1 ? `${words[0]?.[0] ?? ''}${words.at(-1)?.[0] ?? ''}` : name.trim().slice(0, 2)
  return letters.toUpperCase()
}
