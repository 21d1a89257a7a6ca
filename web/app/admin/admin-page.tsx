import '../../lib/admin/configure-schemas.ts'
import { useQuery } from '@tanstack/react-query'
import { BookCheck, ChartColumn, ClipboardList, History, Hourglass, MessageSquareWarning, Package, Settings2, Wallet } from 'lucide-react'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { useLocation } from 'wouter'
import { ActivityTab } from '../../features/activity/admin/activity-tab.tsx'
import { CsvButton } from '../../features/export/csv-button.tsx'
import type { CsvFile } from '../../features/export/download-csv.ts'
import { failedIn, jobsQuery } from '../../features/failed-jobs/admin/api.ts'
import { OrdersTab } from '../../features/orders/admin/orders-tab.tsx'
import { disputesQuery } from '../../features/payments/admin/disputes.tsx'
import { ProductsTab } from '../../features/products/admin/products-tab.tsx'
import { reconciliationQuery } from '../../features/reconciliation/admin/api.ts'
import { reportsQuery } from '../../features/reports/admin/api.ts'
import { unsavedSettings } from '../../features/settings/admin/unsaved-settings.ts'
import { StatsTab } from '../../features/stats/admin/stats-tab.tsx'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { Page } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { FinanceTab } from './finance-tab.tsx'

type Screen = {
  href: string
  label: string
  title: string
  icon: ReactNode
  Content: ComponentType
  csv?: CsvFile
  /** A mark beside the tab's name, such as a count. */
  Mark?: ComponentType
}

/** The screens of the portal, in the order of their tabs. Seldom-used ones are loaded when opened. */
const SCREENS: readonly [Screen, ...Screen[]] = [
  {
    href: '/admin/stats',
    label: 'Statistics',
    title: 'Admin Statistics',
    icon: <ChartColumn aria-hidden="true" />,
    Content: StatsTab,
    csv: 'admin-stats',
  },
  {
    href: '/admin/orders',
    label: 'Orders',
    title: 'Admin Orders',
    icon: <ClipboardList aria-hidden="true" />,
    Content: OrdersTab,
    csv: 'admin-orders',
  },
  {
    href: '/admin/reports',
    label: 'Reports',
    title: 'Reports',
    icon: <MessageSquareWarning aria-hidden="true" />,
    Content: lazy(() => import('../../features/reports/admin/reports-tab.tsx')),
    Mark: OpenReportsMark,
  },
  {
    href: '/admin/finance',
    label: 'Finance',
    title: 'Admin Finance',
    icon: <Wallet aria-hidden="true" />,
    Content: FinanceTab,
    csv: 'admin-finance',
    Mark: DisputesMark,
  },
  {
    href: '/admin/products',
    label: 'Products',
    title: 'Admin Products',
    icon: <Package aria-hidden="true" />,
    Content: ProductsTab,
    csv: 'admin-products',
  },
  { href: '/admin/activity', label: 'Activity', title: 'Activity', icon: <History aria-hidden="true" />, Content: ActivityTab },
  {
    href: '/admin/work',
    label: 'Work',
    title: 'Stuck work',
    icon: <Hourglass aria-hidden="true" />,
    Content: lazy(() => import('../../features/failed-jobs/admin/work-tab.tsx')),
    Mark: FailedJobsMark,
  },
  {
    href: '/admin/books',
    label: 'Books',
    title: 'Books',
    icon: <BookCheck aria-hidden="true" />,
    Content: lazy(() => import('../../features/reconciliation/admin/reconciliation-tab.tsx')),
    Mark: PausedMark,
  },
  {
    href: '/admin/settings',
    label: 'Settings',
    title: 'Settings',
    icon: <Settings2 aria-hidden="true" />,
    Content: lazy(() => import('../../features/settings/admin/settings-tab.tsx')),
    Mark: UnsavedMark,
  },
]
const TABS = SCREENS.map(({ href, label, icon, Mark }) => ({ href, label, icon, mark: Mark && <Mark /> }))

/** The Admin Portal: a screen per tab, each at its own address; an address that names none is the statistics. */
export default function AdminPage() {
  const [path] = useLocation()
  const { href, title, csv, Content } = SCREENS.find((screen) => path === screen.href || path.startsWith(`${screen.href}/`)) ?? SCREENS[0]
  return (
    <QueryProvider>
      <Page width="full">
        <PageHeader title={title} actions={csv && <CsvButton file={csv} />} />
        <Tabs label="Admin Portal" tabs={TABS} current={href} />
        <div className="pt-5">
          <Suspense
            fallback={
              <Loading>
                <Skeleton className="h-96" />
              </Loading>
            }
          >
            <Content />
          </Suspense>
        </div>
      </Page>
    </QueryProvider>
  )
}

const FAILED_JOBS_EVERY_MS = 60_000

/** Failed jobs show on every screen of the portal. */
function FailedJobsMark() {
  const { data } = useQuery({ ...jobsQuery(1), refetchInterval: FAILED_JOBS_EVERY_MS })
  const failed = data ? failedIn(data) : 0
  if (failed === 0) return null
  return (
    <span className="tabular relative rounded-full bg-danger-soft px-2 py-0.5 text-small leading-none text-danger">
      {failed}
      <span className="sr-only"> stuck</span>
    </span>
  )
}

/** Customers who wait for an answer. */
function OpenReportsMark() {
  const { data } = useQuery({ ...reportsQuery({ status: 'open', page: 1, pageSize: 5 }), refetchInterval: FAILED_JOBS_EVERY_MS })
  const open = data?.total ?? 0
  if (open === 0) return null
  return (
    <span className="tabular relative rounded-full bg-danger-soft px-2 py-0.5 text-small leading-none text-danger">
      {open}
      <span className="sr-only"> open</span>
    </span>
  )
}

/** A dispute that nobody answers in time is lost, so it is seen from every screen of the portal. */
function DisputesMark() {
  const { data } = useQuery({ ...disputesQuery({ search: '', page: 1, pageSize: 10 }), refetchInterval: FAILED_JOBS_EVERY_MS })
  // Those to answer come first in the list.
  const toAnswer = data?.rows.filter(({ dueAt }) => dueAt !== null).length ?? 0
  if (toAnswer === 0) return null
  return (
    <span className="tabular relative rounded-full bg-danger-soft px-2 py-0.5 text-small leading-none text-danger">
      {toAnswer === 10 ? '10+' : toAnswer}
      <span className="sr-only"> to answer</span>
    </span>
  )
}

/** Paused purchases show on every screen of the portal. */
function PausedMark() {
  const { data } = useQuery({ ...reconciliationQuery, refetchInterval: FAILED_JOBS_EVERY_MS })
  if (!data?.pause) return null
  return <span className="relative rounded-full bg-danger-soft px-2 py-0.5 text-small leading-none text-danger">paused</span>
}

function UnsavedMark() {
  const unsaved = Object.keys(unsavedSettings.use()).length > 0
  if (!unsaved) return null
  return (
    <span className="relative size-2 rounded-full bg-pending">
      <span className="sr-only">unsaved changes</span>
    </span>
  )
}
