import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { Redirect } from 'wouter'
import type { ShopSale } from '../../../../../shared/agent-shops.ts'
import { formatShortTime } from '../../../../../shared/dates.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { myShopTexts as texts } from '../../../../texts/my-shop.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { type Column, DataTable } from '../../../../ui/data-table.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money } from '../../../../ui/money.tsx'
import { NetworkArt } from '../../../../ui/network-art.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Page } from '../../../../ui/page.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { useLastPage, useListState } from '../../../../ui/use-list-state.ts'
import { ownShopQuery, salesQuery } from './api.ts'
import { Kept, SaleRow, SaleStatus } from './sale-row.tsx'
import { ShopTabs } from './shop-tabs.tsx'

/** What the shop sold, and what the agent keeps of each order. */
export default function SalesPage() {
  const list = useListState()
  const { search } = list.query
  const shop = useQuery(ownShopQuery).data
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...salesQuery(list.query),
    placeholderData: keepPreviousData,
  })
  useLastPage(isPlaceholderData ? undefined : data, list)
  if (shop && !shop.shop) return <Redirect to="/agent/shop" replace />
  return (
    <Page>
      {shop?.shop && <ShopTabs slug={shop.shop.slug} current="/agent/shop/sales" />}
      <PageHeader title={texts.salesTitle} />
      {error && !data ? (
        <LoadError what={texts.salesOf} error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          caption={texts.salesTitle}
          columns={COLUMNS}
          rows={data?.rows}
          rowKey={({ number }) => number}
          total={data?.total ?? 0}
          state={list.table}
          onState={list.setTable}
          stale={isPlaceholderData}
          searchLabel={texts.searchSales}
          bareCards
          card={(sale) => <SaleRow sale={sale} />}
          empty={
            search ? (
              <EmptyState icon={<ReceiptText />} title={texts.noSuchSale}>
                {texts.noSuchSaleText}
              </EmptyState>
            ) : (
              <EmptyState
                icon={<ReceiptText />}
                title={texts.noSales}
                action={<ButtonLink href="/agent/shop/price-list">{texts.share}</ButtonLink>}
              >
                {texts.noSalesText}
              </EmptyState>
            )
          }
        />
      )}
    </Page>
  )
}

const { saleColumns } = texts

const COLUMNS: readonly Column<ShopSale>[] = [
  { key: 'order', header: saleColumns.order, cell: ({ number }) => <span className="tabular">{number}</span> },
  {
    key: 'bundle',
    header: saleColumns.bundle,
    cell: ({ network, offer }) => (
      <span className="flex items-center gap-2">
        <NetworkArt network={network} size={32} />
        <span className="min-w-0 break-words">
          <b>{offer}</b> {network}
        </span>
      </span>
    ),
  },
  { key: 'guest', header: saleColumns.guest, cell: ({ receiver }) => <span className="tabular whitespace-nowrap">{receiver}</span> },
  { key: 'price', header: saleColumns.price, align: 'right', cell: ({ price }) => <Money cedis={price} /> },
  { key: 'cost', header: saleColumns.cost, align: 'right', cell: ({ cost }) => <Money cedis={cost} /> },
  {
    key: 'keep',
    header: saleColumns.keep,
    align: 'right',
    cell: (sale) => (
      <span className="flex flex-col items-end">
        <Kept sale={sale} />
      </span>
    ),
  },
  { key: 'status', header: saleColumns.status, cell: (sale) => <SaleStatus sale={sale} /> },
  {
    key: 'date',
    header: saleColumns.date,
    cell: ({ createdAt }) => <span className="tabular whitespace-nowrap">{formatShortTime(new Date(createdAt), shopNow())}</span>,
  },
]
