import { LogIn, Store, UserPlus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { useShop } from '../features/shop/shop.ts'
import { session } from '../lib/session.ts'
import { useIsWide } from '../lib/use-media-query.ts'
import { SignMark } from '../ui/sign-mark.tsx'
import { BarLink, BottomLink, ThemeButton } from './nav-link.tsx'

const SignedInTop = lazy(() => import('./signed-in-navigation.tsx').then((module) => ({ default: module.SignedInTop })))
const SignedInBottom = lazy(() => import('./signed-in-navigation.tsx').then((module) => ({ default: module.SignedInBottom })))

export function TopBar() {
  const shop = useShop()
  const user = session.use()
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
      </div>
    </header>
  )
}

function VisitorTop() {
  const wide = useIsWide()
  if (!wide) {
    return (
      <span className="-mr-2.5">
        <ThemeButton />
      </span>
    )
  }
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

export function BottomBar() {
  const user = session.use()
  const wide = useIsWide()
  if (wide) return null
  return (
    <nav
      aria-label="Main"
      className="no-print fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="mx-auto flex min-h-16 max-w-lg">
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
