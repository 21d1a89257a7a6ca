import { useQueryClient } from '@tanstack/react-query'
import { floatSettingsRequest } from '../../../../../shared/floats.ts'
import { call } from '../../../../lib/api.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'

const FORM = 'alarm-hours'

/** How long before a balance ends the owner is told. */
export function AlarmDialog({ hours, onClose }: { hours: number; onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm({
    initial: { alarmHours: String(hours) },
    schema: floatSettingsRequest,
    read: ({ alarmHours }) => ({ alarmHours: Number(alarmHours) }),
    submit: async (body) => {
      await call('PUT /admin/suppliers/settings', { body })
      await client.invalidateQueries({ queryKey: ['suppliers'] })
      onClose()
    },
  })
  return (
    <Dialog
      title="When to tell me"
      onClose={onClose}
      yes={{ type: 'submit', form: FORM, busy: form.busy, busyLabel: 'One moment…', children: 'Save' }}
    >
      <form id={FORM} {...form.props} className="flex flex-col gap-3">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        <Field
          label="Hours before a balance ends"
          hint="You get one SMS, and a line at the top of the portal. You also hear at once when a balance is finished or a supplier takes no orders."
          inputMode="numeric"
          maxLength={2}
          {...form.field('alarmHours')}
        />
      </form>
    </Dialog>
  )
}
