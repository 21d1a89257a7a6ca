import '../../lib/admin/configure-schemas.ts'
import { Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { SupplierBanner } from '../../features/delivery/floats/admin/supplier-banner.tsx'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { AdminHeader } from './admin-header.tsx'
import { AdminNavigation } from './admin-navigation.tsx'
import { applyAdminStyle } from './apply-style.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { screenAt, useScreens } from './screens.tsx'
import { useAdminKeys } from './use-admin-keys.ts'

applyAdminStyle()

/** The Admin Portal: its navigation, and the screen that the address names. */
export default function AdminPage() {
  return (
    <QueryProvider>
      <Portal />
    </QueryProvider>
  )
}

/** The suppliers' screen says it in full, and the inbox below the day. */
const OWN_BANNER = ['/admin/suppliers', '/admin/inbox']

function Portal() {
  const [path] = useLocation()
  const screen = screenAt(path, useScreens())
  const [helping, setHelping] = useState(false)
  useAdminKeys(() => setHelping(true))
  return (
    <div className="flex flex-1 flex-col lg:grid lg:grid-cols-[var(--rail)_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
      <AdminNavigation current={screen} />
      <AdminHeader screen={screen} />
      <main
        id="main"
        tabIndex={-1}
        className="flex min-w-0 flex-1 flex-col px-4 pt-3 pb-[calc(var(--dock)+1.5rem+env(safe-area-inset-bottom))] outline-none has-data-act-bar:pb-[calc(var(--dock)+6.5rem+env(safe-area-inset-bottom))] lg:col-start-2 lg:px-6 lg:pt-5 lg:pb-12 lg:has-data-act-bar:pb-24"
      >
        {!OWN_BANNER.includes(screen.href) && <SupplierBanner />}
        <ErrorBoundary key={path}>
          <Suspense fallback={<ScreenLoading />}>
            <screen.Content />
          </Suspense>
        </ErrorBoundary>
      </main>
      {helping && <KeysDialog onClose={() => setHelping(false)} />}
    </div>
  )
}

function ScreenLoading() {
  return (
    <Loading>
      <div className="flex flex-col gap-4">
        <Skeleton className="h-11 max-w-md" />
        <Skeleton className="h-96" />
      </div>
    </Loading>
  )
}
