import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { useShop } from '../features/shop/shop/api.ts'
import { session } from '../lib/session.ts'
import { signInPath } from '../lib/sign-in-path.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { PageLoading } from './page-loading.tsx'
import { isPortal } from './shell.tsx'

/** The screens that the server prerenders. */
const loadPrerendered = {
  '/': () => import('../features/storefront/home/home-page.tsx'),
  '/store': () => import('../features/storefront/store/store-page.tsx'),
}

type PrerenderedPath = keyof typeof loadPrerendered
/** Prerendered screens whose code is loaded, so that they take over the page without a fallback in between. */
export type LoadedScreens = Partial<Record<PrerenderedPath, ComponentType>>

const HomePage = lazy(loadPrerendered['/'])
const StorePage = lazy(loadPrerendered['/store'])
const CartPage = lazy(() => import('../features/storefront/cart/cart-page.tsx'))
const LoginPage = lazy(() => import('../features/people/auth/login-page.tsx'))
const RegisterPage = lazy(() => import('../features/people/auth/register-page.tsx'))
const ResetPasswordPage = lazy(() => import('../features/people/auth/reset-password-page.tsx'))
const DashboardPage = lazy(() => import('./dashboard-page.tsx'))
const OrderPage = lazy(() => import('../features/orders/orders/order-page.tsx'))
const ReceiptPage = lazy(() => import('../features/orders/orders/receipt-page.tsx'))
const TrackerPage = lazy(() => import('./tracker-page.tsx'))
const GuestShopPage = lazy(() => import('../features/agents/guest-shop/guest-shop-page.tsx'))
const AgentPage = lazy(() => import('./agent/agent-page.tsx'))
const AdminPage = lazy(() => import('./admin/admin-page.tsx'))
const InfoPage = lazy(() => import('../features/shop/notice/admin/info-page.tsx'))
const DesignPage = lazy(() => import('./design/design-page.tsx'))
const NotFoundPage = lazy(() => import('./not-found-page.tsx'))

export async function loadScreen(path: string): Promise<LoadedScreens> {
  if (path !== '/' && path !== '/store') return {}
  return { [path]: (await loadPrerendered[path]()).default }
}

export function Router({ screens }: { screens: LoadedScreens }) {
  const [path] = useLocation()
  const { mode, agentShop } = useShop()
  const user = session.use()
  const shown = useRef(path)
  // Not at first: whoever has scrolled before the code came stays where they are.
  useEffect(() => {
    if (path !== shown.current) window.scrollTo(0, 0)
    shown.current = path
  }, [path])
  // Before any screen redirects: the session ends, whoever has it and wherever the address leads.
  if (user && window.location.hash === '#signout') return <PageLoading />
  return (
    <ErrorBoundary key={isPortal(path) ? '/admin' : path}>
      <Suspense fallback={<PageLoading />}>
        <Switch>
          <Route path={(agentShop ? '/' : '/s/:slug') as '/s/:slug'}>
            {({ slug = agentShop as string }) => <GuestShopPage key={slug} slug={slug.toLowerCase()} />}
          </Route>
          <Route path="/" component={screens['/'] ?? HomePage} />
          <Route path="/store" component={screens['/store'] ?? StorePage} />
          <Route path="/login" component={LoginPage} />
          <Route path="/register" component={RegisterPage} />
          <Route path="/reset-password/:token">{({ token }) => <ResetPasswordPage token={token} />}</Route>
          <Route path="/cart">
            <SignedIn>
              <CartPage />
            </SignedIn>
          </Route>
          <Route path="/order/:id">
            {({ id }) => (
              <SignedIn>
                <OrderPage id={id} />
              </SignedIn>
            )}
          </Route>
          <Route path="/receipt/:id">
            {({ id }) => (
              <SignedIn>
                <ReceiptPage id={id} />
              </SignedIn>
            )}
          </Route>
          <Route path="/track">
            <TrackerPage />
          </Route>
          {/* A chat may have cut the link, or made the full stop behind it a part of it. */}
          <Route path="/t/:reference?">
            {({ reference }) => <TrackerPage reference={reference?.replace(/[^A-Za-z0-9]+$/, '') || undefined} />}
          </Route>
          <Route path="/user/*?">
            <SignedIn>
              <DashboardPage />
            </SignedIn>
          </Route>
          <Route path={/^\/(agent|join)\b/}>
            <SignedIn>
              <AgentPage />
            </SignedIn>
          </Route>
          <Route path="/admin/*?">
            <AdminOnly>
              <AdminPage />
            </AdminOnly>
          </Route>
          <Route path="/info">
            <AdminOnly>
              <InfoPage />
            </AdminOnly>
          </Route>
          {mode === 'sandbox' && <Route path="/design" component={DesignPage} />}
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  )
}

function SignedIn({ children }: { children: ReactNode }) {
  const user = session.use()
  const [path] = useLocation()
  return user ? children : <Redirect to={signInPath('/login', path)} replace />
}

function AdminOnly({ children }: { children: ReactNode }) {
  const user = session.use()
  return user?.isAdmin ? children : <Redirect to="/login" replace />
}
