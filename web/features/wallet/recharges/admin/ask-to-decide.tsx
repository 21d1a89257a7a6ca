import type { Recharge } from '../../../../../shared/recharges.ts'
import { aboutRecord } from '../../../../lib/about-record.ts'
import { capitalised } from '../../../../lib/admin/words.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../../ui/details.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'

type Decision = 'approve' | 'decline'

/** The reason is for the customer, and only asked for when a request is declined. */
export async function askToDecide(recharge: Recharge, decision: Decision): Promise<{ yes: boolean; reason: string }> {
  let reason = ''
  const yes = await confirmAction({
    about: aboutRecord(recharge, 'status', 'amount'),
    question: `Are you sure you want to ${decision} the recharge of ${moneyText(recharge.amount)} for ${recharge.user.username}?`,
    title: `${capitalised(decision)} recharge`,
    danger: decision === 'decline',
    details: (
      <>
        <Details>
          <Detail name="Reference">{recharge.rechargeId}</Detail>
          <Detail name="Username">{recharge.user.username}</Detail>
          <Detail name="Amount" strong>
            <Money cedis={recharge.amount} />
          </Detail>
        </Details>
        {decision === 'decline' && (
          <Field
            label="Reason (optional)"
            name="reason"
            autoComplete="off"
            maxLength={200}
            hint={`${recharge.user.username} reads it.`}
            className="mt-4"
            onChange={(event) => {
              reason = event.currentTarget.value.trim()
            }}
          />
        )}
      </>
    ),
  })
  return { yes, reason }
}
