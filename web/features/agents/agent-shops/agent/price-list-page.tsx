import { useQuery } from '@tanstack/react-query'
import { Download, MessageCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Redirect } from 'wouter'
import { SHOP_SHADES } from '../../../../../shared/agent-shop-shades.ts'
import type { OwnShop, OwnShopOffer } from '../../../../../shared/agent-shops.ts'
import { formatLongDate, isoDay } from '../../../../../shared/dates.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { myShopTexts as texts } from '../../../../texts/my-shop.ts'
import { ThumbBar } from '../../../../ui/agent/thumb-bar.tsx'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Chip, ChipRow } from '../../../../ui/chip.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Page } from '../../../../ui/page.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { linkOf, ownShopQuery } from './api.ts'
import { drawPriceList } from './draw-price-list.ts'
import { ShopTabs } from './shop-tabs.tsx'

/** What a status is about, as long as the agent chooses nothing else. */
const DATA: readonly string[] = ['MTN', 'Telecel', 'AirtelTigo']

/** The shop's prices as a picture for a WhatsApp status. */
export default function PriceListPage() {
  const { data, error, refetch } = useQuery(ownShopQuery)
  if (data && !data.shop) return <Redirect to="/agent/shop" replace />
  return (
    <Page className="pb-4! lg:pb-16!">
      {data?.shop && <ShopTabs slug={data.shop.slug} current="/agent/shop/price-list" />}
      <PageHeader title={texts.listTitle} actions={<span className="text-body text-muted">{texts.listNote}</span>} />
      {error && !data ? (
        <LoadError what={texts.of} error={error} onRetry={() => void refetch()} />
      ) : !data?.shop ? (
        <Loading>
          <Skeleton className="mx-auto h-128 w-72" />
        </Loading>
      ) : (
        <PriceList shop={data.shop} offers={data.offers.filter(({ state }) => state === 'on-sale')} />
      )}
    </Page>
  )
}

function PriceList({ shop, offers }: { shop: OwnShop; offers: readonly OwnShopOffer[] }) {
  const networks = [...new Set(offers.map(({ network }) => network))]
  const [left, setLeft] = useState<ReadonlySet<string>>(() => new Set(networks.filter((network) => !DATA.includes(network))))
  const canvas = useRef<HTMLCanvasElement>(null)
  const logo = useLogo(shop.logo)
  const shown = offers.filter(({ network }) => !left.has(network))
  const link = linkOf(shop).replace(/^https?:\/\//, '')
  useEffect(() => {
    if (!canvas.current) return
    const whatsapp = shop.whatsapp && spacedPhone(shop.whatsapp)
    drawPriceList(
      canvas.current,
      { name: shop.name, link, whatsapp, band: SHOP_SHADES[shop.colour].band, logo, day: formatLongDate(shopNow()) },
      shown,
    )
  })

  const make = async (): Promise<File> => {
    const picture = await new Promise<Blob | null>((resolve) =>
      canvas.current ? canvas.current.toBlob(resolve, 'image/png') : resolve(null),
    )
    if (!picture) throw new Error(texts.noPicture)
    return new File([picture], `${shop.slug}-${isoDay(shopNow())}.png`, { type: 'image/png' })
  }
  const save = (file: File) => {
    const address = URL.createObjectURL(file)
    Object.assign(document.createElement('a'), { href: address, download: file.name }).click()
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  }
  const hand = (act: (file: File) => unknown) =>
    make()
      .then(act)
      .catch((error: unknown) => {
        // Whoever closes the phone's own dialog has changed their mind.
        if (!(error instanceof DOMException && error.name === 'AbortError')) toast.danger(texts.noPicture)
      })
  const mayShare = typeof navigator.canShare === 'function' && navigator.canShare({ files: [new File([], 'a.png', { type: 'image/png' })] })

  if (offers.length === 0) return <EmptyState title={texts.noOffers}>{texts.noOffersText}</EmptyState>
  const toggle = (network: string) => {
    const next = new Set(left)
    if (!next.delete(network)) next.add(network)
    setLeft(next)
  }
  const acts = mayShare ? (
    <div className="flex gap-2">
      <Button
        block
        size="large"
        icon={<MessageCircle className="size-5" aria-hidden="true" />}
        disabled={shown.length === 0}
        onClick={() => void hand((file) => navigator.share({ files: [file], text: linkOf(shop) }))}
      >
        {texts.share}
      </Button>
      <IconButton
        label={texts.download}
        disabled={shown.length === 0}
        className="size-13! rounded-box! border border-line-strong bg-surface"
        onClick={() => void hand(save)}
      >
        <Download className="size-5" aria-hidden="true" />
      </IconButton>
    </div>
  ) : (
    <Button
      block
      size="large"
      icon={<Download className="size-5" aria-hidden="true" />}
      disabled={shown.length === 0}
      onClick={() => void hand(save)}
    >
      {texts.download}
    </Button>
  )
  return (
    <div className="flex flex-col gap-x-16 gap-y-5 lg:grid lg:grid-cols-[21.5rem_26rem]">
      <canvas
        ref={canvas}
        role="img"
        aria-label={texts.pictureOf(shop.name)}
        className="mx-auto aspect-9/16 w-full max-w-72 rounded-[16px] border border-line shadow-lift lg:max-w-none"
      />
      <div className="flex min-w-0 flex-col gap-3">
        {(!shop.open || shop.closedByOwner) && <NoticeBox tone="pending">{texts.closedPicture}</NoticeBox>}
        <h2 className="text-large">{texts.onPicture}</h2>
        <ChipRow label={texts.onPicture} wrap>
          {networks.map((network) => (
            <Chip key={network} network={network} selected={!left.has(network)} onClick={() => toggle(network)}>
              {network}
            </Chip>
          ))}
        </ChipRow>
        <p className="max-w-prose text-small text-muted">{texts.pictureHint}</p>
        <div className="hidden lg:block">{acts}</div>
      </div>
      <ThumbBar className="lg:hidden">{acts}</ThumbBar>
    </div>
  )
}

/** The logo once it is loaded; null without one, or until then. */
function useLogo(address: string | null): HTMLImageElement | null {
  const [logo, setLogo] = useState<HTMLImageElement | null>(null)
  useEffect(() => {
    setLogo(null)
    if (address === null) return
    const image = new Image()
    image.onload = () => setLogo(image)
    image.src = address
    return () => {
      image.onload = null
    }
  }, [address])
  return logo
}
