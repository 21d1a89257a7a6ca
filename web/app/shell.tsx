import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useShop } from '../features/shop/shop/api.ts'
import { appTexts } from '../texts/app.ts'
import { Footer } from './footer.tsx'
import { BottomBar, TopBar } from './navigation.tsx'

/** The Admin Portal, which has bars and a `main` of its own. */
export function isPortal(path: string): boolean {
  return `${path}/`.startsWith('/admin/')
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
      {isPortal(path) || /^\/t(?:rack)?(?:\/|$)/.test(path) ? (
        children
      ) : (
        <Frame bare={path.startsWith('/s/') || shop.agentShop}>{children}</Frame>
      )}
    </>
  )
}

/** `bare`: an agent's shop stands under its own name, without the house's bars. The pages of the tracker say it themselves. */
export function Frame({ bare, children }: { bare: unknown; children: ReactNode }) {
  return (
    <>
      {!bare && <TopBar />}
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      {!bare && (
        <>
          <Footer />
          <BottomBar />
        </>
      )}
    </>
  )
}
