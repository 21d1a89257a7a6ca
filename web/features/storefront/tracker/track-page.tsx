import { useState } from 'react'
import type { ShopFace } from '../../../../shared/agent-shops.ts'
import { mobilePhoneProblem } from '../../../../shared/phones.ts'
import type { TrackedOrder } from '../../../../shared/tracker.ts'
import { referenceProblem } from '../../../../shared/tracker-rules.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { trackerTexts as texts } from '../../../texts/orders.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { PhoneField } from '../../../ui/phone-field.tsx'
import { trackOrder } from './api.ts'
import { TrackedTicket } from './tracked-ticket.tsx'

/** Where an order is, for anyone who knows its number and its receiver. */
export function TrackPage({ onFace }: { onFace: (face: ShopFace | null) => void }) {
  const [found, setFound] = useState<TrackedOrder | null>(null)
  const show = (order: TrackedOrder | null) => {
    setFound(order)
    onFace(order?.guest?.shop ?? null)
  }
  const form = useForm({
    initial: { reference: '', phoneNumber: '' },
    parse: ({ reference: typed, phoneNumber }) => {
      const reference = typed.trim()
      return parseFields({ reference: referenceProblem(reference), phoneNumber: mobilePhoneProblem(phoneNumber) }, () => ({
        reference,
        phoneNumber,
      }))
    },
    submit: async (sought) => show((await trackOrder(sought)).order),
    onRefused: () => show(null),
  })
  return (
    <Page width="form">
      {found ? (
        <>
          <TrackedTicket order={found} />
          <Button variant="secondary" block className="mt-4" onClick={() => show(null)}>
            {texts.another}
          </Button>
        </>
      ) : (
        <>
          <PageHeader title={texts.title}>{texts.intro}</PageHeader>
          <Card className="p-5 sm:p-6">
            <form {...form.props} className="flex flex-col gap-5">
              <Field
                {...form.field('reference')}
                label={texts.reference}
                hint={texts.referenceHint}
                autoCapitalize="none"
                autoComplete="off"
                required
              />
              <PhoneField {...form.valueField('phoneNumber')} label={texts.receiver} required />
              <Button type="submit" size="large" block busy={form.busy} busyLabel={texts.looking}>
                {texts.track}
              </Button>
              {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
            </form>
          </Card>
        </>
      )}
    </Page>
  )
}
