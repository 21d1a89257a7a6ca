import { myShopTexts as texts } from '../../../../texts/my-shop.ts'
import { Tabs } from '../../../../ui/tabs.tsx'

/** The screens of an agent's shop, the last as guests see it. */
export function ShopTabs({ slug, current }: { slug: string; current: string }) {
  const tabs = [
    { href: '/agent/shop', label: texts.tabs.look },
    { href: '/agent/shop/sales', label: texts.tabs.sales },
    { href: '/agent/shop/price-list', label: texts.tabs.list },
    { href: `/s/${slug}`, label: texts.tabs.see },
  ]
  return <Tabs label={texts.title} tabs={tabs} current={current} />
}
