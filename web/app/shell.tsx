import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useShop } from '../features/shop/api.ts'
import { appTexts } from '../texts/app.ts'
import { Footer } from './footer.tsx'
import { BottomBar, TopBar } from './navigation.tsx'

/** The Admin Portal, which has bars and a `main` of its own. */
export function isPortal(path: string): boolean {
  return `${path}/`.startsWith('/admin/')
}

/** An agent's shop, under its own name instead of the house's. */
function isGuestShop(path: string): boolean {
  return path.startsWith('/s/')
}

/** What surrounds every screen. */
export function Shell({ children }: { children: ReactNode }) {
  const shop = useShop()
  const [path] = useLocation()
  return (
    <>
      <a
        href="#main"
        className="sr-only rounded-box bg-brand px-4 py-3 font-semibold text-on-brand focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        {appTexts.skip}
      </a>
      {shop.mode === 'sandbox' && (
        <aside aria-label={appTexts.sandboxName} className="no-print bg-pending-soft text-center text-small text-pending">
          <a href="/sandbox" className="block px-4 py-1.5 underline-offset-2 hover:underline">
            {appTexts.sandbox}
          </a>
        </aside>
      )}
      {isPortal(path) ? (
        children
      ) : (
        <>
          {!isGuestShop(path) && <TopBar />}
          <main id="main" tabIndex={-1} className="flex-1 outline-none">
            {children}
          </main>
          {!isGuestShop(path) && (
            <>
              <Footer />
              <BottomBar />
            </>
          )}
        </>
      )}
    </>
  )
}
