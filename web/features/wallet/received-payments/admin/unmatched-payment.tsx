import { useState } from 'react'
import type { Match, ReceivedPayment, SetAsideRequest } from '../../../../../shared/received-payments.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Button } from '../../../../ui/button.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { toast } from '../../../../ui/toast.ts'
import { refreshAfterCredit } from './api.ts'
import { ClaimsOfPayment } from './claims-of-payment.tsx'
import { payerOf, timeOf, transactionOf } from './payment-words.ts'
import { RawMessage } from './raw-message.tsx'

/** A payment for which no request asks. */
export function UnmatchedPayment({
  match,
  kept = false,
  onFind,
}: {
  match: Match
  kept?: boolean
  onFind: (payment: ReceivedPayment) => void
}) {
  const { payment, reasons } = match
  const [busy, setBusy] = useState(false)
  const setAside = async (how: SetAsideRequest['how']) => {
    setBusy(true)
    try {
      toast.success((await call('PUT /received-payment/:id/set-aside', { params: { id: payment._id }, body: { how } })).message)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
      refreshAfterCredit()
    }
  }
  return (
    <article aria-label={`${payerOf(payment)}, ${moneyText(payment.amount)}`} className="flex flex-col gap-2 px-4 py-3">
      <div>
        <p className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 font-semibold break-words">{payerOf(payment)}</span>
          <Money cedis={payment.amount} />
        </p>
        <p className="tabular text-small text-muted">
          {transactionOf(payment)} · {timeOf(payment)} · {payment.reference ? `reference ${payment.reference}` : 'no request asks for it'}
        </p>
      </div>
      {reasons.map((reason) => (
        <p key={reason} className="text-small text-pending">
          {reason}
        </p>
      ))}
      <ClaimsOfPayment match={match} />
      <RawMessage text={payment.raw} />
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" disabled={busy} onClick={() => void setAside('dismiss')}>
          Dismiss
        </Button>
        <Button variant="secondary" disabled={busy} onClick={() => void setAside(kept ? 'bring-back' : 'keep')}>
          {kept ? 'Bring back' : 'Keep for later'}
        </Button>
        <Button
          variant="secondary"
          className="flex-1 border-transparent! bg-brand-soft! text-brand-text! lg:whitespace-nowrap"
          disabled={busy}
          onClick={() => onFind(payment)}
        >
          Find the customer
        </Button>
      </div>
    </article>
  )
}
