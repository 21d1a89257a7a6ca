import { lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import { PaymentBoxes } from '../features/card/payments/payment-boxes.tsx'
import { QueryProvider } from '../lib/query-provider.tsx'
import { OfflineNote } from '../ui/offline-note.tsx'
import { Page } from '../ui/page.tsx'
import { Loading, Skeleton } from '../ui/skeleton.tsx'
import { DashboardTabs } from './dashboard-tabs.tsx'

const HistoryPage = lazy(() => import('../features/orders/orders/history-page.tsx'))
const AccountPage = lazy(() => import('./account-page.tsx'))
const WalletPage = lazy(() => import('../features/wallet/recharges/wallet-page.tsx'))

/** An address with finance in it is the wallet, one with account the account; any other is the history. */
export default function DashboardPage() {
  const [path] = useLocation()
  const finance = path.includes('finance')
  const account = path.startsWith('/user/account')
  return (
    <QueryProvider>
      <Page>
        <div className="pt-1">
          <DashboardTabs current={finance ? '/user/finance' : account ? '/user/account' : '/user/history'} />
          <OfflineNote className="pt-3" />
        </div>
        <Suspense
          fallback={
            <Loading>
              <Skeleton className="mt-8 h-64" />
            </Loading>
          }
        >
          {finance ? <WalletPage /> : account ? <AccountPage /> : <HistoryPage openPayments={<PaymentBoxes className="mb-5" />} />}
        </Suspense>
      </Page>
    </QueryProvider>
  )
}
