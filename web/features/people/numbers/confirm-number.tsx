import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { mobilePhoneProblem, normalisePhone, spacedPhone } from '../../../../shared/phones.ts'
import { messageOf, RefusedError } from '../../../lib/http.ts'
import { session } from '../../../lib/session.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { numberTexts } from '../../../texts/numbers.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { confirmNumber, numbersQuery, sendNumberCode } from './api.ts'
import type { FirstCode } from './code-dialog.tsx'

const CodeDialog = lazy(async () => ({ default: (await import('./code-dialog.tsx')).CodeDialog }))

/** For whoever sends mobile money: the number is confirmed once, and then its payments need no reference. Nothing where no SMS can be sent. */
export function ConfirmNumber() {
  const own = session.use()?.phone ?? ''
  const { data } = useQuery(numbersQuery)
  const [isOther, setOther] = useState(false)
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState<{ phoneNumber: string; first: FirstCode } | null>(null)

  const start = async (phoneNumber: string) => {
    setBusy(true)
    try {
      const { confirmed, waitSeconds } = await sendNumberCode(phoneNumber)
      if (confirmed) toast.success(numberTexts.done(spacedPhone(phoneNumber)))
      else setSent({ phoneNumber, first: { waitSeconds } })
    } catch (error) {
      if (error instanceof RefusedError) setSent({ phoneNumber, first: { problem: messageOf(error) } })
      else toast.danger(messageOf(error))
    }
    setBusy(false)
  }
  const form = useForm({
    initial: { phoneNumber: '' },
    parse: ({ phoneNumber }) => {
      const phone = normalisePhone(phoneNumber)
      return parseFields({ phoneNumber: mobilePhoneProblem(phone) }, () => phone)
    },
    submit: start,
  })

  if (!data) return null
  const { confirmed, sendsCodes } = data
  const phones = confirmed.map(({ phoneNumber }) => spacedPhone(phoneNumber)).join(', ')
  if (!sendsCodes && confirmed.length === 0) return null
  return (
    <section aria-label={numberTexts.title} className="mt-3 flex flex-col gap-2">
      {confirmed.length > 0 ? (
        <p className="text-small text-muted">{numberTexts.confirmed(phones)}</p>
      ) : (
        <>
          <p className="text-small text-muted">{numberTexts.why(spacedPhone(own))}</p>
          <Button variant="secondary" block busy={busy && !isOther} onClick={() => void start(own)}>
            {numberTexts.confirm}
          </Button>
        </>
      )}
      {sendsCodes && (
        <details className="text-small" onToggle={(event) => setOther(event.currentTarget.open)}>
          <summary className="inline-flex min-h-11 items-center font-semibold text-brand-text">{numberTexts.otherNumber}</summary>
          {isOther && (
            <form {...form.props} className="flex flex-col gap-2">
              <Field
                {...form.field('phoneNumber')}
                label={numberTexts.number}
                type="tel"
                inputMode="tel"
                autoComplete="tel"
                maxLength={20}
              />
              <Button type="submit" variant="secondary" busy={busy}>
                {numberTexts.sendCode}
              </Button>
            </form>
          )}
        </details>
      )}
      {sent && (
        <Suspense fallback={null}>
          <CodeDialog
            {...sent}
            send={sendNumberCode}
            confirm={confirmNumber}
            without={{ button: numberTexts.later, note: numberTexts.laterNote }}
            onEnd={(end) => {
              if (end === 'confirmed') toast.success(numberTexts.done(spacedPhone(sent.phoneNumber)))
              setSent(null)
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
