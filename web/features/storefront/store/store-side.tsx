import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { formatShortTime } from '../../../../shared/dates.ts'
import type { Order } from '../../../../shared/orders.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { shopNow } from '../../../lib/clock.ts'
import { QueryProvider } from '../../../lib/query-provider.tsx'
import { session } from '../../../lib/session.ts'
import { buyTexts } from '../../../texts/buy.ts'
import { Money } from '../../../ui/money.tsx'
import { StatusPunches } from '../../../ui/punches.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TicketRow } from '../../../ui/ticket.tsx'
import { useAreReceiversKnown, useReceivers } from '../../catalogue/contacts/api.ts'
import { useShortcuts } from '../../catalogue/contacts/use-shortcuts.ts'
import { orderHistory, orderQuery, ordersQuery } from '../../orders/orders/api.ts'

/** What a returning customer came for: the last bundles again, what is on the way, and the wallet where there is room. */
export default function StoreSide() {
  return (
    <QueryProvider>
      <Side />
    </QueryProvider>
  )
}

function Side() {
  const user = session.use()
  const shortcuts = useShortcuts()
  const isKnown = useAreReceiversKnown()
  const [pendingBefore] = useState(() => orderHistory.get()?.find(({ status }) => status === 'pending'))
  const { data: pending } = useQuery(ordersQuery({ page: 1, pageSize: 5, status: 'pending', mine: 'true' }))
  const onTheWay = pending ? pending.rows[0] : pendingBefore
  return (
    <div className="flex flex-col gap-3 lg:gap-6">
      <Part title={buyTexts.buyAgain}>
        {shortcuts.length === 0 && !isKnown ? (
          <Skeleton className="h-17" />
        ) : shortcuts.length === 0 ? (
          <p className="grid min-h-17 items-center rounded-box border border-dashed border-line-strong px-4 text-small text-muted">
            {buyTexts.buyAgainEmpty}
          </p>
        ) : (
          <ul className="-mx-4 flex snap-x gap-2 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] sm:-mx-6 sm:px-6 lg:mx-0 lg:flex-col lg:px-0">
            {shortcuts.map(({ href, network, offer, name, phoneNumber, price }) => (
              <li key={href} className="w-72 shrink-0 snap-center lg:w-auto">
                <TicketRow
                  network={network}
                  label={buyTexts.buyAgainLabel}
                  title={name ?? spacedPhone(phoneNumber)}
                  subtitle={name ? `${offer} · ${spacedPhone(phoneNumber)}` : `${network} ${offer}`}
                  stub={<Money cedis={price} />}
                  href={href}
                />
              </li>
            ))}
          </ul>
        )}
      </Part>
      {onTheWay && (
        <Part title={buyTexts.onTheWay} quiet>
          <OnTheWay order={onTheWay} />
        </Part>
      )}
      <div className="max-lg:hidden">
        <Part title={buyTexts.wallet}>
          <div className="flex items-center justify-between gap-3 rounded-box border border-line bg-surface px-4 py-3">
            <p className="text-small text-muted">
              {buyTexts.walletBalance}
              <Money cedis={user?.balance ?? 0} className="block text-title text-ink" />
            </p>
            <Link href="/user/finance" className="inline-flex min-h-11 items-center gap-1 font-semibold text-brand-text">
              {buyTexts.topUp}
              <ChevronRight className="size-4.5" aria-hidden="true" />
            </Link>
          </div>
        </Part>
      </div>
    </div>
  )
}

function Part({ title, quiet, children }: { title: string; quiet?: boolean; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2
        className={
          quiet
            ? 'max-lg:sr-only mb-1 text-small lg:mb-2 lg:text-large'
            : 'mb-1 text-small font-normal text-muted lg:mb-2 lg:text-large lg:font-semibold lg:text-ink'
        }
      >
        {title}
      </h2>
      {children}
    </section>
  )
}

function OnTheWay({ order }: { order: Order }) {
  const { data } = useQuery(orderQuery(order.number))
  const name = useReceivers().find(({ network, phoneNumber }) => network === order.network && phoneNumber === order.receiver)?.name
  const now = shopNow()
  const steps = data?.progress.steps ?? []
  const sent = steps.find(({ step, at }) => step === 'sent' && at !== null)?.at
  const by = data?.progress.expected?.by
  const time = (at: string) => formatShortTime(new Date(at), now)
  const told = sent ? buyTexts.sentAt(time(sent)) : buyTexts.paidAt(time(order.createdAt))
  return (
    <Link
      href={`/order/${order.number}`}
      className="flex min-h-14 items-center justify-between gap-3 rounded-box border border-pending bg-surface px-3 py-1.5"
    >
      <span className="min-w-0">
        <span className="block font-bold break-words">{buyTexts.offerTo(order.offer, name ?? spacedPhone(order.receiver))}</span>
        <span className="block text-small break-words text-muted">{by ? `${told} · ${buyTexts.arrivesBy(time(by))}` : told}</span>
      </span>
      <StatusPunches status={order.status} sent={sent != null} />
    </Link>
  )
}
