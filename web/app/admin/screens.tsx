import {
  BookCheck,
  ChartColumn,
  ChartSpline,
  ClipboardList,
  Ellipsis,
  History,
  Hourglass,
  IdCard,
  Inbox,
  KeyRound,
  KeySquare,
  Lock,
  MessageSquareWarning,
  ShieldCheck,
  SlidersHorizontal,
  Store,
  Sunset,
  Tag,
  Truck,
  UserCheck,
  Users,
  Wallet,
} from 'lucide-react'
import { lazy } from 'react'
import { ANSWERS_REPORTS, hasRole, SEES_COSTS, SEES_FINANCE, SEES_ORDERS, SEES_SHOPS, SEES_WALLETS } from '../../../shared/staff-rules.ts'
import { SuppliersMark } from '../../features/delivery/floats/admin/suppliers-mark.tsx'
import { InboxPage } from '../../features/office/inbox/admin/inbox-page.tsx'
import { OrdersTab } from '../../features/orders/orders/admin/orders-tab.tsx'
import { session } from '../../lib/session.ts'
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

/** The screens of the portal, in their order: the inbox, the four tabs of the shop's record, and the rest. Those that are not needed at once are loaded when opened. */
export const SCREENS: readonly Screen[] = [
  {
    href: '/admin/inbox',
    roles: SEES_ORDERS,
    label: 'Inbox',
    title: 'Needs me',
    icon: <Inbox aria-hidden="true" />,
    Content: InboxPage,
    letter: 'i',
    Mark: InboxMark,
    place: 'bar',
  },
  {
    href: '/admin/stats',
    roles: SEES_ORDERS,
    label: 'Statistics',
    title: 'Admin Statistics',
    icon: <ChartColumn aria-hidden="true" />,
    Content: lazy(() => import('../../features/office/stats/admin/stats-tab.tsx')),
    letter: 's',
    csv: 'admin-stats',
    place: 'bar',
  },
  {
    href: '/admin/orders',
    hasMore: true,
    roles: SEES_ORDERS,
    label: 'Orders',
    title: 'Admin Orders',
    icon: <ClipboardList aria-hidden="true" />,
    Content: OrdersTab,
    letter: 'o',
    csv: 'admin-orders',
    place: 'bar',
  },
  {
    href: '/admin/batches',
    hasMore: true,
    roles: 'orders',
    label: 'Batches',
    title: 'Batches',
    icon: <Lock aria-hidden="true" />,
    Content: lazy(() => import('../../features/delivery/batches/admin/batch-page.tsx')),
    place: 'below',
  },
  {
    href: '/admin/afa',
    roles: 'orders',
    label: 'AFA',
    title: 'AFA registrations',
    icon: <IdCard aria-hidden="true" />,
    Content: lazy(() => import('../../features/orders/afa/admin/afa-page.tsx')),
    place: 'more',
  },
  {
    href: '/admin/finance',
    hasMore: true,
    roles: SEES_WALLETS,
    label: 'Finance',
    title: 'Admin Finance',
    icon: <Wallet aria-hidden="true" />,
    Content: lazy(() => import('./finance-tab.tsx')),
    letter: 'f',
    csv: 'admin-finance',
    Mark: MoneyMark,
    place: 'bar',
  },
  {
    href: '/admin/products',
    roles: 'products',
    label: 'Products',
    title: 'Admin Products',
    icon: <Tag aria-hidden="true" />,
    Content: lazy(() => import('../../features/catalogue/prices/admin/prices-page.tsx')),
    letter: 'p',
    csv: 'admin-products',
    Mark: UnpublishedPricesMark,
    place: 'bar',
  },
  {
    href: '/admin/customers',
    hasMore: true,
    roles: SEES_ORDERS,
    label: 'Customers',
    title: 'Customers',
    icon: <Users aria-hidden="true" />,
    Content: lazy(() => import('../../features/office/customers/admin/customers-page.tsx')),
    letter: 'c',
    place: 'day',
  },
  {
    href: '/admin/day-close',
    hasMore: true,
    roles: 'finance',
    label: 'Day close',
    title: 'Day close',
    icon: <Sunset aria-hidden="true" />,
    Content: lazy(() => import('../../features/office/day-close/admin/day-close-page.tsx')),
    letter: 'd',
    place: 'day',
  },
  {
    href: '/admin/insight',
    roles: SEES_FINANCE,
    label: 'Insight',
    title: 'Insight',
    icon: <ChartSpline aria-hidden="true" />,
    Content: lazy(() => import('../../features/office/insight/admin/insight-page.tsx')),
    letter: 'n',
    place: 'rail',
  },
  {
    href: '/admin/suppliers',
    roles: SEES_ORDERS,
    label: 'Suppliers',
    title: 'Suppliers',
    icon: <Truck aria-hidden="true" />,
    Content: lazy(() => import('../../features/delivery/floats/admin/suppliers-page.tsx')),
    Mark: SuppliersMark,
    place: 'rail',
  },
  {
    href: '/admin/checkers',
    roles: SEES_COSTS,
    label: 'Checkers',
    title: 'Checkers',
    icon: <KeySquare aria-hidden="true" />,
    Content: lazy(() => import('../../features/orders/checkers/admin/stock-page.tsx')),
    place: 'rail',
  },
  {
    href: '/admin/reports',
    roles: ANSWERS_REPORTS,
    label: 'Reports',
    title: 'Reports',
    icon: <MessageSquareWarning aria-hidden="true" />,
    Content: lazy(() => import('../../features/orders/reports/admin/reports-tab.tsx')),
    Mark: OpenReportsMark,
    place: 'rail',
  },
  {
    href: '/admin/shops',
    roles: SEES_SHOPS,
    label: 'Agent shops',
    title: 'Agent shops',
    icon: <Store aria-hidden="true" />,
    Content: lazy(() => import('../../features/agents/agent-shops/admin/shops-page.tsx')),
    place: 'rail',
  },
  {
    href: '/admin/settings',
    roles: 'owner',
    label: 'Settings',
    title: 'Settings',
    icon: <SlidersHorizontal aria-hidden="true" />,
    Content: lazy(() => import('./settings-tab.tsx')),
    Mark: UnsavedMark,
    place: 'rail',
  },
  {
    href: '/admin/staff',
    roles: 'owner',
    label: 'Staff',
    title: 'Staff',
    icon: <ShieldCheck aria-hidden="true" />,
    Content: lazy(() => import('../../features/people/staff/admin/staff-page.tsx')),
    place: 'rail',
  },
  {
    href: '/admin/approvals',
    roles: 'finance',
    label: 'Second person',
    title: 'Second person',
    icon: <UserCheck aria-hidden="true" />,
    Content: lazy(() => import('../../features/wallet/wallet/admin/approvals-page.tsx')),
    place: 'more',
  },
  {
    href: '/admin/code',
    label: 'My code',
    title: 'Code at sign-in',
    icon: <KeyRound aria-hidden="true" />,
    Content: lazy(() => import('../../features/people/staff/admin/code-page.tsx')),
    place: 'more',
  },
  {
    href: '/admin/activity',
    roles: 'owner',
    label: 'Activity',
    title: 'Activity',
    icon: <History aria-hidden="true" />,
    Content: lazy(() => import('../../features/people/activity/admin/activity-tab.tsx')),
    place: 'more',
  },
  {
    href: '/admin/work',
    roles: 'orders',
    label: 'Stuck work',
    title: 'Stuck work',
    icon: <Hourglass aria-hidden="true" />,
    Content: lazy(() => import('../../features/office/failed-jobs/admin/work-tab.tsx')),
    Mark: FailedJobsMark,
    place: 'more',
  },
  {
    href: '/admin/books',
    roles: 'finance',
    label: 'Books',
    title: 'Books',
    icon: <BookCheck aria-hidden="true" />,
    Content: lazy(() => import('../../features/office/reconciliation/admin/reconciliation-tab.tsx')),
    Mark: PausedMark,
    place: 'more',
  },
]

export const MORE: Screen = {
  href: '/admin/more',
  label: 'More',
  title: 'More',
  icon: <Ellipsis aria-hidden="true" />,
  Content: MoreScreens,
  Mark: MoreMark,
  place: 'bar',
}

/** The screens that the signed-in member of staff may open. A session from before there were roles is an owner's. */
export function useScreens(): readonly Screen[] {
  const roles = session.use()?.roles ?? ['owner']
  return SCREENS.filter((screen) => hasRole({ roles }, screen.roles ?? 'staff'))
}

/** The inbox at the portal's own address, the statistics at any that names no screen. Whoever may not open a screen sees their first one. */
export function screenAt(path: string, screens: readonly Screen[]): Screen {
  const named = [...SCREENS, MORE].find(
    ({ href, hasMore }) => path === href || path === `${href}/` || (hasMore && path.startsWith(`${href}/`)),
  )
  const href = named?.href ?? (/^\/admin\/?$/.test(path) ? '/admin/inbox' : '/admin/stats')
  return [...screens, MORE].find((screen) => screen.href === href) ?? screens[0] ?? MORE
}

function MoreScreens() {
  return <MorePage screens={useScreens()} />
}
