import { CircleUser, Home, Info, LayoutDashboard, LogOut, Settings2, ShoppingCart, Wallet } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link } from 'wouter'
import { BecomeAgentButton } from '../features/agents/agents/become-agent-button.tsx'
import { signOut } from '../features/people/auth/api.ts'
import { cart } from '../features/storefront/cart/cart.ts'
import { session } from '../lib/session.ts'
import { useIsOffline } from '../lib/use-is-offline.ts'
import { useIsWide, useMediaQuery } from '../lib/use-media-query.ts'
import { appTexts } from '../texts/app.ts'
import { messageTexts } from '../texts/messages.ts'
import { signedInTexts } from '../texts/signed-in.ts'
import { buttonClass } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { Money } from '../ui/money.tsx'
import { AGENT_LINKS, dashboardOf, dashboardPlaces, isAgent } from './agent-links.tsx'
import { BarLink, BottomLink, ThemeButton } from './nav-link.tsx'

/** The top bar of a signed-in user. Visitors do not download it. */
export function SignedInTop() {
  const wide = useIsWide()
  const user = session.use()
  if (wide) return <WideNavigation />
  return (
    <>
      <BalanceLink />
      {isAgent(user) && <CartButton />}
      <AccountMenu />
    </>
  )
}

/** The bottom bar's links, on a phone. */
export function SignedInBottom() {
  const user = session.use()
  return (
    <>
      <BottomLink href="/store" icon={<Icon name="store" />}>
        {appTexts.store}
      </BottomLink>
      {isAgent(user) ? (
        AGENT_LINKS.map(({ href, also, label, icon }) => (
          <BottomLink key={href} href={href} also={also} icon={icon}>
            {label}
          </BottomLink>
        ))
      ) : (
        <BottomLink href="/cart" icon={<ShoppingCart />} badge={<CartCount className="absolute -top-1 left-3.75" />}>
          {signedInTexts.cart}
        </BottomLink>
      )}
      <BottomLink href={dashboardOf(user)} also={dashboardPlaces(user)} icon={<LayoutDashboard />}>
        {appTexts.dashboard}
      </BottomLink>
      {user?.isAdmin && (
        <BottomLink href="/admin" icon={<Settings2 />}>
          {signedInTexts.admin}
        </BottomLink>
      )}
    </>
  )
}

/** On an upright tablet the main links fit; the rest is in the account menu, as on a phone. */
function WideNavigation() {
  const user = session.use()
  const roomy = useMediaQuery('(min-width: 64rem)')
  if (!user) return null
  const toCart = (
    <BarLink href="/cart">
      {signedInTexts.cart} <CartCount />
    </BarLink>
  )
  return (
    // Truncates a long shop name before the links.
    <nav aria-label={appTexts.main} className="flex shrink-0 grow items-center gap-1">
      <BarLink href="/store">{appTexts.store}</BarLink>
      {isAgent(user) &&
        AGENT_LINKS.map(({ href, also, wideLabel }) => (
          <BarLink key={href} href={href} also={also}>
            {wideLabel}
          </BarLink>
        ))}
      {!isAgent(user) && toCart}
      <BarLink href={dashboardOf(user)} also={dashboardPlaces(user)}>
        {appTexts.dashboard}
      </BarLink>
      {isAgent(user) && toCart}
      {user.isAdmin && <BarLink href="/admin">{signedInTexts.adminPortal}</BarLink>}
      {roomy && user.isAdmin && <InfoLink />}
      <span className="flex-1" />
      {roomy && (
        <span className="mr-1 text-small text-muted" title={user.username}>
          {user.userLevel}
        </span>
      )}
      {roomy && user.userLevel === 'Customer' && <BecomeAgentButton />}
      <BalanceLink />
      {roomy ? (
        <button type="button" onClick={() => void signOut()} className={buttonClass('quiet')}>
          {signedInTexts.logout}
        </button>
      ) : (
        <AccountMenu />
      )}
    </nav>
  )
}

function InfoLink() {
  return (
    <Link
      href="/info"
      aria-label={signedInTexts.info}
      title={signedInTexts.info}
      className="inline-flex size-11 items-center justify-center rounded-full text-muted hover:bg-sunken hover:text-ink"
    >
      <Info className="size-5" aria-hidden="true" />
    </Link>
  )
}

/** Without a connection it says that it may be old. */
function BalanceLink() {
  const user = session.use()
  const offline = useIsOffline()
  if (!user) return null
  return (
    <Link
      href="/user/finance"
      data-above-toasts
      className="relative z-1 inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-box bg-sunken px-3 transition-colors hover:bg-line"
    >
      <Wallet className="size-4.5 text-muted max-[22rem]:hidden" aria-hidden="true" />
      <span className="flex flex-col leading-tight">
        <span className="sr-only">{signedInTexts.walletBalance}</span>
        <Money cedis={user.balance} className="text-[min(1em,5vw)]" />
        {offline && (
          <span role="status" className="text-small font-semibold text-pending">
            {messageTexts.offline}
            <span className="sr-only">{messageTexts.mayBeOld}</span>
          </span>
        )}
      </span>
    </Link>
  )
}

/** On an agent's phone, where the bar below has their business instead. */
function CartButton() {
  return (
    <Link href="/cart" className="relative inline-flex size-11 shrink-0 items-center justify-center rounded-full text-ink hover:bg-sunken">
      <ShoppingCart className="size-5.5" aria-hidden="true" />
      <span className="sr-only">{signedInTexts.cart} </span>
      <CartCount className="absolute top-0.5 right-0" />
    </Link>
  )
}

function CartCount({ className }: { className?: string }) {
  const count = cart.use().length
  if (count === 0) return null
  return (
    <span
      className={classNames(
        'inline-flex min-h-5 min-w-5 items-center justify-center rounded-full bg-brand px-1.25 text-small leading-none font-bold text-on-brand',
        className,
      )}
    >
      {count}
      <span className="sr-only"> {signedInTexts.items(count)}</span>
    </span>
  )
}

/** The account menu on narrow screens: the user, and the links that do not fit into the bars. A native popover. */
function AccountMenu() {
  const user = session.use()
  const menu = useRef<HTMLDivElement>(null)
  const close = () => menu.current?.hidePopover()
  const button = useRef<HTMLButtonElement>(null)
  // The bar stands lower where a line of the sandbox is above it.
  const place = () => {
    if (!menu.current || !button.current) return
    const top = button.current.getBoundingClientRect().bottom + 6
    Object.assign(menu.current.style, { top: `${top}px`, maxHeight: `${window.innerHeight - top - 16}px` })
  }
  if (!user) return null
  return (
    <>
      <button
        ref={button}
        type="button"
        onClick={place}
        popoverTarget="account-menu"
        aria-label={signedInTexts.account}
        className="-mr-2.5 inline-flex size-11 shrink-0 md:mr-0 items-center justify-center rounded-full text-ink hover:bg-sunken"
      >
        <CircleUser className="size-6" aria-hidden="true" />
      </button>
      <div
        ref={menu}
        id="account-menu"
        popover="auto"
        className="fixed inset-auto right-2 m-0 w-72 overflow-y-auto max-w-[calc(100vw-1rem)] rounded-box border border-line bg-surface p-2 text-ink [box-shadow:var(--lift)]"
      >
        <div className="flex items-center justify-between gap-3 px-3 py-2">
          <div className="min-w-0">
            <p className="font-semibold break-words">{user.username}</p>
            <p className="text-small break-words text-muted">{user.email}</p>
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
              <MenuLink href="/admin" icon={<Settings2 />} onPress={close}>
                {signedInTexts.adminPortal}
              </MenuLink>
              <MenuLink href="/info" icon={<Info />} onPress={close}>
                {signedInTexts.info}
              </MenuLink>
            </>
          )}
          <MenuLink href="/user/account" icon={<CircleUser />} onPress={close}>
            {appTexts.account}
          </MenuLink>
          <MenuLink href="/" icon={<Home />} onPress={close}>
            {signedInTexts.homeAndContact}
          </MenuLink>
          <li>
            <ThemeButton className={MENU_ITEM} />
          </li>
          <li>
            <button type="button" onClick={() => void signOut()} className={MENU_ITEM}>
              <LogOut aria-hidden="true" />
              {signedInTexts.logout}
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
