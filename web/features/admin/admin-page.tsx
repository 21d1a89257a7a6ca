import { ChartColumn, ClipboardList, History, Package, Wallet } from 'lucide-react'
import { useLocation } from 'wouter'
import { Page } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { CsvButton } from './csv-button.tsx'
import { FinanceTab } from './finance-tab.tsx'
import { OrdersTab } from './orders-tab.tsx'
import { ProductsTab } from './products-tab.tsx'
import { StatsTab } from './stats-tab.tsx'

const TABS = [
  { href: '/admin/stats', label: 'Statistics', title: 'Admin Statistics', icon: <ChartColumn aria-hidden="true" />, csv: 'admin-stats' },
  { href: '/admin/orders', label: 'Orders', title: 'Admin Orders', icon: <ClipboardList aria-hidden="true" />, csv: 'admin-orders' },
  { href: '/admin/finance', label: 'Finance', title: 'Admin Finance', icon: <Wallet aria-hidden="true" />, csv: 'admin-finance' },
  { href: '/admin/products', label: 'Products', title: 'Admin Products', icon: <Package aria-hidden="true" />, csv: 'admin-products' },
  { href: '/admin/activity', label: 'Activity', title: 'Activity', icon: <History aria-hidden="true" />, csv: null },
] as const
type TabHref = (typeof TABS)[number]['href']

/** The Admin Portal: a screen per tab, each at its own address; an address that names none is the statistics. */
export default function AdminPage() {
  const [path] = useLocation()
  const tab = TABS.find(({ href }) => path === href || path.startsWith(`${href}/`)) ?? TABS[0]
  return (
    <Page width="full">
      <PageHeader title={tab.title} actions={tab.csv && <CsvButton file={tab.csv} />} />
      <Tabs label="Admin Portal" tabs={TABS} current={tab.href} />
      <div className="pt-5">
        <TabContent href={tab.href} />
      </div>
    </Page>
  )
}

function TabContent({ href }: { href: TabHref }) {
  switch (href) {
    case '/admin/orders':
      return <OrdersTab />
    case '/admin/finance':
      return <FinanceTab />
    case '/admin/products':
      return <ProductsTab />
    case '/admin/activity':
      return <ActivityTab />
    case '/admin/stats':
      return <StatsTab />
  }
}
