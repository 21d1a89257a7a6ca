import { useQuery } from '@tanstack/react-query'
import { Store } from 'lucide-react'
import { myShopTexts as texts } from '../../../../texts/my-shop.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Page } from '../../../../ui/page.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { useShop } from '../../../shop/shop/api.ts'
import { AgentAbove } from './agent-above.tsx'
import { ownShopQuery } from './api.ts'
import { OpenShopForm } from './open-shop-form.tsx'
import { ShopSettings, ShopState } from './shop-settings.tsx'
import { ShopTabs } from './shop-tabs.tsx'
import { SubAgentsLink } from './sub-agents-link.tsx'

/** The agent's own shop: opened here, then its prices and how it looks. */
export default function MyShopPage() {
  const house = useShop().name
  const { data, error, refetch } = useQuery(ownShopQuery)
  const shop = data?.shop
  return (
    <Page className="pb-4! lg:pb-16!">
      {shop && <ShopTabs slug={shop.slug} current="/agent/shop" />}
      <PageHeader title={data && !shop ? texts.openTitle : texts.title} actions={shop && <ShopState shop={shop} />} />
      {data?.agentAbove ? <AgentAbove agent={data.agentAbove} /> : shop && <SubAgentsLink />}
      {error && !data ? (
        <LoadError what={texts.of} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading>
          <div className="flex flex-col gap-4">
            <Skeleton className="h-32" />
            <Skeleton className="h-96" />
          </div>
        </Loading>
      ) : shop ? (
        <ShopSettings shop={shop} offers={data.offers} house={house} isUnder={data.agentAbove !== null} />
      ) : data.mayOpen ? (
        <OpenShopForm house={house} />
      ) : (
        <EmptyState icon={<Store />} title={texts.notYet} action={<ButtonLink href="/agent">{texts.backToToday}</ButtonLink>}>
          {texts.notYetText(house)}
        </EmptyState>
      )}
    </Page>
  )
}
