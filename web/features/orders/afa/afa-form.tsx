import { AFA_REGIONS, type AfaDetails, type AfaRegion, afaProblems } from '../../../../shared/afa-rules.ts'
import { shopNow } from '../../../lib/clock.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { afaTexts as texts } from '../../../texts/afa.ts'
import { Answers } from '../../../ui/answers.tsx'
import { Field, SelectField } from '../../../ui/field.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { PhoneField } from '../../../ui/phone-field.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { editGhanaCard } from './edit-ghana-card.ts'

type FormProps = {
  /** Why it is asked for. */
  ask: string
  /** How many days after the order has ended the details are erased; null when that is not known yet. */
  keepDays: number | null
  receiver: string
  button: string
  onSend: (body: AfaDetails & { consent: true }) => Promise<void>
  onCancel: (() => void) | null
}

/** Asks for the details of the person whom AFA shall register, checks them while they are typed, and sends them. */
export function AfaForm({ ask, keepDays, receiver, button, onSend, onCancel }: FormProps) {
  const form = useForm({
    initial: { fullName: '', phone: receiver, ghanaCard: '', birthDate: '', region: '', town: '', occupation: '', consent: false },
    // Not what identifies the person: on this device neither the card's number nor the day of birth is kept.
    draft: { form: `AFA ${receiver}`, fields: ['fullName', 'region', 'town', 'occupation'] },
    parse: ({ consent, ...details }) =>
      parseFields({ ...afaProblems(details, shopNow()), consent: consent ? null : texts.mustAgree }, () => {
        return { ...details, region: details.region as AfaRegion, consent: true as const }
      }),
    submit: onSend,
  })
  return (
    <form {...form.props} className="flex flex-col gap-4">
      <NoticeBox tone="pending">{ask}</NoticeBox>
      <Field {...form.field('fullName')} label={texts.fullName} autoComplete="off" />
      <PhoneField {...form.phoneField('phone')} label={texts.phone} />
      <Field
        name="ghanaCard"
        label={texts.ghanaCard}
        hint={texts.ghanaCardHint}
        value={form.values.ghanaCard}
        error={form.errors.ghanaCard}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onChange={({ currentTarget: input }) => {
          const { text, caret } = editGhanaCard(input.value, input.selectionStart ?? input.value.length)
          // React would move the caret to the end if it wrote this text by itself.
          input.value = text
          input.setSelectionRange(caret, caret)
          form.setValue('ghanaCard', text)
        }}
      />
      <Field {...form.field('birthDate')} label={texts.birthDate} type="date" autoComplete="off" />
      <SelectField {...form.field('region')} label={texts.region}>
        <option value="">{texts.chooseRegion}</option>
        {AFA_REGIONS.map((region) => (
          <option key={region}>{region}</option>
        ))}
      </SelectField>
      <Field {...form.field('town')} label={texts.town} autoComplete="off" />
      <Field {...form.field('occupation')} label={texts.occupation} hint={texts.occupationHint} autoComplete="off" />
      <SwitchField
        name="consent"
        label={texts.consent}
        hint={texts.privacy(keepDays)}
        checked={form.values.consent}
        onValue={(on) => form.setValue('consent', on)}
      >
        {form.errors.consent && <NoticeBox tone="danger">{form.errors.consent}</NoticeBox>}
      </SwitchField>
      {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
      <Answers
        yes={{ type: 'submit', busy: form.busy, busyLabel: texts.sending, children: button }}
        no={onCancel !== null && { onClick: onCancel }}
      />
    </form>
  )
}
