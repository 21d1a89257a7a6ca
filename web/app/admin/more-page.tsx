import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Clock, Info, LogOut, Store, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { countWaiting, inboxQuery } from '../../features/office/inbox/admin/api.ts'
import { ShopDay } from '../../features/office/inbox/admin/day-figures.tsx'
import { signOut } from '../../features/people/auth/api.ts'
import { roleNames } from '../../features/people/staff/admin/role-words.ts'
import { session } from '../../lib/session.ts'
import { useNow } from '../../lib/use-now.ts'
import { StateChip } from '../../ui/admin/card.tsx'
import { useScreenTitle } from '../../ui/admin/screen-title.ts'
import { moneyText } from '../../ui/money.tsx'
import { ThemeButton } from '../nav-link.tsx'
import type { Screen } from './screen.ts'

/** What has no place in the bar of a phone. */
export function MorePage({ screens }: { screens: readonly Screen[] }) {
  const user = session.use()
  useScreenTitle({
    title: 'More',
    subtitle: user && `${user.username}, ${user.userLevel} (${roleNames(user)}), wallet ${moneyText(user.balance)}`,
  })
  const dayClose = screens.find(({ href }) => href === '/admin/day-close')
  const at = (place: Screen['place']) => screens.filter((screen) => screen.place === place && screen !== dayClose)
  return (
    <div className="flex max-w-[45rem] flex-col gap-4">
      {dayClose && <DayCloseCard {...dayClose} />}
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

/** The day so far, on the way to its close. */
function DayCloseCard({ href, label, icon }: Screen) {
  const { data } = useQuery(inboxQuery)
  const now = useNow()
  const waiting = data ? countWaiting(data.groups) : 0
  return (
    <Link href={href} className="flex flex-col gap-2.5 rounded-box border border-line bg-surface p-4 hover:bg-sunken">
      <span className="flex flex-wrap items-center gap-2 [&>svg]:size-5">
        {icon}
        <span className="flex-1 text-large font-bold">{label}</span>
        {waiting > 0 && (
          <StateChip tone="pending" icon={<Clock aria-hidden="true" />}>
            {waiting} to decide first
          </StateChip>
        )}
      </span>
      {data && <ShopDay day={data.day} now={now} withTime />}
    </Link>
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
