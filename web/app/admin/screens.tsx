import {
  BookCheck,
  ChartColumn,
  ClipboardList,
  Ellipsis,
  History,
  Hourglass,
  Inbox,
  MessageSquareWarning,
  SlidersHorizontal,
  Tag,
  Truck,
  Users,
  Wallet,
} from 'lucide-react'
import { lazy } from 'react'
import { SuppliersMark } from '../../features/floats/admin/suppliers-mark.tsx'
import { InboxPage } from '../../features/inbox/admin/inbox-page.tsx'
import { OrdersTab } from '../../features/orders/admin/orders-tab.tsx'
import {
  FailedJobsMark,
  InboxMark,
  MoneyMark,
  MoreMark,
  OpenReportsMark,
  PausedMark,
  UnpublishedPricesMark,
  UnsavedMark,
} from './marks.tsx'
import { MorePage } from './more-page.tsx'
import type { Screen } from './screen.ts'

/** The screens of the portal, in their order. Those that are not needed at once are loaded when opened. */
export const SCREENS: readonly Screen[] = [
  {
    href: '/admin/inbox',
    label: 'Inbox',
    title: 'Needs me',
    icon: <Inbox aria-hidden="true" />,
    Content: InboxPage,
    letter: 'i',
    Mark: InboxMark,
    place: 'bar',
  },
  {
    href: '/admin/orders',
    label: 'Orders',
    title: 'Admin Orders',
    icon: <ClipboardList aria-hidden="true" />,
    Content: OrdersTab,
    letter: 'o',
    csv: 'admin-orders',
    place: 'bar',
  },
  {
    href: '/admin/finance',
    label: 'Money',
    title: 'Admin Finance',
    icon: <Wallet aria-hidden="true" />,
    Content: lazy(() => import('./finance-tab.tsx')),
    letter: 'm',
    csv: 'admin-finance',
    Mark: MoneyMark,
    place: 'bar',
  },
  {
    href: '/admin/customers',
    label: 'Customers',
    title: 'Customers',
    icon: <Users aria-hidden="true" />,
    Content: lazy(() => import('../../features/customers/admin/customers-page.tsx')),
    letter: 'c',
    place: 'bar',
  },
  {
    href: '/admin/products',
    label: 'Prices',
    title: 'Admin Products',
    icon: <Tag aria-hidden="true" />,
    Content: lazy(() => import('../../features/prices/admin/prices-page.tsx')),
    letter: 'p',
    csv: 'admin-products',
    Mark: UnpublishedPricesMark,
    place: 'day',
  },
  {
    href: '/admin/stats',
    label: 'Statistics',
    title: 'Admin Statistics',
    icon: <ChartColumn aria-hidden="true" />,
    Content: lazy(() => import('../../features/stats/admin/stats-tab.tsx')),
    letter: 's',
    csv: 'admin-stats',
    place: 'rail',
  },
  {
    href: '/admin/suppliers',
    label: 'Suppliers',
    title: 'Suppliers',
    icon: <Truck aria-hidden="true" />,
    Content: lazy(() => import('../../features/floats/admin/suppliers-page.tsx')),
    Mark: SuppliersMark,
    place: 'rail',
  },
  {
    href: '/admin/reports',
    label: 'Reports',
    title: 'Reports',
    icon: <MessageSquareWarning aria-hidden="true" />,
    Content: lazy(() => import('../../features/reports/admin/reports-tab.tsx')),
    Mark: OpenReportsMark,
    place: 'rail',
  },
  {
    href: '/admin/settings',
    label: 'Settings',
    title: 'Settings',
    icon: <SlidersHorizontal aria-hidden="true" />,
    Content: lazy(() => import('../../features/settings/admin/settings-tab.tsx')),
    Mark: UnsavedMark,
    place: 'rail',
  },
  {
    href: '/admin/activity',
    label: 'Activity',
    title: 'Activity',
    icon: <History aria-hidden="true" />,
    Content: lazy(() => import('../../features/activity/admin/activity-tab.tsx')),
    place: 'more',
  },
  {
    href: '/admin/work',
    label: 'Stuck work',
    title: 'Stuck work',
    icon: <Hourglass aria-hidden="true" />,
    Content: lazy(() => import('../../features/failed-jobs/admin/work-tab.tsx')),
    Mark: FailedJobsMark,
    place: 'more',
  },
  {
    href: '/admin/books',
    label: 'Books',
    title: 'Books',
    icon: <BookCheck aria-hidden="true" />,
    Content: lazy(() => import('../../features/reconciliation/admin/reconciliation-tab.tsx')),
    Mark: PausedMark,
    place: 'more',
  },
]

export const MORE: Screen = {
  href: '/admin/more',
  label: 'More',
  title: 'More',
  icon: <Ellipsis aria-hidden="true" />,
  Content: () => <MorePage screens={SCREENS} />,
  Mark: MoreMark,
  place: 'bar',
}

/** The inbox at the portal's own address; an address that names no screen is the statistics, as it always was. */
export function screenAt(path: string): Screen {
  const named = [...SCREENS, MORE].find(({ href }) => path === href || path.startsWith(`${href}/`))
  const wanted = /^\/admin\/?$/.test(path) ? '/admin/inbox' : '/admin/stats'
  return named ?? (SCREENS.find(({ href }) => href === wanted) as Screen)
}
