import { useQueryClient } from '@tanstack/react-query'
import { releaseHoldRequest } from '../../../../../shared/payments.ts'
import { call } from '../../../../lib/api.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextareaField } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'

const FORM = 'release-hold'

type Props = { reference: string; what: 'orders' | 'money'; warning: string; onClose: () => void }

/** Releases the orders of a disputed or refunded payment, or what of a payment waits beyond the limits of topping up, with a reason. */
export function ReleaseHoldDialog({ reference, what, warning, onClose }: Props) {
  const client = useQueryClient()
  const form = useForm({
    initial: { reason: '' },
    schema: releaseHoldRequest,
    submit: async ({ reason }) => {
      await call('POST /payment/:reference/release', { params: { reference }, body: { reason } })
      await Promise.all([client.invalidateQueries({ queryKey: ['payments'] }), client.invalidateQueries({ queryKey: ['orders'] })])
      onClose()
    },
  })
  return (
    <Dialog
      role="alertdialog"
      title={`Release the ${what}`}
      onClose={onClose}
      yes={{
        type: 'submit',
        form: FORM,
        variant: 'danger',
        busy: form.busy,
        busyLabel: 'One moment…',
        children: `Yes, release ${what === 'orders' ? 'them' : 'it'}`,
      }}
    >
      <p className="text-large">{warning}</p>
      <form id={FORM} {...form.props} className="mt-4 flex flex-col gap-3">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        <TextareaField
          label={`Why is it safe to release ${what === 'orders' ? 'them' : 'it'}?`}
          hint="Every admin can read it under Activity."
          rows={2}
          maxLength={300}
          {...form.field('reason')}
        />
      </form>
    </Dialog>
  )
}
