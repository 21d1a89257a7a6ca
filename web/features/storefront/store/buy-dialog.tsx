import { ChevronRight } from 'lucide-react'
import { type FormEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { bundleName } from '../../../../shared/bundle-name.ts'
import { smallImage } from '../../../../shared/images.ts'
import { toCedis, toPesewas, withCardSurcharge } from '../../../../shared/money.ts'
import type { CheckoutItem, Order } from '../../../../shared/orders.ts'
import type { OwnPayment } from '../../../../shared/payments.ts'
import { isMobilePhone, spacedPhone } from '../../../../shared/phones.ts'
import type { Product, ProductPackage } from '../../../../shared/products.ts'
import { type Draft, readDraft, writeDraft } from '../../../lib/drafts.ts'
import { RefusedError } from '../../../lib/http.ts'
import { oneAtATime } from '../../../lib/one-at-a-time.ts'
import { QueryProvider } from '../../../lib/query-provider.tsx'
import { session } from '../../../lib/session.ts'
import { together } from '../../../lib/subject.ts'
import { buyTexts } from '../../../texts/buy.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { Money } from '../../../ui/money.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { leftOutWarning } from '../../../ui/phone-field.tsx'
import { TicketRow } from '../../../ui/ticket.tsx'
import { toast } from '../../../ui/toast.ts'
import { agreeToPayAgain } from '../../card/payments/agree-to-pay-again.tsx'
import { confirmCardCharge } from '../../card/payments/confirm-card-charge.tsx'
import { type CardOutcome, cardPhase, payByCard } from '../../card/payments/pay-by-card.ts'
import { CalledOff, PaymentBoxes } from '../../card/payments/payment-boxes.tsx'
import { TopUpAndBuy } from '../../card/payments/top-up-and-buy.tsx'
import { dismissPaid } from '../../card/payments/waiting-payments.ts'
import { useReceivers } from '../../catalogue/contacts/api.ts'
import { receiversFor } from '../../catalogue/contacts/find-receivers.ts'
import { offerParts } from '../../catalogue/products/offer-parts.ts'
import { priceFor } from '../../catalogue/products/price-for.ts'
import { aboutPrices, aboutWallet } from '../../orders/purchases/about-prices.ts'
import { CheckingNotice } from '../../orders/purchases/checking-notice.tsx'
import { finishPurchase, REDIRECT_MS, reportRefusal, tellPlaced } from '../../orders/purchases/finish-purchase.ts'
import { checkoutPhase, payFromWallet } from '../../orders/purchases/pay-from-wallet.ts'
import { ReceiverWarnings, receiverWarnings } from '../../orders/purchases/receiver-warnings.tsx'
import { typicalMinutesOf, useShopFigures } from '../../shop/shop/api.ts'
import { rememberPurchase } from '../../wallet/wallet/remembered-purchase.ts'
import { addToCart } from '../cart/cart.ts'
import { OfferTiles } from './offer-tiles.tsx'
import { PlacedSheet } from './placed-sheet.tsx'
import { PurchaseSummary } from './purchase-summary.tsx'
import { ReceiverField } from './receiver-field.tsx'

const ContactsDialog = lazyDialog(() => import('../../catalogue/contacts/contacts-dialog.tsx'))

type Props = {
  product: Product
  /** The offer that was pressed, by its name or `_id`, kept in the address. */
  offer: string | null
  /** Buy again: the number it is for. The question is asked at once. */
  to: string | null
  /** Another offer is chosen, or the question about `to` has been answered. */
  onOffer: (name: string | null) => void
  /** An order is placed: from now on the address is about it, and not about what to buy. */
  onPlaced: (number: string) => void
  /** The product that is being paid or was just bought, or null: this stays open until it has been told what became of it. */
  onHold: (product: Product | null) => void
  onClose: () => void
}

/** BUY PAGE: one offer of one product for one number, paid now or put into the cart. */
export default function BuyDialog(props: Props) {
  return (
    <QueryProvider>
      <Purchase {...props} />
    </QueryProvider>
  )
}

function Purchase({ product, offer: pressed, to, onOffer, onPlaced, onHold, onClose }: Props) {
  const user = session.use()
  const [, navigate] = useLocation()
  const userId = user?._id ?? null
  const draftName = `buy ${product._id}`
  const receivers = receiversFor(product.network, useReceivers())
  // Airtime for another network than the pressed one is hardly for the same number.
  const pressedOperator = pressed ? offerParts(product.network, pressed).operator : undefined
  const last = receivers.find(
    ({ lastBoughtAt, offer }) =>
      lastBoughtAt !== null && (!pressedOperator || offerParts(product.network, offer ?? '').operator === pressedOperator),
  )
  const [draft, setDraft] = useState<Draft>(() => startingDraft(product, pressed, to, readDraft(userId, draftName)))
  // The last receiver is filled in once, and stays what it is while this is open.
  const [suggested, setSuggested] = useState({ phoneNumber: last?.phoneNumber ?? '', offer: last?.offer ?? '' })
  useEffect(() => {
    if (last) setSuggested((before) => (before.phoneNumber === '' ? { phoneNumber: last.phoneNumber, offer: last.offer ?? '' } : before))
  }, [last])
  const phoneNumber = draft.phoneNumber ?? suggested.phoneNumber
  const { offer: offerName = suggested.offer, leftOut = '' } = draft
  const [placed, setPlaced] = useState<Order | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [leaving, setLeaving] = useState(false)
  /** From the answer to the outcome nothing else can be pressed, however long it takes. */
  const [deciding, setDeciding] = useState<'wallet' | 'card' | null>(null)
  const [asking, setAsking] = useState(to !== null)
  const [payingByCard, setPayingByCard] = useState(false)
  const [contacts, setContacts] = useState<'closed' | 'open' | 'naming'>('closed')
  const walletAt = checkoutPhase.use()
  const cardAt = cardPhase.use()
  const figures = useShopFigures()
  const hintId = useId()
  const phoneInput = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  /** Whom AFA registers, given once for however many tries. */
  const afa = useRef<{ phoneNumber: string; form: string } | null>(null)
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])

  const line = product.packages.find(({ offer }) => offer === offerName)
  const price = line ? priceFor(line, user?.userLevel) : null
  const ready = line !== undefined && !line.soldOut && price !== null && isMobilePhone(phoneNumber) && leftOut === ''
  const isAbout = ({ items }: OwnPayment) => items.some(({ productId }) => productId === product._id)
  const busy = walletAt.phase !== 'idle' || cardAt !== 'idle' || leaving
  const held = placed !== null || deciding !== null || payingByCard || busy ? product : null
  useEffect(() => onHold(held), [held, onHold])
  useEffect(() => () => onHold(null), [onHold])
  const name = receivers.find((one) => one.phoneNumber === phoneNumber)?.name ?? null
  const minutes = typicalMinutesOf(figures, product.network)
  const short = user !== null && price !== null && user.balance < price
  const byCard = price === null ? null : toCedis(withCardSurcharge(toPesewas(price)))

  /** The form survives a reload, a top-up and a new login, until it was bought or put into the cart. */
  const fillIn = (changes: Draft) => {
    const next = { offer: offerName, phoneNumber, leftOut, ...changes }
    setDraft(next)
    writeDraft(userId, draftName, next)
  }
  const choose = (chosen: ProductPackage) => {
    fillIn({ offer: chosen.offer })
    onOffer(chosen.offer)
    if (!isMobilePhone(phoneNumber)) phoneInput.current?.focus()
  }

  // The hand goes on where something is missing, and otherwise to the button that pays.
  const focusFirst = useEffectEvent(() => {
    if (to) return
    if (!line) form.current?.querySelector<HTMLElement>('input[type="radio"]')?.focus()
    else if (!isMobilePhone(phoneNumber)) phoneInput.current?.focus()
    else form.current?.querySelector<HTMLElement>('button[type="submit"]')?.focus()
  })
  useEffect(() => focusFirst(), [])

  const warnings = (
    <ReceiverWarnings
      warnings={[
        ...(leftOut ? [leftOutWarning(leftOut)] : []),
        ...receiverWarnings([{ network: product.network, phoneNumber, offer: offerName }]),
      ]}
    />
  )

  const receiver = (
    <p className="mb-3">
      <span className="block text-small text-muted">{buyTexts.receiver}</span>
      <b className="tabular text-title">{spacedPhone(phoneNumber)}</b> {name}
    </p>
  )

  /** Whoever has left this page meanwhile is told in a toast. */
  const show = ([order]: readonly Order[]) => {
    writeDraft(userId, draftName, null)
    afa.current = null
    if (order && isOpen.current) {
      setPlaced(order)
      onPlaced(order.number)
    } else tellPlaced()
  }

  const refuse = (error: Error) => {
    // The details may be what was refused: they are asked for again.
    if (error instanceof RefusedError && error.code === 'CONFLICT') afa.current = null
    reportRefusal(error, isOpen.current ? setRefusal : null)
  }

  /** My Wallet knows what it is for, and leads back here. */
  const goToWallet = () => {
    if (line && price !== null) {
      const what = buyTexts.bundleTo(bundleName(product.network, line.offer), isMobilePhone(phoneNumber) ? spacedPhone(phoneNumber) : '')
      rememberPurchase({ price, name: what, path: `/store?${new URLSearchParams({ buy: product._id, offer: line.offer })}` })
    }
    setLeaving(true)
    setTimeout(() => navigate('/user/finance'), REDIRECT_MS)
  }

  const toItem = (amount: number, offer: string): CheckoutItem => ({ productId: product._id, offer, phoneNumber, amount })
  const withAfa = async (item: CheckoutItem, next: 'pay' | 'cart'): Promise<CheckoutItem | null> => {
    if (product.network !== 'AFA') return item
    const given = afa.current?.phoneNumber === phoneNumber ? afa.current.form : null
    const form = given ?? (await (await import('../../orders/afa/ask-afa.tsx')).askAfa({ receiver: phoneNumber, next }))
    afa.current = form === null ? null : { phoneNumber, form }
    return form === null ? null : { ...item, afa: form }
  }

  const [alone] = useState(oneAtATime)
  const decide = (action: () => Promise<void>) => {
    dismissPaid()
    void alone(() => action().finally(() => setDeciding(null)))
  }

  const payWithWallet = async () => {
    if (!ready || busy || !user) return
    setRefusal(null)
    if (short) {
      toast.danger(buyTexts.insufficient)
      goToWallet()
      return
    }
    const subject = together(aboutPrices([toItem(price, line.offer)]), aboutWallet(toPesewas(price)))
    const question = {
      about: subject,
      question: buyTexts.proceed,
      details: (
        <>
          <PurchaseSummary
            network={product.network}
            offer={line.offer}
            phoneNumber={phoneNumber}
            name={name}
            price={price}
            minutes={minutes}
          />
          {warnings}
        </>
      ),
      stub: <Money cedis={price} />,
    }
    const item = await withAfa(toItem(price, line.offer), 'pay')
    const yes = item !== null && (await confirmAction(question))
    setAsking(false)
    // From now on a page that is loaded again must not ask once more.
    if (to !== null) onOffer(line.offer)
    if (!yes) return
    const items = [item]
    setDeciding('wallet')
    if (!(await agreeToPayAgain({ purpose: 'order', items }))) return
    const buyer = session.get()
    // The session ended meanwhile, which is told where it says so.
    if (!buyer) return
    if (buyer.balance < price) {
      toast.danger(buyTexts.insufficient)
      goToWallet()
      return
    }
    const outcome = await payFromWallet(items, 'buy')
    if (outcome.status === 'placed') {
      finishPurchase('buy', items)
      show(outcome.reply.orders)
      return
    }
    refuse(outcome.error)
    if (outcome.error instanceof RefusedError && outcome.error.code === 'INSUFFICIENT_BALANCE') goToWallet()
  }

  // Buy again asks at once, with the form behind it for whoever says no.
  const askAtOnce = useEffectEvent(() => {
    if (to === null) return
    fillIn({})
    if (ready && !short && !busy) {
      decide(payWithWallet)
      return
    }
    setAsking(false)
    onOffer(offerName)
  })
  useEffect(() => askAtOnce(), [])

  const payWithCard = async () => {
    if (!ready || busy) return
    setRefusal(null)
    const item = await withAfa(toItem(price, line.offer), 'pay')
    if (
      !item ||
      !(await confirmCardCharge(price, {
        priceName: bundleName(product.network, line.offer),
        bought: receiver,
        warnings,
        about: aboutPrices([item]),
      }))
    )
      return
    setDeciding('card')
    const items = [item]
    setPayingByCard(true)
    const outcome = await payByCard({ purpose: 'order', source: 'buy', items, cartIds: [] }, withCardSurcharge(toPesewas(price)))
    setPayingByCard(false)
    if (outcome.status === 'paid') show(outcome.reply.orders)
    if (outcome.status === 'refused') refuse(outcome.error)
  }

  const afterTopUp = (outcome: CardOutcome) => {
    if (outcome.status === 'paid') show(outcome.reply.orders)
    if (outcome.status === 'refused') refuse(outcome.error)
  }

  const putIntoCart = async () => {
    if (!ready || busy || deciding) return
    const item = await withAfa(toItem(price, line.offer), 'cart')
    if (!item) return
    addToCart({ ...item, service: product.network, image: product.image })
    writeDraft(userId, draftName, null)
    toast.success(buyTexts.addedToCart)
    onClose()
  }

  const topUp = () => {
    if (busy) return
    toast.info(buyTexts.topUpFirst)
    goToWallet()
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // With too little money, the button that tops up is what Enter presses.
    if (ready && !busy && !short) decide(payWithWallet)
    else if (!isMobilePhone(phoneNumber)) phoneInput.current?.focus()
  }

  // Our dialog would cover the card provider's pop-up. Behind a question that is asked at once stands the store.
  if ((payingByCard && cardAt === 'paying') || asking) return null

  if (placed) {
    return (
      <PlacedSheet
        order={placed}
        name={name}
        balance={user?.balance ?? 0}
        onAgain={() => {
          setPlaced(null)
          onOffer(placed.offer)
          fillIn({ phoneNumber: placed.receiver })
          if (placed.paidWith === 'wallet' && !short) decide(payWithWallet)
        }}
        onAnother={() => {
          setPlaced(null)
          onOffer(placed.offer)
          fillIn({ phoneNumber: '', leftOut: '' })
          requestAnimationFrame(() => phoneInput.current?.focus())
        }}
        onClose={onClose}
      />
    )
  }

  const payButton = (
    <Button
      block
      {...(short ? { variant: 'secondary' } : { size: 'large', type: 'submit' })}
      disabled={!ready || busy || deciding !== null}
      busy={walletAt.phase !== 'idle' || deciding === 'wallet'}
      aria-describedby={hintId}
      stub={price !== null && <Money cedis={price} />}
      {...(short && { onClick: () => decide(payWithWallet) })}
    >
      {buyTexts.payWithWallet}
    </Button>
  )
  const topUpAndBuy = (
    <TopUpAndBuy
      loud
      items={line && price !== null ? [toItem(price, line.offer)] : []}
      source="buy"
      disabled={!ready || busy || deciding !== null}
      bought={
        line && (
          <>
            <p className="text-title font-bold">{bundleName(product.network, line.offer)}</p>
            {receiver}
          </>
        )
      }
      warnings={warnings}
      prepare={(item) => withAfa(item, 'pay')}
      onPress={() => setRefusal(null)}
      onPaying={setPayingByCard}
      onOutcome={afterTopUp}
    />
  )

  return (
    <>
      <Dialog
        kicker={buyTexts.buyPage}
        title={product.network}
        mark={
          <img src={smallImage(product.image)} alt="" width={360} height={225} className="size-11 rounded-box bg-sunken object-cover" />
        }
        onClose={onClose}
        // Kept as a draft.
        unsaved={false}
        wide
        className="max-sm:max-h-dvh sm:max-w-[57.5rem]"
      >
        <form ref={form} onSubmit={submit} className="grid grid-cols-1 gap-x-8 gap-y-2 md:grid-cols-[minmax(0,1fr)_22rem]" noValidate>
          <div>
            <OfferTiles product={product} level={user?.userLevel} chosen={line} disabled={busy} onChoose={choose} />
            {(line ? line.soldOut : pressed) && (
              <NoticeBox tone="pending" className="mt-2">
                {line ? buyTexts.offerSoldOut : buyTexts.offerGone}
              </NoticeBox>
            )}
          </div>
          <div className="flex min-w-0 flex-col gap-2">
            <div className="mt-1 mb-2 min-h-17 max-md:hidden" aria-live="polite">
              {line && price !== null && (
                <TicketRow
                  network={product.network}
                  title={line.offer}
                  subtitle={phoneNumber ? (name ?? spacedPhone(phoneNumber)) : undefined}
                  stub={<Money cedis={price} />}
                />
              )}
            </div>
            <ReceiverField
              network={product.network}
              operator={offerParts(product.network, offerName).operator}
              value={phoneNumber}
              leftOut={leftOut}
              receivers={receivers}
              disabled={busy}
              inputRef={phoneInput}
              onValue={(digits, cut) => fillIn({ phoneNumber: digits, leftOut: cut })}
              onContacts={(naming) => setContacts(naming ? 'naming' : 'open')}
            />
            <div className="flex items-center justify-between gap-4">
              <p className="text-small text-muted">
                {buyTexts.walletBalance} <Money cedis={user?.balance ?? 0} className={short ? 'text-danger' : 'text-ink'} />
              </p>
              <button
                type="button"
                aria-disabled={busy}
                onClick={() => topUp()}
                className="inline-flex min-h-11 items-center gap-1 text-right text-small font-semibold text-brand-text"
              >
                {buyTexts.topUpHere}
                <ChevronRight className="size-4" aria-hidden="true" />
              </button>
            </div>

            <CheckingNotice source="buy" />
            {cardAt === 'confirming' && <NoticeBox title={buyTexts.checkingCard}>{buyTexts.keepOpen}</NoticeBox>}
            <PaymentBoxes about={isAbout} underWay />
            <p id={hintId} className="sr-only">
              {ready ? '' : buyTexts.toContinue}
            </p>
            {short ? topUpAndBuy : payButton}
            {/* Below what was pressed, which stays under the thumb. */}
            {refusal && !busy && <NoticeBox tone="danger">{refusal}</NoticeBox>}
            <div className="grid grid-cols-2 gap-2">
              <Button
                block
                variant="secondary"
                className="min-h-13 px-1!"
                disabled={!ready || busy || deciding !== null}
                busy={cardAt !== 'idle' || deciding === 'card'}
                onClick={() => decide(payWithCard)}
                note={
                  <>
                    {buyTexts.cardOrMomo} {byCard !== null && <Money cedis={byCard} />}
                  </>
                }
              >
                {buyTexts.payWithoutWallet}
              </Button>
              <Button
                block
                variant="secondary"
                className="min-h-13 px-1!"
                disabled={!ready || busy || deciding !== null}
                onClick={() => void putIntoCart()}
              >
                {buyTexts.addToCart}
              </Button>
            </div>
            {/* Comes last, so that no button moves when an offer is more than the wallet has. */}
            {short && payButton}
            <CalledOff about={isAbout} />
          </div>
        </form>
      </Dialog>
      {contacts !== 'closed' && (
        <ContactsDialog
          network={product.network}
          naming={contacts === 'naming' ? phoneNumber : null}
          onPick={(number) => fillIn({ phoneNumber: number, leftOut: '' })}
          onClose={() => setContacts('closed')}
        />
      )}
    </>
  )
}

/** What was pressed comes before what was begun earlier; an empty number leaves room for the last receiver. */
function startingDraft(product: Product, pressed: string | null, to: string | null, kept: Draft = {}): Draft {
  const line = product.packages.find(({ _id, offer }) => offer === pressed || _id === pressed)
  const { phoneNumber, offer, leftOut = '' } = kept
  return {
    ...(pressed ? { offer: line?.offer ?? '' } : offer && { offer }),
    ...(to ? { phoneNumber: to } : phoneNumber && { phoneNumber, leftOut }),
  }
}
