import { session } from '../lib/session.ts'
import { appTexts } from '../texts/app.ts'
import { Tabs } from '../ui/tabs.tsx'
import { AGENT_TABS, isAgent, isSeller, SELLER_TABS } from './agent-links.tsx'

const TABS = [
  { href: '/user/history', label: appTexts.transactions },
  { href: '/user/finance', label: appTexts.wallet },
  { href: '/user/account', label: appTexts.account },
]
const AFTER_AGENTS = [TABS[1], TABS[0], TABS[2]].filter((tab) => tab !== undefined)

/** The tabs of My Dashboard; those of who sells begin with the day's business. */
export function DashboardTabs({ current }: { current: string }) {
  const user = session.use()
  const first = isAgent(user) ? AGENT_TABS : isSeller(user) ? SELLER_TABS : null
  const tabs = first ? [...first, ...AFTER_AGENTS] : TABS
  return <Tabs label={appTexts.dashboard} tabs={tabs} current={current} />
}
