import { CreditCard, ShoppingCart, Trash2, Wallet } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { MAX_CHECKOUT_ITEMS } from '../../../shared/limits.ts'
import { CARD_SURCHARGE_PERCENT, toCedis, toPesewas, withCardSurcharge } from '../../../shared/money.ts'
import { type Network, prefixWarning } from '../../../shared/networks.ts'
import type { CheckoutItem } from '../../../shared/orders.ts'
import { phoneProblem, spacedPhone } from '../../../shared/phones.ts'
import { RefusedError } from '../../lib/http.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { session } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm-action.ts'
import { Detail, Details } from '../../ui/details.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money, moneyText } from '../../ui/money.tsx'
import { NetworkBadge } from '../../ui/network-badge.tsx'
import { NoticeBox } from '../../ui/notice-box.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { toast } from '../../ui/toast.ts'
import { CheckingNotice } from '../checkout/checking-notice.tsx'
import { finishPurchase, REDIRECT_MS, reportRefusal } from '../checkout/finish-purchase.ts'
import { checkoutPhase, payFromWallet } from '../checkout/pay-from-wallet.ts'
import { ReceiverWarnings, receiverWarnings } from '../checkout/receiver-warnings.tsx'
import { agreeToPayAgain } from '../payments/agree-to-pay-again.tsx'
import { confirmCardCharge } from '../payments/confirm-card-charge.tsx'
import { cardPhase, payByCard } from '../payments/pay-by-card.ts'
import { PaymentBoxes } from '../payments/payment-boxes.tsx'
import { useProducts } from '../products/api.ts'
import { type CartItem, cart, removeFromCart, totalOf } from './cart.ts'
import { type CartChange, repriceCart } from './reprice-cart.ts'

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
  const walletAt = checkoutPhase.use()
  const cardAt = cardPhase.use()
  const busy = walletAt.phase !== 'idle' || cardAt !== 'idle'

  const level = user?.userLevel ?? 'Customer'
  const standing = products ? repriceCart(items, products, level) : { items, changes: [] }
  const gone = new Set(standing.changes.filter((change) => change.kind === 'gone').map((change) => change.id))
  const total = totalOf(items)
  const empty = items.length === 0
  const blocked = empty || gone.size > 0 || items.length > MAX_CHECKOUT_ITEMS
  const sum = `Subtotal (${items.length} ${items.length === 1 ? 'item' : 'items'})`

  // A changed price is applied and pointed out, never charged silently.
  useEffect(() => {
    const changes = standing.changes.filter((change) => change.kind === 'price')
    if (changes.length === 0 || busy) return
    cart.set(standing.items)
    setNewPrices((before) => new Map([...before, ...changes.map((change) => [change.id, change] as const)]))
  }, [standing, busy])

  const toItems = (): CheckoutItem[] =>
    cart.get().map(({ productId, offer, phoneNumber, amount }) => ({ productId, offer, phoneNumber, amount }))

  const afterRefusal = (error: Error) => {
    reportRefusal(error)
    setRefusal(error.message)
  }

  const askToTopUp = () => {
    toast.danger('Insufficient balance. Please recharge your account.')
    setTimeout(() => {
      void confirmAction({ title: 'Insufficient balance', question: 'Do you want to top up?' }).then((yes) => {
        if (yes) navigate('/user/finance')
      })
    }, REDIRECT_MS)
  }

  const warnings = (
    <ReceiverWarnings
      warnings={receiverWarnings(items.map(({ service, phoneNumber }) => ({ network: service as Network, phoneNumber })))}
    />
  )

  const [alone] = useState(oneAtATime)
  const checkoutWithWallet = async () => {
    if (blocked || busy || !user) return
    setRefusal(null)
    // The buyer agrees to the prices in the question; the shop refuses if one has changed since.
    const wanted = toItems()
    const question = {
      question: 'Are you sure you want to proceed to checkout now?',
      details: (
        <>
          <Details>
            <Detail name={sum}>
              <Money cedis={total} />
            </Detail>
            <Detail name="Wallet balance">
              <Money cedis={user.balance} />
            </Detail>
          </Details>
          {warnings}
        </>
      ),
    }
    if (!(await confirmAction(question)) || !(await agreeToPayAgain({ purpose: 'order', items: wanted }))) return
    if ((session.get()?.balance ?? 0) < total) {
      askToTopUp()
      return
    }
    const outcome = await payFromWallet(wanted, 'cart')
    if (outcome.status === 'placed') {
      finishPurchase('cart', wanted)
      return
    }
    if (outcome.error instanceof RefusedError && outcome.error.code === 'INSUFFICIENT_BALANCE') {
      reportRefusal(outcome.error)
      askToTopUp()
      return
    }
    afterRefusal(outcome.error)
  }

  const checkoutWithCard = async () => {
    if (blocked || busy) return
    setRefusal(null)
    const items = toItems()
    const cartIds = cart.get().map(({ id }) => id)
    if (!(await confirmCardCharge(total, sum, warnings))) return
    const outcome = await payByCard({ purpose: 'order', source: 'cart', items, cartIds }, withCardSurcharge(toPesewas(total)))
    if (outcome.status === 'refused') afterRefusal(outcome.error)
  }

  return (
    <Page>
      <PageHeader title="Cart" />
      <div className="grid items-start gap-5 lg:grid-cols-[1fr_22rem]">
        {empty ? (
          <EmptyState icon={<ShoppingCart />} title="Your cart is empty" action={<ButtonLink href="/store">Go to the store</ButtonLink>}>
            Add bundles for several numbers and pay for them all at once.
          </EmptyState>
        ) : (
          <ol className="flex flex-col gap-3">
            {items.map((item, index) => (
              <CartLine
                key={item.id}
                number={index + 1}
                item={item}
                gone={gone.has(item.id)}
                change={newPrices.get(item.id)}
                disabled={busy}
                onRemove={() => removeFromCart(item.id)}
              />
            ))}
          </ol>
        )}
        <Card className="flex flex-col gap-4 p-5 lg:sticky lg:top-20">
          <Details>
            <Detail name="Wallet balance">
              <Money cedis={user?.balance ?? 0} className={!empty && (user?.balance ?? 0) < total ? 'text-danger' : ''} />
            </Detail>
            <Detail name={sum} strong>
              <Money cedis={total} className="text-title" />
            </Detail>
          </Details>
          <PaymentBoxes about={(payment) => payment.purpose === 'order'} />
          <CheckingNotice source="cart" />
          {cardAt === 'confirming' && (
            <NoticeBox title="Checking your card payment…">Keep this page open. We’ll tell you as soon as we know.</NoticeBox>
          )}
          {gone.size > 0 && <NoticeBox tone="pending">Remove what is no longer available, then check out.</NoticeBox>}
          {items.length > MAX_CHECKOUT_ITEMS && (
            <NoticeBox tone="pending">{`One checkout takes at most ${MAX_CHECKOUT_ITEMS} items. Remove some, then check out.`}</NoticeBox>
          )}
          {refusal && !busy && <NoticeBox tone="danger">{refusal}</NoticeBox>}
          <div className="flex flex-col gap-2">
            <Button
              block
              size="large"
              disabled={blocked || busy}
              busy={walletAt.phase !== 'idle'}
              icon={<Wallet className="size-5" aria-hidden="true" />}
              onClick={() => void alone(checkoutWithWallet)}
            >
              Checkout with wallet
            </Button>
            <Button
              block
              variant="secondary"
              disabled={blocked || busy}
              busy={cardAt !== 'idle'}
              icon={<CreditCard className="size-5" aria-hidden="true" />}
              onClick={() => void alone(checkoutWithCard)}
            >
              Checkout without wallet (card)
            </Button>
          </div>
          {!empty && (
            <p className="text-small text-muted">
              Paying by card adds {CARD_SURCHARGE_PERCENT}%: {moneyText(toCedis(withCardSurcharge(toPesewas(total))))} in total.
            </p>
          )}
        </Card>
      </div>
    </Page>
  )
}

type LineProps = { number: number; item: CartItem; gone: boolean; change: CartChange | undefined; disabled: boolean; onRemove: () => void }

function CartLine({ number, item, gone, change, disabled, onRemove }: LineProps) {
  const warning = prefixWarning(item.service as Network, item.phoneNumber)
  const problem = phoneProblem(item.phoneNumber)
  return (
    <li className="flex gap-3 rounded-box border border-line bg-surface p-3 sm:gap-4 sm:p-4">
      <span className="tabular w-4 shrink-0 pt-0.5 text-right text-small text-muted">{number}</span>
      <img
        src={item.image}
        alt=""
        width={640}
        height={400}
        loading="lazy"
        className="aspect-[8/5] w-14 shrink-0 self-start rounded-box bg-sunken object-cover sm:w-24"
      />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <NetworkBadge network={item.service} className="text-large" />
          <Money cedis={item.amount} className="text-large" />
        </div>
        <p className="mt-1 text-body">
          <span className="font-medium">{item.offer}</span> <span className="text-muted">to</span>{' '}
          <span className="tabular font-medium">{spacedPhone(item.phoneNumber)}</span>
        </p>
        {warning && <p className="mt-2 text-small text-pending">{warning}</p>}
        {problem && <p className="mt-2 text-small font-semibold text-danger">{problem} Remove this line and add it again.</p>}
        {gone && <p className="mt-2 text-small font-semibold text-danger">No longer available. Please remove it.</p>}
        {!gone && change?.kind === 'price' && (
          <p className="mt-2 text-small font-semibold text-pending">
            The price has changed from {moneyText(change.before)} to {moneyText(change.now)}.
          </p>
        )}
        <div className="-mb-2 flex justify-end">
          <button
            type="button"
            disabled={disabled}
            onClick={onRemove}
            aria-label={`Remove ${item.service} ${item.offer} for ${item.phoneNumber}`}
            className="inline-flex min-h-11 items-center gap-1.5 rounded-box px-2 text-small font-semibold text-danger hover:bg-danger-soft disabled:opacity-50"
          >
            <Trash2 className="size-4" aria-hidden="true" />
            Remove
          </button>
        </div>
      </div>
    </li>
  )
}
