import { formatLongDate } from '../../../../../shared/dates.ts'
import type { QuestionedPayment as Questioned } from '../../../../../shared/received-payments.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Button } from '../../../../ui/button.tsx'
import { Money } from '../../../../ui/money.tsx'
import { toast } from '../../../../ui/toast.ts'
import { aboutPayments, refreshAfterCredit } from './api.ts'
import { transactionOf } from './payment-words.ts'
import { takeBack } from './take-back.tsx'

/** A credited payment that a later message calls into question. */
export function QuestionedPayment({ questioned: { payment, username, creditedAt, reason } }: { questioned: Questioned }) {
  const keep = async () => {
    try {
      const body = { how: 'keep' } as const
      toast.success((await call('PUT /received-payment/:id/set-aside', { params: { id: payment._id }, body })).message)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      refreshAfterCredit()
    }
  }
  return (
    <article aria-label={`${username}, ${payment.transactionId}`} className="flex flex-col gap-2 px-4 py-3">
      <p className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 font-semibold break-words">{username}</span>
        <Money cedis={payment.amount} />
      </p>
      <p className="tabular text-small text-muted">
        {transactionOf(payment)} · credited on {formatLongDate(new Date(creditedAt))}
      </p>
      <p>{reason}</p>
      <div className="flex gap-2">
        <Button variant="danger" onClick={() => void takeBack(payment, username, aboutPayments(payment))}>
          Take back
        </Button>
        <Button variant="secondary" className="flex-1" onClick={() => void keep()}>
          The money is there
        </Button>
      </div>
    </article>
  )
}
