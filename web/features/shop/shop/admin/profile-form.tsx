import type { ChangeEvent } from 'react'
import { profileRequest, type ShopSettings } from '../../../../../shared/shop-settings.ts'
import { call } from '../../../../lib/api.ts'
import { only, useForm } from '../../../../lib/use-form.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Field, SelectField } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { keepShopSettings } from './api.ts'
import { DAYS, hoursText, readHours } from './hours-words.ts'

/** What the fields of one setting are sent as. */
const SENT_AS: Record<string, string> = {
  whatsapp1: 'whatsapp',
  whatsapp2: 'whatsapp',
  from: 'workHours',
  to: 'workHours',
  opens: 'workHours',
  closes: 'workHours',
}

/** The shop's name, contacts and hours, as customers see them. */
export function ProfileForm({ stored }: { stored: ShopSettings }) {
  const hours = readHours(stored.workHours)
  const initial = {
    name: stored.name,
    tagline: stored.tagline,
    phone: stored.phone,
    email: stored.email,
    whatsapp1: stored.whatsapp[0] ?? '',
    whatsapp2: stored.whatsapp[1] ?? '',
    workHours: stored.workHours,
    from: hours?.from ?? '',
    to: hours?.to ?? '',
    opens: hours?.opens ?? '',
    closes: hours?.closes ?? '',
  }
  const form = useForm({
    initial,
    follows: true,
    draft: { form: 'shop profile', fields: Object.keys(initial) as (keyof typeof initial)[] },
    schema: profileRequest,
    read: ({ whatsapp1, whatsapp2, from, to, opens, closes, ...rest }) => ({
      ...rest,
      phone: digitsOf(rest.phone),
      whatsapp: [whatsapp1, whatsapp2].map(digitsOf).filter((number) => number !== ''),
      ...(hours && opens && closes ? { workHours: hoursText({ from, to, opens, closes }) } : {}),
    }),
    fieldAt: (path) => (path.startsWith('whatsapp') ? (path.endsWith('.1') ? 'whatsapp2' : 'whatsapp1') : path),
    submit: async (body, _, changed) => {
      const names = changed.map((name) => SENT_AS[name] ?? name)
      await keepShopSettings((await call('PUT /admin/shop', { body: only(body, names) })).shop)
      toast.success('Saved. Customers see it from now on')
    },
  })
  return (
    <Card title="Your shop">
      <form {...form.props} className="flex flex-col gap-4 px-4 py-4" aria-label="Your shop">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name" autoComplete="off" maxLength={60} {...form.field('name')} />
          <Field label="Tagline" autoComplete="off" maxLength={120} {...form.field('tagline')} />
          <Field label="Phone" inputMode="tel" autoComplete="off" {...form.field('phone')} />
          <Field label="E-mail" type="email" autoComplete="off" {...form.field('email')} />
          <Field label="WhatsApp 1" inputMode="tel" autoComplete="off" {...form.field('whatsapp1')} />
          <Field label="WhatsApp 2" inputMode="tel" autoComplete="off" {...form.field('whatsapp2')} />
          {hours ? (
            <>
              <DaySelect label="From" {...form.field('from')} />
              <DaySelect label="To" {...form.field('to')} />
              <Field label="Opens" type="time" {...form.field('opens')} />
              <Field label="Closes" type="time" {...form.field('closes')} />
            </>
          ) : (
            <Field
              label="Opening hours"
              className="sm:col-span-2"
              maxLength={100}
              hint="Like “Mondays - Sundays, 7:40am - 8:30pm”, so that the shop knows when it is open."
              {...form.field('workHours')}
            />
          )}
        </div>
        {form.changed.length > 0 && (
          <div className="flex flex-wrap gap-2">
            <Button type="submit" busy={form.busy} busyLabel="Saving…">
              Save your shop
            </Button>
            <Button variant="secondary" onClick={form.reset}>
              Undo
            </Button>
          </div>
        )}
      </form>
    </Card>
  )
}

type DayProps = { label: string; name: string; value: string; onChange: (event: ChangeEvent<HTMLSelectElement>) => void }

function DaySelect(props: DayProps) {
  return (
    <SelectField {...props}>
      {DAYS.map((day) => (
        <option key={day}>{day}</option>
      ))}
    </SelectField>
  )
}

/** Numbers are typed with spaces, and read so too. */
function digitsOf(typed: string): string {
  return typed.replace(/[\s()-]/g, '')
}
