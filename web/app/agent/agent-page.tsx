import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { Redirect, useLocation } from 'wouter'
import { ownShopQuery } from '../../features/agents/agent-shops/agent/api.ts'
import { RefusedError } from '../../lib/http.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { session } from '../../lib/session.ts'
import { myShopTexts } from '../../texts/my-shop.ts'
import { LoadError } from '../../ui/notice-box.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { isAgent, isSeller } from '../agent-links.tsx'
import { DashboardTabs } from '../dashboard-tabs.tsx'
import { agentScreenAt } from './agent-screens.tsx'
import { applyAgentStyle } from './apply-agent-style.ts'

applyAgentStyle()

/** The agents' screens. A customer's dashboard has no such address, unless they sell under an agent. */
export default function AgentPage() {
  const [path] = useLocation()
  const user = session.use()
  const screen = agentScreenAt(path)
  if (!screen || !user || (screen.also !== 'all' && !isAgent(user) && (screen.also !== 'sub-agents' || user.isAdmin)))
    return <Redirect to="/user/history" replace />
  const Gate = isAgent(user) || isSeller(user) || screen.also === 'all' ? Open : SubAgentsOnly
  return (
    <QueryProvider>
      <Gate>
        {screen.isTab && (
          <Page className="pb-0!">
            <DashboardTabs current={screen.href} />
          </Page>
        )}
        <Suspense fallback={<ScreenLoading />}>
          <screen.Content />
        </Suspense>
      </Gate>
    </QueryProvider>
  )
}

function Open({ children }: { children: ReactNode }) {
  return children
}

/** Customers of whom the session does not say yet that they sell under an agent, or did: the server knows. */
function SubAgentsOnly({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useQuery(ownShopQuery)
  const isRefused = !data && error instanceof RefusedError && error.code === 'FORBIDDEN'
  if (data) return children
  if (isRefused) return <Redirect to="/user/history" replace />
  if (!error) return <ScreenLoading />
  return (
    <Page>
      <LoadError what={myShopTexts.of} error={error} onRetry={() => void refetch()} />
    </Page>
  )
}

function ScreenLoading() {
  return (
    <Page>
      <Loading>
        <div className="flex flex-col gap-4 pt-6">
          <Skeleton className="h-9 w-48" />
          <Skeleton className="h-72" />
        </div>
      </Loading>
    </Page>
  )
}
