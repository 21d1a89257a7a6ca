import { lazy, Suspense, useRef, useState } from 'react'
import { spacedPhone } from '../../../../shared/phones.ts'
import type { RegisterRequest } from '../../../../shared/users.ts'
import { messageOf, RefusedError } from '../../../lib/http.ts'
import { takenNumberTexts } from '../../../texts/taken-number.ts'
import { Button } from '../../../ui/button.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { toast } from '../../../ui/toast.ts'
import type { FirstCode } from '../numbers/code-dialog.tsx'
import { sendRegistrationCode } from './api.ts'

const CodeDialog = lazy(async () => ({ default: (await import('../numbers/code-dialog.tsx')).CodeDialog }))

type Props = {
  phone: string
  /** What the form would send now; null when something in it is wrong, which it then shows. */
  read: () => RegisterRequest | null
  register: (account: RegisterRequest) => Promise<void>
}

/** For whoever can't register since an account has their number: a code to the number proves that it is theirs. */
export function TakenNumber({ phone, read, register }: Props) {
  const [sent, setSent] = useState<{ account: RegisterRequest; first: FirstCode } | null>(null)
  const [busy, setBusy] = useState(false)
  const claim = useRef('')

  const send = async () => {
    const reply = await sendRegistrationCode(phone)
    claim.current = reply.claim
    return { confirmed: false, waitSeconds: reply.waitSeconds }
  }

  const start = async () => {
    const account = read()
    if (!account) return
    setBusy(true)
    try {
      const { waitSeconds } = await send()
      setSent({ account, first: { waitSeconds } })
    } catch (error) {
      // A code of a moment ago still works.
      if (error instanceof RefusedError && claim.current) setSent({ account, first: { problem: messageOf(error) } })
      else toast.danger(messageOf(error))
    }
    setBusy(false)
  }

  return (
    <NoticeBox tone="pending" title={takenNumberTexts.question(spacedPhone(phone))}>
      <p>{takenNumberTexts.how}</p>
      <Button variant="secondary" block busy={busy} onClick={() => void start()} className="mt-3">
        {takenNumberTexts.mine}
      </Button>
      {sent && (
        <Suspense fallback={null}>
          <CodeDialog
            phoneNumber={phone}
            first={sent.first}
            send={send}
            confirm={({ code }) => register({ ...sent.account, number: { claim: claim.current, code } })}
            without={{ button: takenNumberTexts.without, note: takenNumberTexts.note }}
            onEnd={() => setSent(null)}
          />
        </Suspense>
      )}
    </NoticeBox>
  )
}
