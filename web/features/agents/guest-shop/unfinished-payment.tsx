import { useState } from 'react'
import type { GuestPurchase } from '../../../../shared/agent-shops.ts'
import { messageOf } from '../../../lib/http.ts'
import { guestShopTexts as texts } from '../../../texts/guest-shop.ts'
import { Button } from '../../../ui/button.tsx'
import { moneyText } from '../../../ui/money.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { loadCardPopup } from '../../card/payments/load-card-popup.ts'
import { getShop } from '../../shop/shop/api.ts'
import { askUntilSettled, confirmGuestPayment } from './api.ts'

type Props = { purchase: GuestPurchase; accessCode: string; onPurchase: (purchase: GuestPurchase) => void; onDrop: () => void }

/** A payment that the guest began and left: it goes on where it stopped, under its own reference, so it is never paid twice. */
export function UnfinishedPayment({ purchase: { payment }, accessCode, onPurchase, onDrop }: Props) {
  const [busy, setBusy] = useState(false)
  const [notice, setNotice] = useState<string | null>(null)
  const goOn = async () => {
    setBusy(true)
    setNotice(null)
    try {
      const popup = await loadCardPopup(getShop().mode)
      const { result } = await popup.open(accessCode)
      const { reference } = payment
      const purchase = result === 'success' ? await askUntilSettled(reference) : await confirmGuestPayment(reference)
      if (purchase) onPurchase(purchase)
      if (!purchase || purchase.payment.status === 'open') setNotice(result === 'success' ? texts.waiting : null)
    } catch (error) {
      setNotice(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <NoticeBox tone="pending" className="mt-4" title={texts.unfinished(moneyText(payment.total))}>
      <p>{notice ?? texts.unfinishedText}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button busy={busy} busyLabel={texts.paying} onClick={() => void goOn()}>
          {texts.goOn}
        </Button>
        <Button variant="quiet" disabled={busy} onClick={onDrop}>
          {texts.startAgain}
        </Button>
      </div>
    </NoticeBox>
  )
}
