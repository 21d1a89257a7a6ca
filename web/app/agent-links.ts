import { appTexts } from '../texts/app.ts'

type AgentTab = { href: string; label: string }

/** The agents' tabs of My Dashboard, before those of every customer. */
export const AGENT_TABS: readonly AgentTab[] = [{ href: '/agent/earnings', label: appTexts.earnings }]
