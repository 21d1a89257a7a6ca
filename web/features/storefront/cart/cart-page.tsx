import { ChevronRight, ShoppingCart } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { bundleName } from '../../../../shared/bundle-name.ts'
import { MAX_CHECKOUT_ITEMS } from '../../../../shared/limits.ts'
import { CARD_SURCHARGE_PERCENT, toCedis, toPesewas, withCardSurcharge } from '../../../../shared/money.ts'
import type { Network } from '../../../../shared/networks.ts'
import type { CheckoutItem } from '../../../../shared/orders.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { RefusedError } from '../../../lib/http.ts'
import { oneAtATime } from '../../../lib/one-at-a-time.ts'
import { QueryProvider } from '../../../lib/query-provider.tsx'
import { session } from '../../../lib/session.ts'
import { together } from '../../../lib/subject.ts'
import { useIsOffline } from '../../../lib/use-is-offline.ts'
import { cartTexts } from '../../../texts/cart.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../ui/details.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../ui/money.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { OfflineNote } from '../../../ui/offline-note.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { toast } from '../../../ui/toast.ts'
import { agreeToPayAgain } from '../../card/payments/agree-to-pay-again.tsx'
import { confirmCardCharge } from '../../card/payments/confirm-card-charge.tsx'
import { cardPhase, payByCard } from '../../card/payments/pay-by-card.ts'
import { PaymentBoxes } from '../../card/payments/payment-boxes.tsx'
import { TopUpAndBuy } from '../../card/payments/top-up-and-buy.tsx'
import { dismissPaid } from '../../card/payments/waiting-payments.ts'
import { useReceivers } from '../../catalogue/contacts/api.ts'
import { nameOfReceiver } from '../../catalogue/contacts/name-of-receiver.ts'
import { useProducts } from '../../catalogue/products/api.ts'
import { aboutPrices, aboutWallet } from '../../orders/purchases/about-prices.ts'
import { CheckingNotice } from '../../orders/purchases/checking-notice.tsx'
import { type BoughtItem, finishPurchase, onCartPlaced, REDIRECT_MS, reportRefusal } from '../../orders/purchases/finish-purchase.ts'
import { checkoutPhase, payFromWallet } from '../../orders/purchases/pay-from-wallet.ts'
import { ReceiverWarnings, receiverWarnings } from '../../orders/purchases/receiver-warnings.tsx'
import { refreshSessionUser } from '../../people/users/api.ts'
import { HelpLink } from '../../shop/shop/help-link.tsx'
import { rememberPurchase } from '../../wallet/wallet/remembered-purchase.ts'
import { aboutLines, nameOfLines } from './about-lines.ts'
import { type CartItem, cart, totalOf } from './cart.ts'
import { CartLine, RemovedLine } from './cart-line.tsx'
import { CartPlaced } from './cart-placed.tsx'
import { type CartChange, repriceCart } from './reprice-cart.ts'
import { useRemovedLines } from './use-removed-lines.ts'

export default function CartPage() {
  return (
    <QueryProvider>
      <Cart />
    </QueryProvider>
  )
}

function Cart() {
  const items = cart.use()
  const user = session.use()
  const { data: products } = useProducts()
  const [, navigate] = useLocation()
  const [refusal, setRefusal] = useState<string | null>(null)
  const [newPrices, setNewPrices] = useState<ReadonlyMap<string, CartChange>>(new Map())
  const [placed, setPlaced] = useState<readonly BoughtItem[] | null>(null)
  useEffect(() => onCartPlaced(setPlaced), [])
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const walletAt = checkoutPhase.use()
  const cardAt = cardPhase.use()
  const busy = walletAt.phase !== 'idle' || cardAt !== 'idle'

  const level = user?.userLevel ?? 'Customer'
  const standing = products ? repriceCart(items, products, level) : { items, changes: [] }
  const gone = new Set(standing.changes.filter((change) => change.kind === 'gone').map((change) => change.id))
  const total = totalOf(items)
  const empty = items.length === 0
  const short = !empty && user !== null && user.balance < total
  const blocked = empty || gone.size > 0 || items.length > MAX_CHECKOUT_ITEMS
  const sum = cartTexts.subtotal(items.length)
  const offline = useIsOffline()
  const { lines, remove, undo, forget } = useRemovedLines(items)
  const receivers = useReceivers()
  const nameOf = ({ service, phoneNumber }: CartItem) => nameOfReceiver(receivers, { network: service, receiver: phoneNumber })

  // A changed price is applied and pointed out, never charged silently.
  useEffect(() => {
    const changes = standing.changes.filter((change) => change.kind === 'price')
    if (changes.length === 0 || busy) return
    cart.set(standing.items)
    setNewPrices((before) => new Map([...before, ...changes.map((change) => [change.id, change] as const)]))
  }, [standing, busy])

  const afterRefusal = (error: Error) => {
    reportRefusal(error, isOpen.current ? setRefusal : null)
  }

  const askToTopUp = () => {
    toast.danger(cartTexts.insufficient)
    setTimeout(() => {
      void confirmAction({ title: cartTexts.insufficientTitle, question: cartTexts.topUp }).then((yes) => {
        if (!yes) return
        rememberPurchase({ price: total, name: cartTexts.yourCart(items.length), path: '/cart' })
        navigate('/user/finance')
      })
    }, REDIRECT_MS)
  }

  const warnings = (
    <ReceiverWarnings
      warnings={receiverWarnings(items.map(({ service, phoneNumber, offer }) => ({ network: service as Network, phoneNumber, offer })))}
    />
  )

  /** What is bought and for whom, in each question before it is paid. */
  const list = (
    <ol className="mb-3 flex max-h-56 flex-col gap-2 overflow-y-auto overscroll-contain">
      {items.map((item) => (
        <li key={item.id} className="flex items-baseline justify-between gap-3">
          <span className="min-w-0">
            <span className="block font-semibold break-words">{bundleName(item.service, item.offer)}</span>
            <span className="tabular block text-muted">{[nameOf(item), spacedPhone(item.phoneNumber)].filter(Boolean).join(' · ')}</span>
          </span>
          <Money cedis={item.amount} />
        </li>
      ))}
    </ol>
  )

  const [alone] = useState(oneAtATime)
  const checkoutWithWallet = async () => {
    if (blocked || busy || !user) return
    setRefusal(null)
    dismissPaid()
    forget()
    if (short) {
      askToTopUp()
      return
    }
    // The buyer agrees to the prices in the question; the shop refuses if one has changed since.
    const lines = cart.get()
    const wanted = lines.map(toItem)
    const bought = together(aboutLines(lines), aboutPrices(wanted))
    const question = {
      about: together(bought, aboutWallet(toPesewas(total))),
      question: cartTexts.proceed,
      details: (
        <>
          {list}
          <Details>
            <Detail name={sum} strong>
              <Money cedis={total} />
            </Detail>
            <LeftInWallet price={total} />
          </Details>
          {warnings}
        </>
      ),
      stub: <Money cedis={total} />,
    }
    if (!(await confirmAction(question)) || !(await agreeToPayAgain({ purpose: 'order', items: wanted }))) return
    const buyer = session.get()
    // The session ended meanwhile, which is told where it says so.
    if (!buyer) return
    if (buyer.balance < total) {
      askToTopUp()
      return
    }
    const outcome = await payFromWallet(wanted, 'cart', { about: bought, name: nameOfLines(lines) })
    if (outcome.status === 'placed') {
      finishPurchase('cart', wanted)
      return
    }
    if (outcome.error instanceof RefusedError && outcome.error.code === 'INSUFFICIENT_BALANCE') {
      refreshSessionUser().catch(() => undefined)
      askToTopUp()
      return
    }
    afterRefusal(outcome.error)
  }

  const checkoutWithCard = async () => {
    if (blocked || busy) return
    setRefusal(null)
    forget()
    const lines = cart.get()
    const items = lines.map(toItem)
    const cartIds = lines.map(({ id }) => id)
    const about = together(aboutLines(lines), aboutPrices(items))
    if (!(await confirmCardCharge(total, { priceName: sum, bought: list, warnings, about }))) return
    const outcome = await payByCard({ purpose: 'order', source: 'cart', items, cartIds }, withCardSurcharge(toPesewas(total)))
    if (outcome.status === 'refused') afterRefusal(outcome.error)
  }

  const payButton = (
    <Button
      block
      {...(short ? { variant: 'secondary' } : { size: 'large' })}
      disabled={blocked || busy}
      busy={walletAt.phase !== 'idle'}
      stub={<Money cedis={total} />}
      onClick={() => void alone(checkoutWithWallet)}
    >
      {cartTexts.withWallet}
    </Button>
  )
  const topUpAndBuy = (
    <TopUpAndBuy
      loud
      items={items.map(toItem)}
      source="cart"
      cartIds={items.map(({ id }) => id)}
      disabled={blocked || busy}
      bought={list}
      warnings={warnings}
      about={aboutLines(items)}
      onPress={() => setRefusal(null)}
      onOutcome={(outcome) => {
        if (outcome.status === 'refused') afterRefusal(outcome.error)
      }}
    />
  )

  return (
    <Page>
      <PageHeader
        title={cartTexts.title}
        actions={
          !empty && (
            <Link
              href="/store"
              className="inline-flex min-h-11 items-center gap-1 font-semibold text-brand-text underline-offset-4 hover:underline"
            >
              {cartTexts.addAnother}
              <ChevronRight className="size-4.5" aria-hidden="true" />
            </Link>
          )
        }
      />
      <PaymentBoxes about={(payment) => payment.items.length > 0} className="mb-4" />
      {offline && !empty && (
        <NoticeBox tone="pending" className="mb-4">
          {cartTexts.offline}
        </NoticeBox>
      )}
      <div className="flex flex-col gap-4 lg:grid lg:grid-cols-[minmax(0,1fr)_22.5rem] lg:items-start lg:gap-8">
        <div className="flex flex-col gap-3">
          {lines.length > 0 && (
            <ol className="flex flex-col gap-2">
              {lines.map(({ item, number }) => (
                <li key={item.id}>
                  {number === null ? (
                    <RemovedLine item={item} name={nameOf(item)} onUndo={() => undo(item)} />
                  ) : (
                    <CartLine
                      number={number}
                      item={item}
                      name={nameOf(item)}
                      gone={gone.has(item.id)}
                      change={newPrices.get(item.id)}
                      disabled={busy}
                      onRemove={() => remove(item)}
                    />
                  )}
                </li>
              ))}
            </ol>
          )}
          {empty && (
            <EmptyState
              icon={<ShoppingCart />}
              title={cartTexts.empty}
              action={<ButtonLink href="/store">{cartTexts.goToStore}</ButtonLink>}
            >
              {cartTexts.emptyHint}
            </EmptyState>
          )}
        </div>
        <div
          className={classNames(
            !empty && 'sticky',
            'bottom-[calc(60px+env(safe-area-inset-bottom))] -mx-4 flex flex-col gap-3 border-t border-line bg-paper px-4 py-3 sm:-mx-6 sm:px-6 md:bottom-0 lg:top-20 lg:bottom-auto lg:mx-0 lg:border-0 lg:p-0 short:static',
          )}
        >
          <CheckingNotice source="cart" />
          {cardAt === 'confirming' && <NoticeBox title={cartTexts.checkingCard}>{cartTexts.keepOpen}</NoticeBox>}
          {gone.size > 0 && <NoticeBox tone="pending">{cartTexts.removeGone}</NoticeBox>}
          {items.length > MAX_CHECKOUT_ITEMS && <NoticeBox tone="pending">{cartTexts.tooMany(MAX_CHECKOUT_ITEMS)}</NoticeBox>}
          <dl className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 gap-y-1">
            <dt className="text-large font-bold">{sum}</dt>
            <dd className="text-right text-[min(1em,5vw)]">
              <Money cedis={total} className="text-title" />
            </dd>
            <dt className="text-body text-muted">
              {cartTexts.walletBalance} <OfflineNote />
            </dt>
            <dd className="text-right text-[min(1em,5vw)]">
              <Money cedis={user?.balance ?? 0} className={short ? 'text-danger' : ''} />
            </dd>
          </dl>
          <div className="flex flex-col gap-2">
            {short ? topUpAndBuy : payButton}
            {/* Below what was pressed, which stays under the thumb. */}
            {refusal && !busy && !empty && <NoticeBox tone="danger">{refusal}</NoticeBox>}
            <Button
              block
              variant="secondary"
              disabled={blocked || busy}
              busy={cardAt !== 'idle'}
              note={cartTexts.charge(CARD_SURCHARGE_PERCENT, moneyText(toCedis(withCardSurcharge(toPesewas(total)))))}
              onClick={() => void alone(checkoutWithCard)}
            >
              {cartTexts.withoutWallet}
            </Button>
            {short && payButton}
          </div>
        </div>
      </div>
      <HelpLink about="cart" look="link" className="mt-2" />
      {placed && <CartPlaced items={placed} products={products} onClose={() => setPlaced(null)} />}
    </Page>
  )
}

function toItem({ productId, offer, phoneNumber, amount, afa }: CartItem): CheckoutItem {
  return { productId, offer, phoneNumber, amount, afa }
}

/** Another tab may buy while this is asked. */
function LeftInWallet({ price }: { price: number }) {
  const left = toPesewas(session.use()?.balance ?? 0) - toPesewas(price)
  if (left < 0) return null
  return (
    <Detail name={cartTexts.leftInWallet}>
      <Money cedis={toCedis(left)} />
    </Detail>
  )
}
