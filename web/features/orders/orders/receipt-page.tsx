import { useQuery } from '@tanstack/react-query'
import { MessageCircle, PackageX, Printer, RotateCcw, Share2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { whatsAppShareLink } from '../../../../shared/links.ts'
import { formatCedis } from '../../../../shared/money.ts'
import type { Order, OrderProgress } from '../../../../shared/orders.ts'
import { maskPhone, spacedPhone } from '../../../../shared/phones.ts'
import { QueryProvider } from '../../../lib/query-provider.tsx'
import { orderTexts } from '../../../texts/orders.ts'
import { receiptTexts as texts } from '../../../texts/receipts.ts'
import { Button, ButtonLink, buttonClass } from '../../../ui/button.tsx'
import { Detail, Details } from '../../../ui/details.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { moneyText } from '../../../ui/money.tsx'
import { LoadError } from '../../../ui/notice-box.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { useReceivers } from '../../catalogue/contacts/api.ts'
import { buyAgainPath } from '../../catalogue/contacts/buy-again-path.ts'
import { nameOfReceiver } from '../../catalogue/contacts/name-of-receiver.ts'
import { useShop } from '../../shop/shop/api.ts'
import { HelpLink } from '../../shop/shop/help-link.tsx'
import { orderQuery } from './api.ts'
import { isAbsent } from './is-absent.ts'
import { PaidAmounts } from './paid-amounts.tsx'
import { PaidReferences } from './paid-references.tsx'
import { ReceiptTicket } from './receipt-ticket.tsx'
import { shareOrder } from './share-order.ts'
import { shareReceipt } from './share-receipt.ts'
import { totalPaid } from './total-paid.ts'

/** One order's receipt as a big ticket, to share, print or buy again. `id` is the order's number or `_id`. */
export default function ReceiptPage({ id }: { id: string }) {
  return (
    <QueryProvider>
      <div className="field receipt-page min-h-[calc(100dvh-4rem)]">
        <Page className="pt-4 lg:pt-10">
          <ReceiptById id={id} />
        </Page>
      </div>
    </QueryProvider>
  )
}

function ReceiptById({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(orderQuery(id))
  if (data) return <Receipt {...data} />
  if (!error)
    return (
      <Loading>
        <Skeleton className="mx-auto h-[30rem] max-w-96" />
      </Loading>
    )
  return (
    <>
      <PageHeader title={texts.title} />
      {isAbsent(error) ? (
        <EmptyState
          icon={<PackageX />}
          title={orderTexts.absent}
          action={<ButtonLink href="/user/history">{orderTexts.seeTransactions}</ButtonLink>}
        >
          {orderTexts.absentText}
        </EmptyState>
      ) : (
        <LoadError what={orderTexts.what} error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

function Receipt({ order, progress }: { order: Order; progress: OrderProgress }) {
  const shop = useShop()
  const name = nameOfReceiver(useReceivers(), order)
  const [withPrice, setWithPrice] = useState(false)
  const [drawing, setDrawing] = useState(false)
  const ticket = useRef<HTMLDivElement>(null)
  const amount = formatCedis(totalPaid(order))
  const link = new URL(`/t/${order.reference}`, location.href).href
  const price = withPrice ? texts.price(amount) : null
  const shown = { order, progress, name, price, shopName: shop.name, link: link.replace(/^https?:\/\//, '') }

  const share = async () => {
    setDrawing(true)
    const isShared = ticket.current !== null && (await shareReceipt(ticket.current, shown, link))
    setDrawing(false)
    if (!isShared) await shareOrder(order)
  }

  return (
    <div className="grid gap-x-20 lg:grid-cols-[26rem_25rem] lg:items-center lg:justify-center">
      <h1 className="sr-only">{texts.title}</h1>
      <ReceiptTicket ref={ticket} {...shown} />
      <div className="mx-auto w-full max-w-104">
        <div className="no-print mt-5">
          <SwitchField
            name="price"
            label={texts.showPrice}
            hint={withPrice ? texts.priceShows(amount) : texts.priceStays(amount)}
            checked={withPrice}
            onValue={setWithPrice}
          />
          <a
            href={whatsAppShareLink(`${messageOf(order, progress)}${price ? ` ${price}.` : ''}\n${link}`)}
            target="_blank"
            rel="noreferrer"
            className={`${buttonClass('primary')} mt-4 w-full`}
          >
            <MessageCircle className="size-5" aria-hidden="true" />
            {texts.whatsApp}
          </a>
          <div className="mt-2 flex flex-wrap gap-2 *:flex-1 *:basis-30 *:px-2!">
            <Button
              variant="secondary"
              className="max-sm:basis-full!"
              icon={<Share2 className="size-5" aria-hidden="true" />}
              busy={drawing}
              busyLabel={texts.preparing}
              onClick={() => void share()}
            >
              {texts.share}
            </Button>
            <ButtonLink variant="secondary" icon={<RotateCcw className="size-4.5" aria-hidden="true" />} href={buyAgainPath(order)}>
              {texts.buyAgain}
            </ButtonLink>
            <Button variant="secondary" icon={<Printer className="size-4.5" aria-hidden="true" />} onClick={() => window.print()}>
              {texts.print}
            </Button>
          </div>
        </div>
        <HelpLink about="receipt" reference={order.number} look="link" className="no-print mt-2" />
        <section aria-label={texts.details} className="mt-4 text-body">
          <Details>
            <Detail name={texts.status}>{order.status}</Detail>
            <Detail name={texts.shop}>{shop.name}</Detail>
            <Detail name={texts.network}>{order.network}</Detail>
            <Detail name={texts.offer}>{order.offer}</Detail>
            <Detail name={texts.receiver}>
              <span className="tabular">{spacedPhone(order.receiver)}</span>
            </Detail>
            <Detail name={texts.paidWith}>{order.paidWith === 'card' ? texts.card : texts.wallet}</Detail>
            <PaidReferences order={order} />
            <Detail name={texts.id}>{order.number}</Detail>
            <Detail name={texts.date}>{orderTexts.utc(order.date)}</Detail>
            <Detail name={texts.boughtBy}>{order.user}</Detail>
            {withPrice && <PaidAmounts order={order} />}
          </Details>
          {order.status === 'rejected' && <p className="mt-4 text-muted">{texts.refunded(moneyText(totalPaid(order)))}</p>}
        </section>
      </div>
    </div>
  )
}

function messageOf(order: Order, { steps }: OrderProgress): string {
  const bought = { network: order.network, offer: order.offer, receiver: maskPhone(order.receiver) }
  const isDelivered = order.status !== 'rejected' && steps.some(({ step, at }) => step === 'delivered' && at !== null)
  return texts.message[isDelivered ? 'delivered' : order.status](bought)
}
