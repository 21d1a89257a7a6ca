import { Suspense } from 'react'
import { Redirect, useLocation } from 'wouter'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { session } from '../../lib/session.ts'
import { Page } from '../../ui/page.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { isAgent } from '../agent-links.tsx'
import { DashboardTabs } from '../dashboard-tabs.tsx'
import { agentScreenAt } from './agent-screens.tsx'
import { applyAgentStyle } from './apply-agent-style.ts'

applyAgentStyle()

/** The agents' screens. A customer's dashboard has no such address. */
export default function AgentPage() {
  const [path] = useLocation()
  const user = session.use()
  const screen = agentScreenAt(path)
  if (!screen || !isAgent(user)) return <Redirect to="/user/history" replace />
  return (
    <QueryProvider>
      {screen.isTab && (
        <Page className="pb-0!">
          <DashboardTabs current={screen.href} />
        </Page>
      )}
      <Suspense fallback={<ScreenLoading />}>
        <screen.Content />
      </Suspense>
    </QueryProvider>
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
