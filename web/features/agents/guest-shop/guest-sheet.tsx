import { useState } from 'react'
import type { GuestPurchase, ShopOffer } from '../../../../shared/agent-shops.ts'
import { bundleName } from '../../../../shared/bundle-name.ts'
import { CARD_SURCHARGE_PERCENT, cardSurcharge, toCedis, toPesewas, withCardSurcharge } from '../../../../shared/money.ts'
import { prefixWarning } from '../../../../shared/networks.ts'
import { isMobilePhone, mobilePhoneProblem } from '../../../../shared/phones.ts'
import { messageOf, RefusedError } from '../../../lib/http.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { buyTexts } from '../../../texts/buy.ts'
import { guestShopTexts as texts } from '../../../texts/guest-shop.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Money, moneyText } from '../../../ui/money.tsx'
import { NetworkArt } from '../../../ui/network-art.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { PhoneField } from '../../../ui/phone-field.tsx'
import { loadCardPopup } from '../../card/payments/load-card-popup.ts'
import { offerParts } from '../../catalogue/products/offer-parts.ts'
import { getShop, useShop } from '../../shop/shop/api.ts'
import { askUntilSettled, confirmGuestPayment, lastPurchases, startGuestPayment } from './api.ts'

type Props = {
  slug: string
  offer: ShopOffer
  onRefresh: () => Promise<void>
  onPurchase: (purchase: GuestPurchase) => void
  onClose: () => void
}
type Begun = { reference: string; accessCode: string; of: string }
const BUSY = { starting: texts.starting, paying: texts.paying, confirming: texts.confirming }

/** Where a guest says who gets the data and pays; no account is needed. */
export default function GuestSheet({ slug, offer, onRefresh, onPurchase, onClose }: Props) {
  const [phase, setPhase] = useState<keyof typeof BUSY | null>(null)
  const [notice, setNotice] = useState<string | null>(null)
  // Opened again, the same payment cannot be paid twice.
  const [begun, setBegun] = useState<Begun | null>(null)
  const [mayBePaid, setMayBePaid] = useState<string | null>(null)
  const price = toPesewas(offer.price)
  const total = toCedis(withCardSurcharge(price))
  const { name, note, operator } = offerParts(offer.network, offer.offer)
  const { noSms } = useShop()

  const look = async (reference: string) => {
    setPhase('confirming')
    try {
      const purchase = await askUntilSettled(reference)
      if (purchase && purchase.payment.status !== 'open') return onPurchase(purchase)
      setMayBePaid(reference)
      setNotice(texts.waiting)
    } catch (error) {
      setMayBePaid(reference)
      setNotice(messageOf(error))
    } finally {
      setPhase(null)
    }
  }

  const pay = async (sent: { receiver: string; phone: string }) => {
    setNotice(null)
    const of = JSON.stringify([sent, offer])
    const form =
      offer.network !== 'AFA' || begun?.of === of
        ? undefined
        : await (await import('../../orders/afa/ask-afa.tsx')).askAfa({ receiver: sent.receiver, slug, next: 'pay' })
    if (form === null) return
    setPhase('starting')
    try {
      const items = [{ productId: offer.productId, offer: offer.offer, phoneNumber: sent.receiver, amount: offer.price, afa: form }]
      const [payment, popup] = await Promise.all([
        begun?.of === of ? begun : startGuestPayment(slug, { phone: sent.phone, items }),
        loadCardPopup(getShop().mode),
      ])
      const { reference } = payment
      setBegun({ reference, accessCode: payment.accessCode, of })
      lastPurchases.set({ ...lastPurchases.get(), [slug]: reference })
      setPhase('paying')
      const outcome = await popup.open(payment.accessCode)
      if (outcome.result === 'success') return await look(reference)
      setPhase('confirming')
      const purchase = await confirmGuestPayment(reference).catch(() => null)
      if (purchase && purchase.payment.status !== 'open') return onPurchase(purchase)
      const calledOff = purchase?.payment.progress === 'unfinished' || purchase?.payment.progress === 'declined'
      if (!calledOff) setMayBePaid(reference)
      setNotice(outcome.result === 'failed' ? outcome.message : calledOff ? texts.cancelled : texts.waiting)
    } catch (error) {
      if (!(error instanceof RefusedError) || !['PRICE_CHANGED', 'NOT_AVAILABLE', 'ON_THE_WAY', 'CONFLICT'].includes(error.code))
        throw error
      setNotice(error.message)
      await onRefresh()
    } finally {
      setPhase(null)
    }
  }

  const form = useForm({
    initial: { receiver: '', phone: '' },
    parse: ({ receiver, phone }) =>
      parseFields({ receiver: mobilePhoneProblem(receiver), phone: phone === '' ? null : mobilePhoneProblem(phone) }, () => ({
        receiver,
        phone: phone || receiver,
      })),
    submit: pay,
  })
  const { receiver } = form.values
  const busy = form.busy || phase !== null

  return (
    <Dialog
      title={bundleName(offer.network, name)}
      mark={<NetworkArt network={offer.network} className="size-11 rounded-box" />}
      onClose={onClose}
      dismissable={!busy}
      unsaved={false}
    >
      <form {...form.props} className="flex flex-col gap-3">
        <PhoneField
          {...form.phoneField('receiver')}
          label={texts.receiver(offer.network)}
          hint={offer.network === 'WAEC Checkers' ? (noSms ? buyTexts.pinOnPage : buyTexts.pinBySms) : undefined}
          warning={isMobilePhone(receiver) ? prefixWarning(offer.network, receiver, operator) : ''}
          disabled={busy || mayBePaid !== null}
          required
        />
        <PhoneField
          {...form.phoneField('phone')}
          label={texts.own}
          hint={texts.ownHint}
          placeholder={texts.same}
          disabled={busy || mayBePaid !== null}
        />
        <div className="flex flex-col gap-1 text-small text-muted">
          <p className="flex justify-between gap-3">
            <span>{[name, note].filter(Boolean).join(', ')}</span>
            <Money cedis={offer.price} />
          </p>
          <p className="flex justify-between gap-3">
            <span>{texts.fee(CARD_SURCHARGE_PERCENT)}</span>
            <Money cedis={toCedis(cardSurcharge(price))} />
          </p>
        </div>
        {((notice && notice !== texts.cancelled) || form.formError) && <NoticeBox tone="pending">{notice ?? form.formError}</NoticeBox>}
        {mayBePaid ? (
          <Button size="large" block busy={busy} busyLabel={texts.confirming} onClick={() => void look(mayBePaid)}>
            {texts.look}
          </Button>
        ) : (
          <Button type="submit" size="large" block busy={busy} busyLabel={BUSY[phase ?? 'starting']} stub={moneyText(total)}>
            {offer.network === 'AFA' && begun === null ? texts.toDetails : texts.pay}
          </Button>
        )}
        {/* Below the button, which stays where it was. */}
        {notice === texts.cancelled ? (
          <NoticeBox tone="pending">{notice}</NoticeBox>
        ) : (
          <p className="text-small text-muted">{texts.approve}</p>
        )}
      </form>
    </Dialog>
  )
}
