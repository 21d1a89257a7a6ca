import { MessageCircle, Phone } from 'lucide-react'
import { Link } from 'wouter'
import type { ShopFace } from '../../../../shared/agent-shops.ts'
import { callLink, whatsAppLink } from '../../../../shared/links.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { guestShopTexts as texts } from '../../../texts/guest-shop.ts'
import { ShopMark } from './shop-mark.tsx'

/** An agent's shop over its pages: name and contacts. `home`: the way back to it, on any page but its first. */
export function ShopHeader({ shop, home }: { shop: ShopFace; home?: string }) {
  const mark = (
    <>
      <ShopMark shop={shop} />
      <div className="min-w-0">
        {home ? <p className="break-words text-title font-bold">{shop.name}</p> : <h1 className="break-words text-title">{shop.name}</h1>}
        {shop.about && <p className="text-small">{shop.about}</p>}
      </div>
    </>
  )
  return (
    <header className="text-white" style={{ background: 'var(--shop-band)' }}>
      <div className="mx-auto flex max-w-7xl flex-col gap-3 px-4 py-4 sm:px-6 md:flex-row md:items-center md:justify-between">
        {home ? (
          <Link href={home} className="flex min-w-0 items-center gap-3">
            {mark}
          </Link>
        ) : (
          <div className="flex min-w-0 items-center gap-3">{mark}</div>
        )}
        {(shop.phone || shop.whatsapp) && (
          <div className="flex flex-wrap gap-2">
            {shop.phone && (
              <a href={callLink(shop.phone)} className={PILL}>
                <Phone className="size-4.5" aria-hidden="true" />
                {spacedPhone(shop.phone)}
              </a>
            )}
            {shop.whatsapp && (
              <a href={whatsAppLink(shop.whatsapp)} target="_blank" rel="noreferrer" className={PILL}>
                <MessageCircle className="size-4.5" aria-hidden="true" />
                {texts.whatsApp}
              </a>
            )}
          </div>
        )}
      </div>
    </header>
  )
}

const PILL =
  'inline-flex min-h-11 flex-1 items-center justify-center gap-2 rounded-box border border-current px-4 font-semibold whitespace-nowrap'
