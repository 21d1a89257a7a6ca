import type { Match } from '../../../../../shared/received-payments.ts'
import { call } from '../../../../lib/api.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { moneyText } from '../../../../ui/money.tsx'
import { toast } from '../../../../ui/toast.ts'
import { aboutPayments, refreshAfterCredit } from './api.ts'

/** The sum of what came in, in cedis. */
export function sumOf(matches: readonly Match[]): number {
  return matches.reduce((pesewas, { payment }) => pesewas + Math.round(payment.amount * 100), 0) / 100
}

/**
 * Asks, then credits certain matches together. Returns a sentence for each that was refused; null when nothing was approved.
 * @throws RefusedError or NoReplyError. Sending the same again credits nothing twice.
 */
export async function approveTogether(matches: readonly Match[]): Promise<string[] | null> {
  const [first] = matches
  if (!first) return null
  const amount = moneyText(sumOf(matches))
  const question =
    matches.length === 1
      ? `Are you sure you want to approve the recharge of ${amount} for ${first.request?.user.username}?`
      : `Are you sure you want to approve ${matches.length} recharges of ${amount} in all?`
  const about = aboutPayments(...matches.map(({ payment }) => payment))
  if (!(await confirmAction({ about, question, title: 'Approve recharge', stub: amount }))) return null
  try {
    const pairs = matches.map(({ payment, request }) => ({
      paymentId: payment._id,
      rechargeId: request?._id ?? '',
      amount: payment.amount,
    }))
    const { credited, refused } = await call('POST /received-payment/approve', { body: { matches: pairs } })
    if (credited === 1) toast.success('Recharge request approved')
    else if (credited > 1) toast.success(`${credited} recharge requests approved`)
    const nameOf = (id: string) => matches.find(({ payment }) => payment._id === id)?.request?.user.username
    return refused.map(({ paymentId, message }) => `${nameOf(paymentId)}: ${message}`)
  } finally {
    refreshAfterCredit()
  }
}
