import type { CheckerKind } from '../../../../../shared/checkers.ts'
import { call } from '../../../../lib/api.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { refreshStock } from './api.ts'

const FORM = 'checker-kind'

/** What a kind is called, where its codes are used, and when few are left. */
export function KindDialog({ kind, onClose }: { kind: CheckerKind; onClose: () => void }) {
  const form = useForm({
    initial: { name: kind.name, portal: kind.portal, lowStock: String(kind.lowStock) },
    parse: ({ name, portal, lowStock }) => {
      const low = /^\d{1,6}$/.test(lowStock.trim()) ? Number(lowStock) : null
      return low === null ? { errors: { lowStock: 'A number from 0 to 100,000.' } } : { output: { name, portal, lowStock: low } }
    },
    submit: async (body) => {
      toast.success((await call('PUT /admin/checkers/kinds/:kind', { params: { kind: kind.kind }, body })).message)
      refreshStock()
      onClose()
    },
  })
  return (
    <Dialog
      title={kind.name}
      onClose={onClose}
      yes={{ type: 'submit', form: FORM, busy: form.busy, busyLabel: 'One moment…', children: 'Save' }}
    >
      <form id={FORM} {...form.props} className="flex flex-col gap-3">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        <Field label="Name" hint="Buyers read it above their PIN." {...form.field('name')} />
        <Field label="Where it is used" hint="Buyers follow this link, and the SMS names it." {...form.field('portal')} inputMode="url" />
        <Field label="Tell me when fewer are left than" {...form.field('lowStock')} inputMode="numeric" />
      </form>
    </Dialog>
  )
}
