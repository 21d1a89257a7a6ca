import {
  CircleUser,
  Home,
  Info,
  LayoutDashboard,
  LogIn,
  LogOut,
  Moon,
  Settings2,
  ShoppingCart,
  Store,
  Sun,
  UserPlus,
  Wallet,
} from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { signOut } from '../features/auth/api.ts'
import { cart } from '../features/cart/cart.ts'
import { useShop } from '../features/shop/shop.ts'
import { BecomeAgentButton } from '../features/users/become-agent-button.tsx'
import { session } from '../lib/session.ts'
import { isDark, themeChoice, toggleTheme } from '../lib/theme.ts'
import { useIsWide } from '../lib/use-media-query.ts'
import { classNames } from '../ui/class-names.ts'
import { Money } from '../ui/money.tsx'
import { SignMark } from '../ui/sign-mark.tsx'

export function TopBar() {
  const shop = useShop()
  const user = session.use()
  const wide = useIsWide()
  return (
    <header className="no-print sticky top-0 z-30 border-b border-line bg-surface">
      <div className="mx-auto flex h-14 max-w-6xl items-center gap-1 px-4 sm:px-6 md:h-16 2xl:max-w-[100rem]">
        <Link href="/" className="mr-auto flex min-h-11 min-w-0 items-center gap-2.5 md:mr-4">
          <SignMark className="size-8 shrink-0" />
          <span className="truncate text-title font-bold tracking-tight">{shop.name}</span>
        </Link>
        {wide ? <WideNavigation /> : <NarrowNavigation />}
        {!wide && user && <AccountMenu />}
        {!wide && !user && (
          <span className="-mr-2.5">
            <ThemeButton />
          </span>
        )}
      </div>
    </header>
  )
}

function WideNavigation() {
  const user = session.use()
  if (!user) {
    return (
      <nav aria-label="Main" className="flex flex-1 items-center gap-1">
        <BarLink href="/store">Store</BarLink>
        <span className="flex-1" />
        <BarLink href="/login">Login</BarLink>
        <Link
          href="/register"
          className="inline-flex min-h-11 items-center rounded-box bg-brand px-4 font-semibold text-on-brand hover:bg-brand-hover"
        >
          Register
        </Link>
        <ThemeButton />
      </nav>
    )
  }
  return (
    <nav aria-label="Main" className="flex min-w-0 flex-1 items-center gap-1">
      <BarLink href="/store">Store</BarLink>
      <BarLink href="/cart">
        Cart <CartCount />
      </BarLink>
      <BarLink href="/user/history" under="/user">
        My Dashboard
      </BarLink>
      {user.isAdmin && (
        <BarLink href="/admin/stats" under="/admin">
          Admin Portal
        </BarLink>
      )}
      {user.isAdmin && (
        <Link
          href="/info"
          aria-label="Info"
          title="Info"
          className="inline-flex size-11 items-center justify-center rounded-full text-muted hover:bg-sunken hover:text-ink"
        >
          <Info className="size-5" aria-hidden="true" />
        </Link>
      )}
      <span className="flex-1" />
      {user.userLevel === 'Customer' && <BecomeAgentButton />}
      <BalanceLink />
      <span className="mx-1 rounded-full bg-brand-soft px-2.5 py-0.5 text-small font-semibold text-brand-text" title={user.username}>
        {user.userLevel}
      </span>
      <ThemeButton />
      <button
        type="button"
        onClick={() => void signOut()}
        className="inline-flex min-h-11 items-center gap-2 rounded-box px-3 font-semibold text-muted hover:bg-sunken hover:text-ink"
      >
        <LogOut className="size-4.5" aria-hidden="true" />
        Logout
      </button>
    </nav>
  )
}

function NarrowNavigation() {
  const user = session.use()
  if (user) return <BalanceLink />
  return null
}

function BalanceLink() {
  const user = session.use()
  if (!user) return null
  return (
    <Link href="/user/finance" className="inline-flex min-h-11 items-center gap-2 rounded-box px-2 text-large hover:bg-sunken">
      <Wallet className="size-5 text-brand-text" aria-hidden="true" />
      <span className="sr-only">Wallet balance</span>
      <Money cedis={user.balance} />
    </Link>
  )
}

function BarLink({ href, under = href, children }: { href: string; under?: string; children: ReactNode }) {
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

function CartCount({ className }: { className?: string }) {
  const count = cart.use().length
  if (count === 0) return null
  return (
    <span
      className={classNames(
        'tabular inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-brand px-1.5 text-small leading-none font-bold text-on-brand',
        className,
      )}
    >
      {count}
      <span className="sr-only"> {count === 1 ? 'item' : 'items'}</span>
    </span>
  )
}

function ThemeButton() {
  themeChoice.use()
  const dark = typeof window !== 'undefined' && isDark()
  const Icon = dark ? Sun : Moon
  const label = dark ? 'Use the light look' : 'Use the dark look'
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

/** On a phone: who one is, and what does not fit into the bars. The platform's own popover. */
function AccountMenu() {
  const user = session.use()
  const menu = useRef<HTMLDivElement>(null)
  const close = () => menu.current?.hidePopover()
  if (!user) return null
  return (
    <>
      <button
        type="button"
        popoverTarget="account-menu"
        aria-label="Account"
        className="-mr-2 inline-flex size-11 shrink-0 items-center justify-center rounded-full text-ink hover:bg-sunken"
      >
        <CircleUser className="size-6" aria-hidden="true" />
      </button>
      <div
        ref={menu}
        id="account-menu"
        popover="auto"
        className="fixed inset-auto top-14 right-2 m-0 mt-1 w-72 max-w-[calc(100vw-1rem)] rounded-box border border-line bg-surface p-2 text-ink shadow-lift"
      >
        <div className="flex items-center justify-between gap-3 px-3 py-2">
          <div className="min-w-0">
            <p className="truncate font-semibold">{user.username}</p>
            <p className="truncate text-small text-muted">{user.email}</p>
          </div>
          <span className="rounded-full bg-brand-soft px-2.5 py-0.5 text-small font-semibold text-brand-text">{user.userLevel}</span>
        </div>
        {user.userLevel === 'Customer' && (
          <div className="px-1 py-2">
            <BecomeAgentButton block onPress={close} />
          </div>
        )}
        <ul className="border-t border-line pt-1">
          {user.isAdmin && (
            <>
              <MenuLink href="/admin/stats" icon={<Settings2 />} onPress={close}>
                Admin Portal
              </MenuLink>
              <MenuLink href="/info" icon={<Info />} onPress={close}>
                Info
              </MenuLink>
            </>
          )}
          <MenuLink href="/" icon={<Home />} onPress={close}>
            Home and contact
          </MenuLink>
          <li>
            <MenuThemeButton />
          </li>
          <li>
            <button type="button" onClick={() => void signOut()} className={MENU_ITEM}>
              <LogOut aria-hidden="true" />
              Logout
            </button>
          </li>
        </ul>
      </div>
    </>
  )
}

const MENU_ITEM =
  'flex min-h-12 w-full items-center gap-3 rounded-box px-3 text-left font-medium hover:bg-sunken [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-muted'

function MenuLink({ href, icon, onPress, children }: { href: string; icon: ReactNode; onPress: () => void; children: ReactNode }) {
  return (
    <li>
      <Link href={href} onClick={onPress} className={MENU_ITEM}>
        {icon}
        {children}
      </Link>
    </li>
  )
}

function MenuThemeButton() {
  themeChoice.use()
  const dark = typeof window !== 'undefined' && isDark()
  return (
    <button type="button" onClick={toggleTheme} className={MENU_ITEM}>
      {dark ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
      {dark ? 'Use the light look' : 'Use the dark look'}
    </button>
  )
}

export function BottomBar() {
  const user = session.use()
  const wide = useIsWide()
  if (wide) return null
  return (
    <nav
      aria-label="Main"
      className="no-print fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="mx-auto flex max-w-lg">
        <BottomLink href="/store" icon={<Store />}>
          Store
        </BottomLink>
        {user ? (
          <>
            <BottomLink href="/cart" icon={<ShoppingCart />} badge={<CartCount className="absolute -top-1.5 left-3.5" />}>
              Cart
            </BottomLink>
            <BottomLink href="/user/history" under="/user" icon={<LayoutDashboard />}>
              My Dashboard
            </BottomLink>
            {user.isAdmin && (
              <BottomLink href="/admin/orders" under="/admin" icon={<Settings2 />}>
                Admin
              </BottomLink>
            )}
          </>
        ) : (
          <>
            <BottomLink href="/login" icon={<LogIn />}>
              Login
            </BottomLink>
            <BottomLink href="/register" icon={<UserPlus />}>
              Register
            </BottomLink>
          </>
        )}
      </ul>
    </nav>
  )
}

function BottomLink({
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
    <li className="min-w-0 flex-1">
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
