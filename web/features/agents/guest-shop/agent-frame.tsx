import type { ReactNode } from 'react'
import type { ShopFace } from '../../../../shared/agent-shops.ts'
import { guestShopTexts as texts } from '../../../texts/guest-shop.ts'
import { Page } from '../../../ui/page.tsx'
import { useShop } from '../../shop/shop/api.ts'
import { shopPath } from './api.ts'
import { ShopHeader } from './shop-header.tsx'
import { useShopLook } from './use-shop-look.ts'

/** `face` is null for the house, and undefined until it is known whose page it is. */
type Props = { face: ShopFace | null | undefined; children: ReactNode }

/** What stands around a page of an agent's guest: the shop's name with the way back, its contacts and its colour. */
export function AgentFrame({ face, children }: Props) {
  const house = useShop()
  useShopLook(face ?? null)
  return (
    <>
      {face === undefined && <div aria-hidden="true" className="min-h-14 border-b border-line bg-surface md:min-h-16" />}
      {face && <ShopHeader shop={face} home={shopPath(face.slug)} />}
      {children}
      {face && (
        <Page width="form" className="pb-8 text-small text-muted">
          {texts.soldWith(face.name, house.name)}
        </Page>
      )}
    </>
  )
}
