import { Copy, MessageCircle } from 'lucide-react'
import { SHOP_SHADES } from '../../../../../shared/agent-shop-shades.ts'
import type { OwnShop } from '../../../../../shared/agent-shops.ts'
import { whatsAppShareLink } from '../../../../../shared/links.ts'
import { copyText } from '../../../../lib/copy-text.ts'
import { myShopTexts as texts } from '../../../../texts/my-shop.ts'
import { Button, buttonClass } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toast.ts'
import { ShopMark } from '../../guest-shop/shop-mark.tsx'
import { linkOf } from './api.ts'

type Props = {
  shop: Pick<OwnShop, 'slug' | 'name' | 'colour' | 'logo'> & Partial<Pick<OwnShop, 'host'>>
  /** Shows how it will look; its link leads nowhere yet. */
  notYetOpen?: boolean
}

/** The shop as guests know it, and its link to hand on. */
export function ShareBox({ shop, notYetOpen }: Props) {
  const link = linkOf(shop)
  const copy = async () => {
    if (await copyText(link)) toast.success(texts.copied)
    else toast.danger(texts.notCopied(link))
  }
  return (
    <section aria-label={texts.linkTitle} className="overflow-hidden rounded-box border border-line bg-surface">
      <div className="flex items-center gap-3 p-3 text-white" style={{ background: SHOP_SHADES[shop.colour].band }}>
        <ShopMark shop={shop} />
        <div className="min-w-0">
          <p className="break-words text-title font-bold">{shop.name}</p>
          <p className="text-body break-all">{link.replace(/^https?:\/\//, '')}</p>
        </div>
      </div>
      {!notYetOpen && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(7.5rem,100%),1fr))] gap-2 p-2">
          <Button variant="secondary" icon={<Copy className="size-4.5" aria-hidden="true" />} onClick={() => void copy()}>
            {texts.copy}
          </Button>
          <a
            href={whatsAppShareLink(texts.invitation(shop.name, link))}
            target="_blank"
            rel="noreferrer"
            className={buttonClass('secondary')}
          >
            <MessageCircle className="size-4.5" aria-hidden="true" />
            {texts.whatsApp}
          </a>
        </div>
      )}
    </section>
  )
}
