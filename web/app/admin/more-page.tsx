import { ChevronRight, Info, LogOut, Store, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { signOut } from '../../features/auth/api.ts'
import { roleNames } from '../../features/staff/admin/role-words.ts'
import { session } from '../../lib/session.ts'
import { useScreenTitle } from '../../ui/admin/screen-title.ts'
import { ThemeButton } from '../nav-link.tsx'
import type { Screen } from './screen.ts'

/** What has no place in the bar of a phone. */
export function MorePage({ screens }: { screens: readonly Screen[] }) {
  const user = session.use()
  useScreenTitle({ title: 'More', subtitle: user && `${user.username}, ${roleNames(user)}` })
  const at = (place: Screen['place']) => screens.filter((screen) => screen.place === place)
  return (
    <div className="flex max-w-[45rem] flex-col gap-4">
      {at('day').length > 0 && <Menu label="The day">{at('day').map(entry)}</Menu>}
      {at('rail').length > 0 && <Menu label="Behind the counter">{at('rail').map(entry)}</Menu>}
      {at('more').length > 0 && <Menu label="The record">{at('more').map(entry)}</Menu>}
      <Menu label="You and the shop">
        <MenuLink href="/user/account" icon={<UserRound aria-hidden="true" />}>
          My account
        </MenuLink>
        <MenuLink href="/info" icon={<Info aria-hidden="true" />}>
          Info
        </MenuLink>
        <MenuLink href="/store" icon={<Store aria-hidden="true" />}>
          Store
        </MenuLink>
        <li>
          <ThemeButton className={ENTRY} />
        </li>
        <li>
          <button type="button" onClick={() => void signOut()} className={ENTRY}>
            <LogOut aria-hidden="true" />
            Logout
          </button>
        </li>
      </Menu>
    </div>
  )
}

function entry({ href, label, icon, Mark }: Screen) {
  return (
    <MenuLink key={href} href={href} icon={icon}>
      {label}
      {Mark && <Mark />}
    </MenuLink>
  )
}

function Menu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="overflow-hidden rounded-box border border-line bg-surface">
      <ul className="divide-y divide-line">{children}</ul>
    </nav>
  )
}

const ENTRY = 'flex min-h-13 w-full items-center gap-3 px-4 text-left font-medium hover:bg-sunken [&>svg]:size-5 [&>svg]:shrink-0'

function MenuLink({ href, icon, children }: { href: string; icon: ReactNode; children: ReactNode }) {
  return (
    <li>
      <Link href={href} className={ENTRY}>
        {icon}
        {children}
        <ChevronRight className="ml-auto text-muted" aria-hidden="true" />
      </Link>
    </li>
  )
}
