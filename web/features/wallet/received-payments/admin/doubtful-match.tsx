import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { formatShortTime } from '../../../../../shared/dates.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import type { Match } from '../../../../../shared/received-payments.ts'
import { call } from '../../../../lib/api.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { declineRecharge } from '../../recharges/admin/decline-recharge.tsx'
import { aboutPayments, refreshAfterCredit } from './api.ts'
import { ClaimsOfPayment } from './claims-of-payment.tsx'
import { payerOf, timeOf, transactionOf } from './payment-words.ts'
import { RawMessage } from './raw-message.tsx'

/** A payment and the request that it may be for, side by side, with what does not agree. */
export function DoubtfulMatch({ match }: { match: Match }) {
  const { payment, request, agrees, reasons, does } = match
  const [busy, setBusy] = useState(false)
  if (!request) return null
  const { username } = request.user
  const amount = moneyText(payment.amount)

  const run = async (act: () => Promise<string>) => {
    setBusy(true)
    try {
      toast.success(await act())
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
      refreshAfterCredit()
    }
  }
  const credit = async () => {
    const question =
      does === 'note'
        ? `Was this payment of ${amount} the one for request ${request.rechargeId} of ${username}? No money moves.`
        : `Are you sure you want to credit ${username} with ${amount}?`
    const details = <RawMessage text={payment.raw} open />
    const title = does === 'note' ? 'Counted already' : 'Credit payment'
    if (!(await confirmAction({ about: aboutPayments(payment), question, title, details }))) return
    const whom = does === 'choose' ? { userId: request.user._id } : { rechargeId: request._id }
    await run(async () => {
      await withPassword(() =>
        call('POST /received-payment/:id/credit', { params: { id: payment._id }, body: { amount: payment.amount, ...whom } }),
      )
      if (does === 'note') return 'Noted. Nothing was credited.'
      return does === 'choose' ? `${username} was credited with ${amount}` : 'Recharge request approved'
    })
  }
  const setAside = () =>
    run(async () => {
      const body = does === 'choose' ? ({ how: 'keep' } as const) : ({ how: 'not-this-request', rechargeId: request._id } as const)
      return (await call('PUT /received-payment/:id/set-aside', { params: { id: payment._id }, body })).message
    })
  const decline = async () => {
    const declined = await declineRecharge({ ...request, saidPaidAt: null, declineReason: null, credited: null })
    if (declined) refreshAfterCredit()
  }
  // A request that its own payment names is declined or credited; one that was only guessed may be the wrong one.
  const canDecline = does === 'approve' && agrees.includes('reference')

  return (
    <article aria-label={`${username}, ${amount}`} className="flex flex-col gap-2.5 px-4 py-3">
      <div className="grid grid-cols-2 overflow-hidden rounded-box border border-line">
        <Side
          label={`Request ${request.rechargeId}`}
          name={username}
          amount={request.amount}
          line={`${formatShortTime(new Date(request.createdAt), shopNow())} · ${spacedPhone(request.user.phone)}`}
        />
        <Side
          label={`Payment ${payment.transactionId}`}
          name={payerOf(payment)}
          nameTone={agrees.includes('name') ? 'text-done' : ''}
          amount={payment.amount}
          amountTone={agrees.includes('amount') ? '' : 'text-danger'}
          line={payment.reference ? `Reference ${payment.reference}` : (payment.payerPhone ?? timeOf(payment))}
        />
      </div>
      <ul className="flex flex-col gap-1 text-body">
        {reasons.map((reason) => (
          <li key={reason} className="flex gap-1.5">
            <TriangleAlert className="mt-1 size-4 shrink-0 text-pending" aria-hidden="true" />
            {reason}
          </li>
        ))}
      </ul>
      <p className="tabular text-small text-muted">
        {transactionOf(payment)} · {timeOf(payment)} · read by {payment.receivedBy}
      </p>
      <ClaimsOfPayment match={match} />
      <RawMessage text={payment.raw} />
      <div className="flex gap-2">
        {canDecline ? (
          <Button variant="secondary" disabled={busy} onClick={() => void decline()}>
            Decline
          </Button>
        ) : (
          <Button variant="secondary" disabled={busy} onClick={() => void setAside()}>
            {does === 'choose' ? 'Keep for later' : 'Not this one'}
          </Button>
        )}
        <Button
          variant="secondary"
          className="flex-1 border-transparent! bg-brand-soft! text-brand-text!"
          busy={busy}
          onClick={() => void credit()}
        >
          {labelOf(match)}
        </Button>
      </div>
    </article>
  )
}

/** The name is short, since all of it stands above. */
function labelOf({ does, payment, request, agrees }: Match): string {
  const amount = moneyText(payment.amount)
  if (does === 'note') return 'It was this one'
  if (does === 'reopen') return `Reopen and credit ${amount}`
  return agrees.includes('reference') && does === 'approve'
    ? `Credit ${amount}`
    : `Credit ${request?.user.username.split(' ')[0]} ${amount}`
}

type SideProps = { label: string; name: string; nameTone?: string; amount: number; amountTone?: string; line: string }

function Side({ label, name, nameTone, amount, amountTone, line }: SideProps) {
  return (
    <div className="min-w-0 px-3 py-2 not-first:border-l not-first:border-line">
      <p className="tabular text-small wrap-anywhere text-muted">{label}</p>
      <p className={classNames('font-semibold wrap-anywhere', nameTone)}>{name}</p>
      <p className={classNames('text-title leading-tight', amountTone)}>
        <Money cedis={amount} />
      </p>
      <p className="tabular text-small wrap-anywhere text-muted">{line}</p>
    </div>
  )
}
