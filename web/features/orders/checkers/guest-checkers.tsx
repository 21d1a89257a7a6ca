import { useState } from 'react'
import type { OwnChecker } from '../../../../shared/checkers.ts'
import { mobilePhoneProblem } from '../../../../shared/phones.ts'
import { messageOf, RefusedError } from '../../../lib/http.ts'
import { useForm } from '../../../lib/use-form.ts'
import { checkerTexts as texts } from '../../../texts/checkers.ts'
import { Button } from '../../../ui/button.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { Card } from '../../../ui/page.tsx'
import { PhoneField } from '../../../ui/phone-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useShop } from '../../shop/shop/api.ts'
import { openGuestCheckers, sendGuestCheckers } from './api.ts'
import { CheckerCodes } from './checker-codes.tsx'

/** The form with the focus in it is gone. */
const takeFocus = (element: HTMLElement | null) => element?.focus()

/** The codes of a guest's order, once its number is given: the link alone may be in other hands. */
export default function GuestCheckers({ reference }: { reference: string }) {
  const [checkers, setCheckers] = useState<readonly OwnChecker[] | null>(null)
  /** It is not the browser that paid: there is the message alone. */
  const [elsewhere, setElsewhere] = useState(false)
  const form = useForm({
    initial: { phoneNumber: '' },
    parse: ({ phoneNumber }) => {
      const problem = mobilePhoneProblem(phoneNumber)
      return problem === null ? { output: phoneNumber } : { errors: { phoneNumber: problem } }
    },
    submit: async (phoneNumber) => {
      try {
        setCheckers((await openGuestCheckers(reference, phoneNumber)).checkers)
      } catch (error) {
        setElsewhere(error instanceof RefusedError && error.status === 409)
        throw error instanceof RefusedError && error.status === 404 ? new Error(texts.wrongNumber) : error
      }
    },
  })
  const [busy, setBusy] = useState(false)
  const { noSms } = useShop()
  const send = async () => {
    setBusy(true)
    try {
      toast.success((await sendGuestCheckers(reference, form.values.phoneNumber)).message)
    } catch (problem) {
      toast.danger(messageOf(problem))
    } finally {
      setBusy(false)
    }
  }
  if (checkers)
    return (
      <Card className="mt-4 flex flex-col gap-3 p-4">
        <h2 ref={takeFocus} tabIndex={-1} className="text-large outline-none">
          {texts.title(checkers.length > 1)}
        </h2>
        <CheckerCodes checkers={checkers} />
        <p className="text-small text-muted">{texts.secret}</p>
        {checkers.length > 0 && !noSms && (
          <Button variant="secondary" block busy={busy} onClick={() => void send()}>
            {texts.sms}
          </Button>
        )}
      </Card>
    )
  return (
    <Card className="mt-4 p-4">
      <form {...form.props} className="flex flex-col gap-3">
        <h2 className="text-large">{texts.title(false)}</h2>
        <PhoneField label={texts.number} hint={texts.numberHint} {...form.valueField('phoneNumber')} />
        <Button type="submit" block busy={form.busy}>
          {texts.unlock}
        </Button>
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        {elsewhere && !noSms && (
          <Button variant="secondary" block busy={busy} onClick={() => void send()}>
            {texts.sms}
          </Button>
        )}
      </form>
    </Card>
  )
}
