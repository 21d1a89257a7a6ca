import { type ReactNode, Suspense, useEffect } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { lazyFirstScreen, lazyScreen, lazyWithQueries } from '../lib/lazy-screen.tsx'
import { session } from '../lib/session.ts'
import { signInPath } from '../lib/sign-in-path.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { PageLoading } from './page-loading.tsx'

const HomePage = lazyFirstScreen(() => import('../features/home/home-page.tsx'))
const StorePage = lazyFirstScreen(() => import('../features/store/store-page.tsx'))
const CartPage = lazyWithQueries(() => import('../features/cart/cart-page.tsx'))
const LoginPage = lazyScreen(() => import('../features/auth/login-page.tsx'))
const RegisterPage = lazyScreen(() => import('../features/auth/register-page.tsx'))
const ResetPasswordPage = lazyScreen(() => import('../features/auth/reset-password-page.tsx'))
const DashboardPage = lazyWithQueries(() => import('./dashboard-page.tsx'))
const AdminPage = lazyWithQueries(() => import('./admin/admin-page.tsx'))
const InfoPage = lazyWithQueries(() => import('../features/notice/admin/info-page.tsx'))
const NotFoundPage = lazyScreen(() => import('./not-found-page.tsx'))

/** Fetches the code of a screen that the server may have drawn. */
export async function preloadScreen(path: string): Promise<void> {
  if (path === '/') await HomePage.preload()
  if (path === '/store') await StorePage.preload()
}

export function Router() {
  const [path] = useLocation()
  useEffect(() => {
    if (path) window.scrollTo(0, 0)
  }, [path])
  return (
    <ErrorBoundary key={path}>
      <Suspense fallback={<PageLoading />}>
        <Switch>
          <Route path="/" component={HomePage} />
          <Route path="/store" component={StorePage} />
          <Route path="/login" component={LoginPage} />
          <Route path="/register" component={RegisterPage} />
          <Route path="/reset-password/:token">{({ token }) => <ResetPasswordPage token={token} />}</Route>
          <Route path="/cart">
            <SignedIn>
              <CartPage />
            </SignedIn>
          </Route>
          <Route path="/user/*?">
            <SignedIn>
              <DashboardPage />
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
