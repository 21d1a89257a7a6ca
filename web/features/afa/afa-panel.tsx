import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnAfa } from '../../../shared/afa.ts'
import { AFA_REGIONS, type AfaDetails, type AfaRegion, afaProblems, typeGhanaCard } from '../../../shared/afa-rules.ts'
import { call } from '../../lib/api.ts'
import { queryClient } from '../../lib/query-client.ts'
import { parseFields, useForm } from '../../lib/use-form.ts'
import { afaTexts as texts } from '../../texts/afa.ts'
import { Button } from '../../ui/button.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { LoadError, NoticeBox } from '../../ui/notice-box.tsx'
import { Card } from '../../ui/page.tsx'
import { PhoneField } from '../../ui/phone-field.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { toast } from '../../ui/toast.ts'

/** `orderId` of one's own order; a guest has its `reference`. */
type Props = { orderId: string; reference?: string; receiver?: string }

/** The registration of an AFA order: asks for the details, and says how far it is. */
export default function AfaPanel({ orderId, reference, receiver = '' }: Props) {
  const queryKey = ['order', orderId, 'afa']
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      reference === undefined
        ? call('GET /order/:id/afa', { params: { id: orderId }, signal })
        : call('GET /shops/order/:reference/afa', { params: { reference }, signal }),
  })
  const [correcting, setCorrecting] = useState(false)
  if (error && !data) return <LoadError what={texts.what} error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading label={texts.loading}>
        <Skeleton className="h-40" />
      </Loading>
    )
  const { registration } = data
  const { state, fullName, ghanaCard, refusal } = registration
  const send = async (body: AfaDetails & { consent: true }) => {
    const reply =
      reference === undefined
        ? await call('POST /order/:id/afa', { params: { id: orderId }, body })
        : await call('POST /shops/order/:reference/afa', { params: { reference }, body })
    queryClient.setQueryData(queryKey, reply)
    setCorrecting(false)
    toast.success(texts.sent)
  }
  const asks = state === 'needed' || correcting
  return (
    <Card className="flex flex-col gap-3 p-4">
      <h2 className="text-large">{texts.title}</h2>
      {asks ? (
        <AfaForm registration={registration} receiver={receiver} onSend={send} onCancel={correcting ? () => setCorrecting(false) : null} />
      ) : (
        <>
          <p role="status">{[texts.state[state], refusal].filter(Boolean).join(' ')}</p>
          {fullName && (
            <p className="font-semibold">
              {fullName} · {ghanaCard}
            </p>
          )}
          {state === 'received' && (
            <Button variant="secondary" className="self-start" onClick={() => setCorrecting(true)}>
              {texts.correct}
            </Button>
          )}
        </>
      )}
    </Card>
  )
}

type FormProps = {
  registration: OwnAfa
  receiver: string
  onSend: (body: AfaDetails & { consent: true }) => Promise<void>
  onCancel: (() => void) | null
}

function AfaForm({ registration, receiver, onSend, onCancel }: FormProps) {
  const form = useForm({
    initial: { fullName: '', phone: receiver, ghanaCard: '', birthDate: '', region: '', town: '', occupation: '', consent: false },
    parse: ({ consent, ...details }) =>
      parseFields({ ...afaProblems(details, new Date()), consent: consent ? null : texts.mustAgree }, () => {
        return { ...details, region: details.region as AfaRegion, consent: true as const }
      }),
    submit: onSend,
  })
  return (
    <form {...form.props} className="flex flex-col gap-4">
      <NoticeBox tone="pending">{texts.ask}</NoticeBox>
      <Field {...form.field('fullName')} label={texts.fullName} autoComplete="off" />
      <PhoneField {...form.valueField('phone')} label={texts.phone} />
      <Field
        name="ghanaCard"
        label={texts.ghanaCard}
        hint={texts.ghanaCardHint}
        value={form.values.ghanaCard}
        error={form.errors.ghanaCard}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onChange={(event) => form.setValue('ghanaCard', typeGhanaCard(event.currentTarget.value))}
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
        hint={texts.privacy(registration.keepDays)}
        checked={form.values.consent}
        onValue={(on) => form.setValue('consent', on)}
      >
        {form.errors.consent && <NoticeBox tone="danger">{form.errors.consent}</NoticeBox>}
      </SwitchField>
      {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
      <Button type="submit" block busy={form.busy} busyLabel={texts.sending}>
        {texts.send}
      </Button>
      {onCancel && (
        <Button variant="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
      )}
    </form>
  )
}
