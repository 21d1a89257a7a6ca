import { session } from '../lib/session.ts'
import { appTexts } from '../texts/app.ts'
import { Tabs } from '../ui/tabs.tsx'
import { AGENT_TABS, isAgent } from './agent-links.tsx'
import { isKnownToSell, SUB_AGENT_TABS } from './sub-agent-tabs.ts'

const TABS = [
  { href: '/user/history', label: appTexts.transactions },
  { href: '/user/finance', label: appTexts.wallet },
  { href: '/user/account', label: appTexts.account },
]
const AFTER_AGENTS = [TABS[1], TABS[0], TABS[2]].filter((tab) => tab !== undefined)

/** The tabs of My Dashboard; an agent's begin with the day's business. */
export function DashboardTabs({ current }: { current: string }) {
  const user = session.use()
  const sells = user && !user.isAdmin && isKnownToSell(user._id)
  const tabs = isAgent(user) ? [...AGENT_TABS, ...AFTER_AGENTS] : sells ? [...SUB_AGENT_TABS, ...AFTER_AGENTS] : TABS
  return <Tabs label={appTexts.dashboard} tabs={tabs} current={current} />
}
