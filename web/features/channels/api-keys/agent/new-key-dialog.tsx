import type { ApiScope } from '../../../../../shared/api-keys.ts'
import { parseFields, useForm } from '../../../../lib/use-form.ts'
import { developerTexts } from '../../../../texts/developer.ts'
import { Chip, ChipRow } from '../../../../ui/chip.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { useMakeKey } from './api.ts'
import { ChoiceList } from './choice-list.tsx'

const SCOPES = Object.keys(developerTexts.scopes) as ApiScope[]
const LASTS_DAYS = [30, 90, 365]
const FORM = 'new-key'

type Props = { onClose: () => void; onMade: (made: { name: string; isTest: boolean; secret: string }) => void }

/** What a new key is called, may do, and from where. */
export function NewKeyDialog({ onClose, onMade }: Props) {
  const make = useMakeKey()
  const form = useForm({
    initial: { name: '', test: false, scopes: SCOPES, days: 0, addresses: '' },
    parse: ({ name, test, scopes, days, addresses }) =>
      parseFields(
        {
          name: name.trim().length === 0 || name.trim().length > 40 ? developerTexts.nameNeeded : null,
          scopes: scopes.length === 0 ? developerTexts.scopeNeeded : null,
        },
        () => ({
          name: name.trim(),
          test,
          scopes,
          addresses: addresses.split(/[\s,;]+/).filter((one) => one !== ''),
          ...(days > 0 && { expiresInDays: days }),
        }),
      ),
    fieldAt: (path) => path.split('.')[0] ?? path,
    submit: async (wanted) => {
      const { key, secret } = await make.mutateAsync(wanted)
      onMade({ name: key.name, isTest: key.isTest, secret })
    },
  })
  const { test, scopes, days } = form.values
  return (
    <Dialog
      title={developerTexts.newKey}
      onClose={onClose}
      yes={{ type: 'submit', form: FORM, busy: form.busy, children: developerTexts.make }}
    >
      <form {...form.props} id={FORM} className="flex flex-col gap-4">
        <Field {...form.field('name')} label={developerTexts.name} hint={developerTexts.nameHint} maxLength={40} autoComplete="off" />
        <ChipRow label={developerTexts.kind}>
          <Chip selected={!test} onClick={() => form.setValue('test', false)}>
            {developerTexts.liveKey}
          </Chip>
          <Chip selected={test} onClick={() => form.setValue('test', true)}>
            {developerTexts.testKey}
          </Chip>
        </ChipRow>
        <ChoiceList
          label={developerTexts.mayDo}
          choices={SCOPES.map((scope) => ({ value: scope, words: developerTexts.scopes[scope], code: scope }))}
          chosen={scopes}
          onChosen={(next) => form.setValue('scopes', next)}
          error={form.errors.scopes}
        />
        <div>
          <p className="font-semibold">{developerTexts.expires}</p>
          <ChipRow label={developerTexts.expires}>
            <Chip selected={days === 0} onClick={() => form.setValue('days', 0)}>
              {developerTexts.never}
            </Chip>
            {LASTS_DAYS.map((one) => (
              <Chip key={one} selected={days === one} onClick={() => form.setValue('days', one)}>
                {developerTexts.days(one)}
              </Chip>
            ))}
          </ChipRow>
        </div>
        <Field
          {...form.field('addresses')}
          label={developerTexts.addresses}
          hint={developerTexts.addressesHint}
          autoComplete="off"
          inputMode="text"
        />
        {form.formError && (
          <p role="alert" className="text-body text-danger">
            {form.formError}
          </p>
        )}
      </form>
    </Dialog>
  )
}
