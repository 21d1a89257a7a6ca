import { CircleCheck, CreditCard, ShoppingCart, Wallet } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { smallImage } from '../../../shared/images.ts'
import { toCedis, toPesewas, withCardSurcharge } from '../../../shared/money.ts'
import { prefixWarning } from '../../../shared/networks.ts'
import type { CheckoutItem, Order } from '../../../shared/orders.ts'
import { hasCountryCode, isMobilePhone, PHONE_DIGITS, phoneProblem, spacedPhone } from '../../../shared/phones.ts'
import type { Product } from '../../../shared/products.ts'
import { type Draft, readDraft, writeDraft } from '../../lib/drafts.ts'
import { RefusedError } from '../../lib/http.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { session } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm-action.ts'
import { Detail, Details } from '../../ui/details.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Money, moneyText } from '../../ui/money.tsx'
import { networkClass } from '../../ui/network-art.tsx'
import { NoticeBox } from '../../ui/notice-box.tsx'
import { leftOutWarning, PhoneField } from '../../ui/phone-field.tsx'
import { toast } from '../../ui/toast.ts'
import { addToCart } from '../cart/cart.ts'
import { CheckingNotice } from '../checkout/checking-notice.tsx'
import { finishPurchase, REDIRECT_MS, reportRefusal } from '../checkout/finish-purchase.ts'
import { checkoutPhase, payFromWallet } from '../checkout/pay-from-wallet.ts'
import { ReceiverWarnings, receiverWarnings } from '../checkout/receiver-warnings.tsx'
import { useReceivers } from '../contacts/api.ts'
import { receiversFor } from '../contacts/find-receivers.ts'
import { PaidAmounts } from '../orders/paid-amounts.tsx'
import { PaidReferences } from '../orders/paid-references.tsx'
import { agreeToPayAgain } from '../payments/agree-to-pay-again.tsx'
import { confirmCardCharge } from '../payments/confirm-card-charge.tsx'
import { cardPhase, payByCard } from '../payments/pay-by-card.ts'
import { PaymentBoxes } from '../payments/payment-boxes.tsx'
import { priceFor } from '../products/price-for.ts'

type Props = {
  product: Product
  /** The offer that was pressed, by its `_id` or name. */
  offer: string | null
  /** Buy again: the number it is for. The confirmation is asked at once. */
  to: string | null
  /** The confirmation of `to` was declined, so it is not asked again. */
  onAsked: () => void
  onClose: () => void
}
type Placed = { orders: readonly Order[]; stay: () => void }

/** BUY PAGE: one offer of one product for one number, paid now or put into the cart. */
export default function BuyDialog({ product, offer: wantedOffer, to, onAsked, onClose }: Props) {
  const user = session.use()
  const [, navigate] = useLocation()
  const userId = user?._id ?? null
  const draftName = `buy ${product._id}`
  const [{ offer: begun = '', phoneNumber = '', leftOut = '' }, setDraft] = useState<Draft>(() => {
    const draft = readDraft(userId, draftName) ?? {}
    const pressed = product.packages.find(({ _id, offer: name }) => _id === wantedOffer || name === wantedOffer)
    return { ...draft, ...(pressed && { offer: pressed.offer }), ...(to && { phoneNumber: to, leftOut: '' }) }
  })
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [placed, setPlaced] = useState<Placed | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [leaving, setLeaving] = useState(false)
  const [payingByCard, setPayingByCard] = useState(false)
  const walletAt = checkoutPhase.use()
  const cardAt = cardPhase.use()
  const hintId = useId()
  const phoneInput = useRef<HTMLDivElement>(null)

  // A product that the shop has just changed may have new lines for the same offers.
  const line =
    product.packages.find((candidate) => candidate._id === chosenId) ?? product.packages.find((candidate) => candidate.offer === begun)
  const price = line ? priceFor(line, user?.userLevel) : null
  const ready = line !== undefined && price !== null && isMobilePhone(phoneNumber)
  const busy = walletAt.phase !== 'idle' || cardAt !== 'idle' || leaving
  const receivers = receiversFor(product.network, useReceivers()).map((one) => one.phoneNumber)

  /** The form survives a reload, a top-up and a new login, until it was bought or put into the cart. */
  const fillIn = (changes: Draft) => {
    const draft = { offer: begun, phoneNumber, leftOut, ...changes }
    setDraft(draft)
    writeDraft(userId, draftName, draft)
  }
  const clear = () => {
    setDraft((before) => ({ ...before, phoneNumber: '', leftOut: '' }))
    writeDraft(userId, draftName, null)
  }

  const warnings = (
    <ReceiverWarnings
      warnings={[...(leftOut ? [leftOutWarning(leftOut)] : []), ...receiverWarnings([{ network: product.network, phoneNumber }])]}
    />
  )

  const goLater = (path: string) => {
    setLeaving(true)
    setTimeout(() => navigate(path), REDIRECT_MS)
  }

  const toItem = (amount: number, offer: string): CheckoutItem => ({ productId: product._id, offer, phoneNumber, amount })

  const [alone] = useState(oneAtATime)
  const payWithWallet = async () => {
    if (!ready || busy || !user) return
    setRefusal(null)
    const question = {
      question: 'Are you sure you want to proceed to checkout now?',
      details: (
        <>
          <Summary product={product} offer={line.offer} phoneNumber={phoneNumber} price={price} balance={user.balance} />
          {warnings}
        </>
      ),
    }
    const items = [toItem(price, line.offer)]
    if (!(await confirmAction(question)) || !(await agreeToPayAgain({ purpose: 'order', items }))) return
    if ((session.get()?.balance ?? 0) < price) {
      toast.danger('Insufficient balance. Please top up your wallet.')
      goLater('/user/finance')
      return
    }
    const outcome = await payFromWallet(items, 'buy')
    if (outcome.status === 'placed') {
      writeDraft(userId, draftName, null)
      setPlaced({ orders: outcome.reply.orders, stay: finishPurchase('buy', items) })
      return
    }
    reportRefusal(outcome.error)
    setRefusal(outcome.error.message)
    if (outcome.error instanceof RefusedError && outcome.error.code === 'INSUFFICIENT_BALANCE') goLater('/user/finance')
  }

  // Buy again asks at once, with the form behind it for whoever says no.
  const askAtOnce = useEffectEvent(() => {
    if (to) fillIn({})
    if (to && ready && user && user.balance >= price) void alone(payWithWallet).then(onAsked)
    else if (to) onAsked()
  })
  useEffect(() => askAtOnce(), [])

  const payWithCard = async () => {
    if (!ready || busy) return
    setRefusal(null)
    if (!(await confirmCardCharge(price, `${product.network} ${line.offer}`, warnings))) return
    const items = [toItem(price, line.offer)]
    setPayingByCard(true)
    const outcome = await payByCard({ purpose: 'order', source: 'buy', items, cartIds: [] }, withCardSurcharge(toPesewas(price)))
    setPayingByCard(false)
    if (outcome.status === 'paid') writeDraft(userId, draftName, null)
    if (outcome.status === 'paid') setPlaced({ orders: outcome.reply.orders, stay: outcome.stay })
    if (outcome.status === 'refused') {
      reportRefusal(outcome.error)
      setRefusal(outcome.error.message)
    }
  }

  const putIntoCart = () => {
    if (!ready || busy) return
    addToCart({ productId: product._id, service: product.network, phoneNumber, offer: line.offer, amount: price, image: product.image })
    clear()
    toast.success('Added to your cart')
    onClose()
  }

  const topUp = () => {
    if (busy) return
    toast.info('Please complete the topup before you order')
    goLater('/user/finance')
  }

  const buyAnother = () => {
    placed?.stay()
    setPlaced(null)
    clear()
    phoneInput.current?.querySelector('input')?.focus()
  }

  // Our dialog would cover the card provider's pop-up.
  if (payingByCard && cardAt === 'paying') return null

  if (placed) {
    return (
      <Dialog
        title="Order placed"
        onClose={() => {
          placed.stay()
          onClose()
        }}
        footer={
          <>
            <ButtonLink block href="/user/history">
              See My Transactions
            </ButtonLink>
            <Button block variant="secondary" onClick={buyAnother}>
              Buy another
            </Button>
          </>
        }
      >
        <div className="flex flex-col items-center gap-3 pb-5 text-center">
          <CircleCheck className="size-12 text-done" aria-hidden="true" />
          <p ref={takeFocus} tabIndex={-1} className="text-title font-semibold outline-none">
            Your order is placed successfully
          </p>
          <p className="text-body text-muted">
            We’re loading {placed.orders[0]?.offer ?? 'it'} to <span className="whitespace-nowrap">{spacedPhone(phoneNumber)}</span>.
            Usually 5 minutes to 2 hours.
          </p>
        </div>
        {placed.orders.map((order) => (
          <Details key={order._id}>
            <Detail name="Offer">
              {order.network} {order.offer}
            </Detail>
            <PaidReferences order={order} />
            <PaidAmounts order={order} />
          </Details>
        ))}
      </Dialog>
    )
  }

  const short = user !== null && price !== null && user.balance < price
  return (
    <Dialog title="BUY PAGE" onClose={onClose}>
      <form onSubmit={(event) => event.preventDefault()} className="flex flex-col gap-4" noValidate>
        <div className="flex items-center gap-4">
          <span className="relative block w-24 shrink-0 overflow-hidden rounded-box border border-line bg-sunken">
            <span className={`absolute inset-x-0 top-0 block h-1 bg-net ${networkClass(product.network) ?? ''}`} />
            <img src={smallImage(product.image)} alt="" width={640} height={400} className="aspect-[8/5] w-full object-cover" />
          </span>
          <div className="min-w-0">
            <p className="text-title font-semibold">{product.network}</p>
            <p className="text-display" aria-live="polite">
              {price === null ? <span className="text-body text-muted">Choose an offer</span> : <Money cedis={price} />}
            </p>
          </div>
        </div>

        <SelectField
          label="Offer"
          name="offer"
          value={line?._id ?? ''}
          onChange={(event) => {
            const chosen = product.packages.find((candidate) => candidate._id === event.currentTarget.value)
            setChosenId(chosen?._id ?? null)
            fillIn({ offer: chosen?.offer ?? '' })
          }}
          disabled={busy}
          required
        >
          <option value="" disabled>
            Choose an offer
          </option>
          {product.packages.map((candidate) => (
            <option key={candidate._id} value={candidate._id}>
              {candidate.offer} – {moneyText(priceFor(candidate, user?.userLevel))}
            </option>
          ))}
        </SelectField>

        <div ref={phoneInput} className="flex flex-col gap-2">
          <PhoneField
            label="Receiver phone number"
            name="receiver"
            autoComplete="off"
            required
            disabled={busy}
            value={phoneNumber}
            onValue={(digits, cut) => fillIn({ phoneNumber: digits, leftOut: cut })}
            suggestions={receivers}
            error={phoneProblem(phoneNumber) ?? undefined}
            warning={prefixWarning(product.network, phoneNumber)}
            hint={phoneHint(phoneNumber)}
          />
          {receivers.length > 0 && phoneNumber === '' && (
            <ul aria-label="Recent receivers" className="flex flex-wrap gap-2">
              {receivers.slice(0, 3).map((number) => (
                <li key={number}>
                  <button
                    type="button"
                    onClick={() => fillIn({ phoneNumber: number, leftOut: '' })}
                    className="tabular min-h-11 rounded-full border border-line px-3 text-small font-medium hover:bg-sunken"
                  >
                    {spacedPhone(number)}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>

        <div className="flex items-center justify-between gap-4 rounded-box bg-sunken px-4 py-2">
          <p className="text-small text-muted">
            Wallet balance
            <Money cedis={user?.balance ?? 0} className={`block text-large ${short ? 'text-danger' : 'text-ink'}`} />
          </p>
          <button
            type="button"
            aria-disabled={busy}
            onClick={() => topUp()}
            className="min-h-11 text-right text-body font-semibold text-brand-text underline underline-offset-4"
          >
            Topup your wallet here
          </button>
        </div>

        <CheckingNotice source="buy" />
        {cardAt === 'confirming' && (
          <NoticeBox title="Checking your card payment…">Keep this page open. We’ll tell you as soon as we know.</NoticeBox>
        )}
        <PaymentBoxes about={({ items }) => items.some(({ productId }) => productId === product._id)} />
        {refusal && !busy && <NoticeBox tone="danger">{refusal}</NoticeBox>}

        <div className="flex flex-col gap-2" aria-describedby={hintId}>
          <Button
            block
            size="large"
            disabled={!ready || busy}
            busy={walletAt.phase !== 'idle'}
            icon={<Wallet className="size-5" aria-hidden="true" />}
            onClick={() => void alone(payWithWallet)}
          >
            Pay with wallet
          </Button>
          <Button
            block
            variant="secondary"
            disabled={!ready || busy}
            busy={cardAt !== 'idle'}
            icon={<CreditCard className="size-5" aria-hidden="true" />}
            onClick={() => void alone(payWithCard)}
          >
            Pay without wallet (card)
          </Button>
          <Button
            block
            variant="secondary"
            disabled={!ready || busy}
            icon={<ShoppingCart className="size-5" aria-hidden="true" />}
            onClick={putIntoCart}
          >
            Add to cart
          </Button>
          <p id={hintId} className="text-center text-small text-muted">
            {ready
              ? `Paying by card adds 3%: ${moneyText(toCedis(withCardSurcharge(toPesewas(price))))} in total.`
              : 'Choose an offer and enter a 10-digit number to continue.'}
          </p>
        </div>
      </form>
    </Dialog>
  )
}

/** Moves the focus here, because the pressed button is gone and keyboard users would lose their place. */
const takeFocus = (element: HTMLElement | null) => element?.focus()

function phoneHint(digits: string): string | undefined {
  if (digits === '') return '10 digits, like 024 123 4567'
  if (phoneProblem(digits)) return undefined
  if (hasCountryCode(digits)) return 'After 233 come nine digits, like 233 24 123 4567'
  return digits.length === PHONE_DIGITS ? undefined : digitsLeft(PHONE_DIGITS - digits.length)
}

function digitsLeft(count: number): string {
  return count === 1 ? 'One more digit' : `${count} more digits`
}

function Summary({
  product,
  offer,
  phoneNumber,
  price,
  balance,
}: {
  product: Product
  offer: string
  phoneNumber: string
  price: number
  balance: number
}) {
  const left = toCedis(toPesewas(balance) - toPesewas(price))
  return (
    <Details>
      <Detail name="Offer">
        {product.network} {offer}
      </Detail>
      <Detail name="Receiver">
        <span className="tabular">{spacedPhone(phoneNumber)}</span>
      </Detail>
      <Detail name="From your wallet" strong>
        <Money cedis={price} />
      </Detail>
      {left >= 0 && (
        <Detail name="Left in your wallet">
          <Money cedis={left} />
        </Detail>
      )}
    </Details>
  )
}
