import { useQueryClient } from '@tanstack/react-query'
import { countedBalanceRequest } from '../../../../../shared/floats.ts'
import { NETWORKS, type Network } from '../../../../../shared/networks.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import { call } from '../../../../lib/api.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { SelectField } from '../../../../ui/field.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'

const FORM = 'counted-balance'

/** Enters what is left at a portal without an API. With a network it is that one's; otherwise the owner chooses. */
export function BalanceDialog({ network, onClose }: { network: Network | null; onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm({
    initial: { network: network ?? ('MTN' as string), balance: '' },
    schema: countedBalanceRequest,
    read: (values) => ({ network: values.network, balance: pesewasIn(values.balance) ?? undefined }),
    submit: async (body) => {
      toast.success((await call('PUT /admin/suppliers/balance', { body })).message)
      await client.invalidateQueries({ queryKey: ['suppliers'] })
      onClose()
    },
  })
  return (
    <Dialog
      title={network ? `${network} portal` : 'A portal without an API'}
      onClose={onClose}
      yes={{ type: 'submit', form: FORM, busy: form.busy, busyLabel: 'One moment…', children: 'Save the balance' }}
    >
      <form id={FORM} {...form.props} className="flex flex-col gap-3">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        {network === null && (
          <SelectField label="Network" {...form.field('network')}>
            {NETWORKS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
        )}
        <MoneyField
          label="What is left there now"
          hint="Look it up in the portal. Every order that you deliver by hand from now on is taken off it."
          value={form.values.balance}
          onValue={(text) => form.setValue('balance', text)}
          error={form.errors.balance}
        />
      </form>
    </Dialog>
  )
}
