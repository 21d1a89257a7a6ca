import type { ReceivedPayment } from '../../../../../shared/received-payments.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import type { Subject } from '../../../../lib/subject.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Field } from '../../../../ui/field.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { refreshAfterCredit } from './api.ts'
import { RawMessage } from './raw-message.tsx'

const USUAL = 'This payment was not yours.'

/** Asks why, then debits a wrongly credited payment. */
export async function takeBack(payment: ReceivedPayment, username: string, about: Subject): Promise<void> {
  let reason = USUAL
  const amount = moneyText(payment.amount)
  const yes = await confirmAction({
    about,
    question: `Are you sure you want to take ${amount} back from ${username}?`,
    title: 'Take back a payment',
    danger: true,
    details: (
      <div className="flex flex-col gap-4">
        <RawMessage text={payment.raw} open />
        <Field
          label="Reason"
          name="reason"
          autoComplete="off"
          maxLength={200}
          defaultValue={USUAL}
          hint={`${username} reads it.`}
          onChange={(event) => {
            reason = event.currentTarget.value.trim()
          }}
        />
      </div>
    ),
  })
  if (!yes) return
  try {
    await withPassword(() => call('POST /received-payment/:id/take-back', { params: { id: payment._id }, body: { reason } }))
    toast.success(`${amount} was taken back from ${username}`)
  } catch (error) {
    toast.danger(messageOf(error))
  } finally {
    refreshAfterCredit()
  }
}
