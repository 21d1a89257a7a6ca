import { createRoot } from 'react-dom/client'
import { knownPinProblem } from '../../../../shared/pin-rules.ts'
import { call } from '../../../lib/api.ts'
import { goTo } from '../../../lib/dialog-history.ts'
import { RefusedError } from '../../../lib/http.ts'
import { wipeAtSignOut } from '../../../lib/session.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { messageTexts } from '../../../texts/messages.ts'
import { pinTexts } from '../../../texts/transaction-pin.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { FORGOT_PIN } from './api.ts'
import { PinField } from './pin-field.tsx'

let asked: Promise<string | null> | null = null
let giveUp: () => void = () => undefined
wipeAtSignOut(() => giveUp())

/** Asks for the PIN in a sheet above whatever is open; the proof for one purchase, or null when the buyer would rather not. */
export function askPin(): Promise<string | null> {
  asked ??= ask().finally(() => {
    asked = null
  })
  return asked
}

async function ask(): Promise<string | null> {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  try {
    return await new Promise((answer) => {
      giveUp = () => answer(null)
      root.render(<PinSheet onAnswer={answer} />)
    })
  } finally {
    root.unmount()
    place.remove()
  }
}

function PinSheet({ onAnswer }: { onAnswer: (proof: string | null) => void }) {
  const form = useForm({
    initial: { pin: '', locked: '' },
    parse: ({ pin }) => parseFields({ pin: knownPinProblem(pin) }, () => ({ pin })),
    submit: async (body) => {
      try {
        onAnswer((await call('POST /user/me/pin/proof', { body })).proof)
      } catch (error) {
        form.setValue('pin', '')
        if (error instanceof RefusedError && error.code === 'PIN_LOCKED') form.setValue('locked', error.message)
        throw error
      }
    },
  })
  const { locked } = form.values
  return (
    <Dialog
      title={pinTexts.payTitle}
      unsaved={false}
      onClose={() => onAnswer(null)}
      yes={locked ? undefined : { busy: form.busy, busyLabel: pinTexts.sending, onClick: () => void form.send(), children: pinTexts.pay }}
      done={messageTexts.close}
    >
      {locked ? (
        <NoticeBox tone="danger">{locked}</NoticeBox>
      ) : (
        <form {...form.props} className="flex flex-col gap-4">
          <PinField {...form.valueField('pin')} label={pinTexts.pin} hint={pinTexts.payWhy} autoFocus />
          {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
          <button type="submit" hidden />
        </form>
      )}
      <Button
        variant="quiet"
        className="mt-3"
        onClick={() => {
          onAnswer(null)
          goTo(`/user/account${FORGOT_PIN}`)
        }}
      >
        {pinTexts.forgot}
      </Button>
    </Dialog>
  )
}
