import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import { session } from '../../../../lib/session.ts'
import { subAgentTexts as texts } from '../../../../texts/sub-agents.ts'
import { subAgentsQuery } from './api.ts'

/** In My shop, the way to the sub-agents, for an agent who may have some or has had some. */
export function SubAgentsLink() {
  const isAgent = session.use()?.userLevel === 'Agent'
  const { data } = useQuery({ ...subAgentsQuery, enabled: isAgent })
  if (!data || (!data.allowed && data.subAgents.length === 0)) return null
  return (
    <Link
      href="/agent/sub-agents"
      className="mb-5 flex min-h-13 items-center justify-between gap-3 rounded-box border border-line bg-surface px-4 py-2"
    >
      <span className="min-w-0">
        <b>{texts.link}</b>
        <span className="block text-small text-muted">{texts.linkNote}</span>
      </span>
      <ChevronRight className="size-5 shrink-0 text-muted" aria-hidden="true" />
    </Link>
  )
}
