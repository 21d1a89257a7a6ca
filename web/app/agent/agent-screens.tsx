import { type ComponentType, lazy } from 'react'

type AgentScreen = {
  /** The screen's address; it shows everything below it too. */
  href: string
  /** Stands under the tabs of My Dashboard. */
  isTab?: true
  /** Who has it beside the agents: customers who sell under an agent, or whoever is signed in. */
  also?: 'sub-agents' | 'all'
  Content: ComponentType
}

/** The agents' screens, the longest address first. Each is downloaded when it is opened. */
const SCREENS: readonly AgentScreen[] = [
  {
    href: '/agent/earnings/withdraw',
    also: 'sub-agents',
    Content: lazy(() => import('../../features/agents/withdrawals/agent/withdraw-page.tsx')),
  },
  {
    href: '/agent/earnings',
    isTab: true,
    also: 'sub-agents',
    Content: lazy(() => import('../../features/agents/withdrawals/agent/earnings-page.tsx')),
  },
  { href: '/agent/sub-agents', Content: lazy(() => import('../../features/agents/agent-shops/agent/sub-agents-page.tsx')) },
  { href: '/agent/shop/sales', also: 'sub-agents', Content: lazy(() => import('../../features/agents/agent-shops/agent/sales-page.tsx')) },
  {
    href: '/agent/shop/price-list',
    also: 'sub-agents',
    Content: lazy(() => import('../../features/agents/agent-shops/agent/price-list-page.tsx')),
  },
  { href: '/agent/shop', also: 'sub-agents', Content: lazy(() => import('../../features/agents/agent-shops/agent/my-shop-page.tsx')) },
  { href: '/agent/invite', Content: lazy(() => import('../../features/people/referrals/agent/invite-page.tsx')) },
  { href: '/agent/bulk', Content: lazy(() => import('../../features/orders/bulk/agent/bulk-page.tsx')) },
  { href: '/agent/api', isTab: true, Content: lazy(() => import('../../features/channels/api-keys/agent/api-page.tsx')) },
  { href: '/join', also: 'all', Content: lazy(() => import('../../features/agents/agent-shops/agent/join-page.tsx')) },
  { href: '/agent', isTab: true, also: 'sub-agents', Content: lazy(() => import('./today-page.tsx')) },
]

export function agentScreenAt(path: string): AgentScreen | undefined {
  return SCREENS.find(({ href }) => path === href || (href !== '/agent' && path.startsWith(`${href}/`)))
}
