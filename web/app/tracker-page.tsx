import { useEffect, useState } from 'react'
import type { ShopFace } from '../../shared/agent-shops.ts'
import { AgentFrame } from '../features/agents/guest-shop/agent-frame.tsx'
import { faceSeen, readShop } from '../features/agents/guest-shop/api.ts'
import { useShop } from '../features/shop/shop/api.ts'
import { SharedOrderPage } from '../features/storefront/tracker/shared-order-page.tsx'
import { TrackPage } from '../features/storefront/tracker/track-page.tsx'
import { Frame } from './shell.tsx'

/** The tracker, or an order by its link: under the name of the agent's shop where the order was placed, under the house's otherwise. */
export default function TrackerPage({ reference }: { reference?: string | undefined }) {
  const { agentShop } = useShop()
  const isLink = reference !== undefined
  // At an agent's own host name there is nobody else. At the house's address their shop leads to the tracker by its slug.
  const slug = agentShop ?? (isLink ? null : new URLSearchParams(window.location.search).get('shop'))
  // Undefined until it is known, null for the house.
  const [base, setBase] = useState<ShopFace | null | undefined>(() => (slug === null && !isLink ? null : faceSeen(slug)))
  const [ofOrder, setOfOrder] = useState<ShopFace | null>()
  const isKnown = base !== undefined
  useEffect(() => {
    if (slug !== null && !isKnown) readShop(slug).then(setBase, () => setBase(null))
  }, [slug, isKnown])

  const face = agentShop !== undefined || ofOrder === undefined || (!isLink && ofOrder === null) ? base : ofOrder
  return (
    <Frame bare={face !== null}>
      <AgentFrame face={face}>
        {isLink ? <SharedOrderPage reference={reference} face={face} onFace={setOfOrder} /> : <TrackPage onFace={setOfOrder} />}
      </AgentFrame>
    </Frame>
  )
}
