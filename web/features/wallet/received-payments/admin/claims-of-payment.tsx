import { useState } from 'react'
import { formatShortTime } from '../../../../../shared/dates.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import type { Match } from '../../../../../shared/received-payments.ts'
import { call } from '../../../../lib/api.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { moneyText } from '../../../../ui/money.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { aboutPayments, refreshAfterCredit } from './api.ts'
import { RawMessage } from './raw-message.tsx'

/** Customers who say, by its transaction ID, that a payment is theirs. Who has only seen the message knows the ID too. */
export function ClaimsOfPayment({ match: { payment, request, claims } }: { match: Match }) {
  const [busy, setBusy] = useState(false)
  const credit = async ({ user }: Match['claims'][number]) => {
    const amount = moneyText(payment.amount)
    const details = <RawMessage text={payment.raw} open />
    const question = `Are you sure you want to credit ${user.username} with ${amount}?`
    if (!(await confirmAction({ about: aboutPayments(payment), question, title: 'Credit payment', details }))) return
    setBusy(true)
    try {
      const isRequest = request?.user._id === user._id && request.status === 'pending'
      const body = { amount: payment.amount, ...(isRequest ? { rechargeId: request._id } : { userId: user._id }) }
      await withPassword(() => call('POST /received-payment/:id/credit', { params: { id: payment._id }, body }))
      toast.success(`${user.username} was credited with ${amount}`)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
      refreshAfterCredit()
    }
  }
  if (claims.length === 0) return null
  return (
    <ul className="flex flex-col gap-2 rounded-box bg-sunken px-3 py-2 text-small">
      {claims.length > 1 && <li className="text-pending">More than one customer says that it is theirs.</li>}
      {claims.map((claim) => (
        <li key={claim.user._id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="min-w-0 break-words">
            <b>{claim.user.username}</b> {spacedPhone(claim.user.phone)} says it is theirs, {formatShortTime(new Date(claim.at), shopNow())}
          </span>
          <Button variant="secondary" busy={busy} onClick={() => void credit(claim)}>
            Credit {claim.user.username.split(' ')[0]}
          </Button>
        </li>
      ))}
    </ul>
  )
}
