import { useQuery } from '@tanstack/react-query'
import { Share2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { formatShortTime } from '../../../../shared/dates.ts'
import type { Order } from '../../../../shared/orders.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { shopNow } from '../../../lib/clock.ts'
import { buyTexts } from '../../../texts/buy.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Detail, Details } from '../../../ui/details.tsx'
import { Money } from '../../../ui/money.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Offer } from '../../../ui/ticket.tsx'
import { TornTicket } from '../../../ui/torn-ticket.tsx'
import { orderQuery } from '../../orders/orders/api.ts'
import { PaidAmounts } from '../../orders/orders/paid-amounts.tsx'
import { PaidReferences } from '../../orders/orders/paid-references.tsx'
import { shareOrder } from '../../orders/orders/share-order.ts'
import { PlacedFrame } from '../../orders/purchases/placed-frame.tsx'
import { useShop } from '../../shop/shop/api.ts'

const OwnCheckers = lazy(() => import('../../orders/checkers/own-checkers.tsx'))

type Props = {
  order: Order
  name: string | null
  /** What the wallet holds now. */
  balance: number
  onAgain: () => void
  onAnother: () => void
  onClose: () => void
}

/** The order is placed: the bundle is torn off and goes to the receiver, the stub stays. Open until it is closed. */
export function PlacedSheet({ order, name, balance, onAgain, onAnother, onClose }: Props) {
  const { noSms } = useShop()
  const isHandedOver = order.network === 'WAEC Checkers' && order.status === 'completed'
  const number = <span className="whitespace-nowrap">{spacedPhone(order.receiver)}</span>
  return (
    <PlacedFrame title={buyTexts.orderPlaced} heading={buyTexts.placed} onClose={onClose}>
      {isHandedOver && (
        // With its room kept, so that no button below is far from where it was.
        <div className="text-left">
          <Suspense fallback={<Skeleton className="h-80" />}>
            <OwnCheckers orderId={order._id} />
          </Suspense>
        </div>
      )}
      <TornTicket
        network={order.network}
        className="text-left"
        stub={
          <Details>
            {order.paidWith === 'card' ? (
              <PaidAmounts order={order} />
            ) : (
              <>
                <Detail name={buyTexts.fromWallet}>
                  <Money cedis={order.totalAmount} className="text-large" />
                </Detail>
                <Detail name={buyTexts.leftInWallet}>
                  <Money cedis={balance} />
                </Detail>
              </>
            )}
            <PaidReferences order={order} />
          </Details>
        }
      >
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
          <Offer name={order.offer} size="figure" />
          <p className="min-w-0 text-right">
            {name && <span className="block font-bold break-words">{name}</span>}
            {number}
          </p>
        </div>
      </TornTicket>
      <p className="text-body">
        {isHandedOver ? (
          noSms ? (
            buyTexts.pinReady
          ) : (
            buyTexts.pinHere
          )
        ) : order.network === 'AFA' ? (
          buyTexts.afaNext
        ) : (
          <OnItsWay order={order} name={name} />
        )}
      </p>
      <div className="flex flex-col gap-2">
        <ButtonLink block size="large" href={`/order/${order.number}`}>
          {isHandedOver ? buyTexts.seeOrder : buyTexts.whereIsIt}
        </ButtonLink>
        {/* Where the last press was stands what does no harm when it is pressed twice. */}
        <div className="grid grid-cols-3 gap-2">
          <Button variant="secondary" className="px-1!" onClick={onAgain}>
            {buyTexts.buyAgain}
          </Button>
          <Button variant="secondary" className="px-1!" onClick={onAnother}>
            {buyTexts.anotherNumber}
          </Button>
          <Button
            variant="secondary"
            className="px-1!"
            icon={<Share2 className="size-4.5" aria-hidden="true" />}
            onClick={() => void shareOrder(order)}
          >
            {buyTexts.share}
          </Button>
        </div>
      </div>
    </PlacedFrame>
  )
}

function OnItsWay({ order, name }: Pick<Props, 'order' | 'name'>): ReactNode {
  const { noSms } = useShop()
  const pinComing = noSms ? buyTexts.pinComingHere : buyTexts.pinComing
  return (
    <>
      {order.network === 'WAEC Checkers' ? pinComing : buyTexts.loadingTo(order.offer, name ?? spacedPhone(order.receiver))}{' '}
      <Expectation order={order} />
    </>
  )
}

/** When it should arrive, from how long this network's orders took lately. */
function Expectation({ order }: { order: Order }): ReactNode {
  const { data } = useQuery(orderQuery(order.number))
  const expected = data?.progress.expected
  if (!expected) return buyTexts.usuallyTakes(buyTexts.usuallyLong)
  const { fromMinutes, toMinutes, by } = expected
  return (
    <>
      {buyTexts.usuallyTakes(buyTexts.minutesBetween(fromMinutes, toMinutes))}{' '}
      <strong>{buyTexts.lookForIt(formatShortTime(new Date(by), shopNow()))}</strong>
    </>
  )
}
