import { List, ShoppingBag } from 'lucide-react'
import type { ReactNode } from 'react'
import type { UserLevel } from '../../shared/users.ts'
import { signedInTexts } from '../texts/signed-in.ts'

type AgentLink = { href: string; also: readonly string[]; label: string; wideLabel: string; icon: ReactNode }
type AgentTab = { href: string; label: string }

/** What agents have in the bars beside the store and the dashboard. */
export const AGENT_LINKS: readonly AgentLink[] = [
  { href: '/agent/bulk', also: ['/agent/bulk'], label: signedInTexts.bulk, wideLabel: signedInTexts.bulkOrders, icon: <List /> },
  {
    href: '/agent/shop',
    also: ['/agent/shop', '/agent/sub-agents'],
    label: signedInTexts.myShop,
    wideLabel: signedInTexts.myShop,
    icon: <ShoppingBag />,
  },
]

/** The agents' tabs of My Dashboard, before those of every customer. */
export const AGENT_TABS: readonly AgentTab[] = [
  { href: '/agent', label: signedInTexts.today },
  { href: '/agent/earnings', label: signedInTexts.earnings },
  { href: '/agent/api', label: 'API' },
]

/** The same for a customer who sells under an agent. */
export const SELLER_TABS: readonly AgentTab[] = [
  { href: '/agent', label: signedInTexts.today },
  { href: '/agent/shop', label: signedInTexts.myShop },
  { href: '/agent/earnings', label: signedInTexts.earnings },
]

type Viewer = { userLevel: UserLevel; isAdmin?: boolean | undefined; sells?: boolean | undefined } | null

/** Where My Dashboard begins. */
export function dashboardOf(user: Viewer): string {
  return isAgent(user) || isSeller(user) ? '/agent' : '/user/history'
}

/** The addresses of My Dashboard, each with all below it. */
export function dashboardPlaces(user: Viewer): readonly string[] {
  if (isAgent(user)) return ['/user', '/agent/earnings', '/agent/api', '/agent/invite']
  return isSeller(user) ? ['/user', '/agent'] : ['/user']
}

/** Whether a customer sells under an agent, or did. */
export function isSeller(user: Viewer): boolean {
  return user?.sells === true && user.userLevel === 'Customer'
}

/** Who has the agents' screens. An admin has a portal instead. */
export function isAgent(user: Viewer): boolean {
  return user?.userLevel === 'Agent' && !user.isAdmin
}
