import { lazy, Suspense, useEffect } from 'react'
import { Link } from 'wouter'
import { useShop } from '../features/shop/shop/api.ts'
import { HelpLink } from '../features/shop/shop/help-link.tsx'
import { loadPersistently } from '../lib/load-persistently.ts'
import { session } from '../lib/session.ts'
import { appTexts } from '../texts/app.ts'
import { buttonClass } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { SignMark } from '../ui/sign-mark.tsx'
import { BarLink, BottomLink } from './nav-link.tsx'

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
    <header className="no-print sticky top-0 z-30 border-b border-line bg-surface short:static">
      <div className="mx-auto flex min-h-14 max-w-7xl items-center gap-1 px-4 sm:px-6 md:min-h-16">
        <Link href="/" className="mr-auto flex min-h-11 min-w-8 items-center gap-2 md:mr-3">
          {shop.logo ? <img src={shop.logo} alt="" className="size-7.5 shrink-0" /> : <SignMark className="size-7.5 shrink-0" />}
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

/** Both widths are in the page, because the server prerenders it without knowing the width. */
function VisitorTop() {
  return (
    <>
      <HelpLink about="shop" look="link" className="visitor-only md:hidden" />
      <nav aria-label={appTexts.main} className="visitor-only hidden flex-1 items-center gap-1 md:flex">
        <BarLink href="/store">{appTexts.store}</BarLink>
        <span className="flex-1" />
        <BarLink href="/login">{appTexts.login}</BarLink>
        <Link href="/register" className={buttonClass()}>
          {appTexts.register}
        </Link>
      </nav>
    </>
  )
}

export function BottomBar() {
  const user = session.use()
  return (
    <nav
      aria-label={appTexts.main}
      className="no-print fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className={classNames('mx-auto flex min-h-15 max-w-lg short:min-h-11', !user && 'visitor-only')}>
        {user ? (
          <Suspense fallback={null}>
            <SignedInBottom />
          </Suspense>
        ) : (
          <>
            <BottomLink href="/store" icon={<Icon name="store" />}>
              {appTexts.store}
            </BottomLink>
            <BottomLink href="/login" icon={<Icon name="login" />}>
              {appTexts.login}
            </BottomLink>
            <BottomLink href="/register" icon={<Icon name="register" />}>
              {appTexts.register}
            </BottomLink>
          </>
        )}
      </ul>
    </nav>
  )
}
