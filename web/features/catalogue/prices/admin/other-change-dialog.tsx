import { formatPesewas } from '../../../../../shared/money.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field, SelectField } from '../../../../ui/field.tsx'
import { PRICE_FIELDS, type PriceField, type PriceTool } from './price-draft.ts'
import { readAdjustment } from './read-adjustment.ts'

const WHOSE: Record<string, { label: string; fields: readonly PriceField[]; ending: string }> = {
  all: { label: 'Customers and agents', fields: PRICE_FIELDS, ending: '' },
  customer: { label: 'Customers only', fields: ['customer'], ending: ', customers' },
  agent: { label: 'Agents only', fields: ['agent'], ending: ', agents' },
}

/** Any other change of all prices of a network. */
export function OtherChangeDialog({
  network,
  onTool,
  onClose,
}: {
  network: string
  onTool: (tool: PriceTool) => void
  onClose: () => void
}) {
  const form = useForm({
    initial: { by: '', whose: 'all' },
    parse: ({ by, whose }) => {
      const adjustment = readAdjustment(by)
      const { fields, ending } = WHOSE[whose] ?? { fields: PRICE_FIELDS, ending: '' }
      if (!adjustment) return { errors: { by: 'Write it like +3 % or -0.20.' } }
      const amount = 'percent' in adjustment ? adjustment.percent : adjustment.pesewas
      const size = 'percent' in adjustment ? `${Math.abs(amount)} %` : formatPesewas(Math.abs(amount))
      return { output: { name: `${amount < 0 ? '−' : '+'}${size}${ending}`, adjustment, fields } }
    },
    submit: (tool) => {
      onTool(tool)
      onClose()
    },
  })
  return (
    <Dialog
      title="Change all prices"
      kicker={network}
      onClose={onClose}
      yes={{ onClick: () => void form.send(), children: 'Show new prices' }}
    >
      <form {...form.props} className="flex flex-col gap-4">
        <Field
          label="By"
          hint="In percent or cedis. Percentages are rounded to 0.10."
          placeholder="+3 % or -0.20"
          autoFocus
          maxLength={12}
          {...form.field('by')}
        />
        <SelectField label="Whose prices" {...form.field('whose')}>
          {Object.entries(WHOSE).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
