import { LogIn, Store, UserPlus } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import { Link } from 'wouter'
import { useShop } from '../features/shop/api.ts'
import { loadPersistently } from '../lib/load-persistently.ts'
import { session } from '../lib/session.ts'
import { classNames } from '../ui/class-names.ts'
import { SignMark } from '../ui/sign-mark.tsx'
import { BarLink, BottomLink, ThemeButton } from './nav-link.tsx'

const loadSignedIn = () => loadPersistently(() => import('./signed-in-navigation.tsx'))
const SignedInTop = lazy(async () => ({ default: (await loadSignedIn()).SignedInTop }))
const SignedInBottom = lazy(async () => ({ default: (await loadSignedIn()).SignedInBottom }))

export function TopBar() {
  const shop = useShop()
  const user = session.use()
  // The prerendered page hides visitors' links by an attribute until the session is known. Keep the attribute up to date.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first render of a prerendered page has no user.
  useEffect(() => {
    const { dataset } = document.documentElement
    if (session.get()) dataset.signedIn = ''
    else delete dataset.signedIn
  }, [user])
  return (
    <header className="no-print sticky top-0 z-30 border-b border-line bg-surface">
      <div className="mx-auto flex h-14 max-w-6xl items-center gap-1 px-4 sm:px-6 md:h-16">
        <Link href="/" className="mr-auto flex min-h-11 min-w-0 items-center gap-2.5 md:mr-4">
          <SignMark className="size-8 shrink-0" />
          <span className="truncate text-title font-bold tracking-tight">{shop.name}</span>
        </Link>
        {user ? (
          <Suspense fallback={null}>
            <SignedInTop />
          </Suspense>
        ) : (
          <VisitorTop />
        )}
        {/* One button for all users, so that a press before the session is known does not lose it. */}
        <span className={user ? 'hidden md:flex' : '-mr-2.5 md:mr-0'}>
          <ThemeButton />
        </span>
      </div>
    </header>
  )
}

/** Both widths are in the page, because the server prerenders it without knowing the width. */
function VisitorTop() {
  return (
    <nav aria-label="Main" className="visitor-only hidden flex-1 items-center gap-1 md:flex">
      <BarLink href="/store">Store</BarLink>
      <span className="flex-1" />
      <BarLink href="/login">Login</BarLink>
      <Link
        href="/register"
        className="inline-flex min-h-11 items-center rounded-box bg-brand px-4 font-semibold text-on-brand hover:bg-brand-hover"
      >
        Register
      </Link>
    </nav>
  )
}

export function BottomBar() {
  const user = session.use()
  return (
    <nav
      aria-label="Main"
      className="no-print fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className={classNames('mx-auto flex min-h-16 max-w-lg', !user && 'visitor-only')}>
        {user ? (
          <Suspense fallback={null}>
            <SignedInBottom />
          </Suspense>
        ) : (
          <>
            <BottomLink href="/store" icon={<Store />}>
              Store
            </BottomLink>
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
