import { signedInTexts } from '../texts/signed-in.ts'

/** Tabs of a customer who sells under an agent, before those of every customer. */
export const SUB_AGENT_TABS = [
  { href: '/agent/shop', label: signedInTexts.myShop },
  { href: '/agent/earnings', label: signedInTexts.earnings },
]
/** Where this browser remembers that a customer sells under an agent. */
export const SELLS = 'sells-under-agent'
