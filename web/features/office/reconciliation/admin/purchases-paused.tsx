import { formatDateTime } from '../../../../../shared/dates.ts'
import { liftPauseRequest, MAX_LIFT_REASON, type ReconciliationReply } from '../../../../../shared/reconciliation.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { messageOf } from '../../../../lib/http.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { TextareaField } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { Card } from '../../../../ui/page.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useResume } from './api.ts'
import { Findings } from './findings.tsx'

/** Since when and why purchases are paused, and the form to resume them. */
export function PurchasesPaused({ pause, broken }: { pause: NonNullable<ReconciliationReply['pause']>; broken: number }) {
  const resume = useResume()
  const form = useForm({
    initial: { reason: '' },
    schema: liftPauseRequest,
    confirm: ({ reason }) =>
      confirmAction({
        title: 'Resume purchases',
        question: 'Do you want customers to buy again now?',
        details: <BeforeYouLift broken={broken} reason={reason} />,
        yes: 'Yes, let them buy',
        danger: broken > 0,
      }),
    submit: ({ reason }) => resume(reason),
    onRefused: (_message, error) => toast.danger(messageOf(error)),
  })
  return (
    <Card className="flex flex-col gap-4 border-danger p-4 sm:p-5">
      <NoticeBox tone="danger" title={`Purchases have been paused since ${formatDateTime(new Date(pause.pausedAt))}.`}>
        <p>
          The books don’t add up, so nobody can buy from a wallet or start a card payment. Everything else still works. Sales start again
          when an admin lets them.
        </p>
      </NoticeBox>
      <div>
        <h2 className="pb-2 text-title">What was found</h2>
        <Findings found={pause.found} />
      </div>
      <form {...form.props} className="flex flex-col gap-3 border-t border-line pt-4">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        <TextareaField
          label="Why is it safe to sell again?"
          hint="Every admin can read it under Activity."
          rows={2}
          maxLength={MAX_LIFT_REASON}
          {...form.field('reason')}
        />
        <div>
          <Button type="submit" variant={broken > 0 ? 'danger' : 'primary'} busy={form.busy} busyLabel="One moment…">
            Resume purchases
          </Button>
        </div>
      </form>
    </Card>
  )
}

function BeforeYouLift({ broken, reason }: { broken: number; reason: string }) {
  return (
    <div className="flex flex-col gap-3">
      <p>
        {broken > 0
          ? `${counted(broken, 'check')} of the books still ${broken === 1 ? 'fails' : 'fail'}. Opening sales doesn’t fix that, and the same findings won’t pause them again.`
          : 'All checks pass again. What was found before won’t pause purchases again.'}
      </p>
      <p className="rounded-box bg-sunken px-3 py-2 break-words">“{reason}”</p>
    </div>
  )
}
