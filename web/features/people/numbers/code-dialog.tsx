import { type FormEvent, useEffect, useRef, useState } from 'react'
import { NUMBER_CODE_DIGITS, numberCodeProblem } from '../../../../shared/number-rules.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { messageOf, RefusedError } from '../../../lib/http.ts'
import { numberTexts } from '../../../texts/numbers.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'

/** How the first code was asked for: seconds until another one, or what the shop refused it for. */
export type FirstCode = { waitSeconds: number } | { problem: string }
type End = 'confirmed' | 'without' | 'closed'

type Props = {
  phoneNumber: string
  first: FirstCode
  send: (phoneNumber: string) => Promise<{ confirmed: boolean; waitSeconds: number }>
  confirm: (typed: { phoneNumber: string; code: string }) => Promise<void>
  /** For whoever gets no code. */
  without: { button: string; note: string }
  onEnd: (end: End) => void
}

/** Asks for the code that was sent to a number. */
export function CodeDialog({ phoneNumber, first, send, confirm, without, onEnd }: Props) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [problem, setProblem] = useState('problem' in first ? first.problem : null)
  const [busy, setBusy] = useState<'code' | 'again' | null>(null)
  const [again, setAgain] = useState(() => Date.now() + ('waitSeconds' in first ? first.waitSeconds : 0) * 1_000)
  const [sentAgain, setSentAgain] = useState(false)
  const seconds = useSecondsUntil(again)
  const input = useRef<HTMLFormElement>(null)

  const submit = async (typed: string) => {
    if (busy) return
    const wrong = numberCodeProblem(typed)
    if (wrong) {
      setError(wrong)
      return
    }
    setBusy('code')
    setError(null)
    try {
      await confirm({ phoneNumber, code: typed })
      onEnd('confirmed')
    } catch (refused) {
      setError(messageOf(refused))
      setBusy(null)
      // Where nothing came back, the same digits are sent once more.
      if (refused instanceof RefusedError) setCode('')
      input.current?.querySelector('input')?.focus()
    }
  }

  const type = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, NUMBER_CODE_DIGITS)
    setCode(digits)
    setError(null)
    if (digits.length === NUMBER_CODE_DIGITS && digits !== code) void submit(digits)
  }

  const sendAgain = async () => {
    setBusy('again')
    setError(null)
    try {
      const { confirmed, waitSeconds } = await send(phoneNumber)
      if (confirmed) return onEnd('confirmed')
      setAgain(Date.now() + waitSeconds * 1_000)
      setProblem(null)
      setSentAgain(true)
    } catch (refused) {
      setProblem(messageOf(refused))
    }
    setBusy(null)
    input.current?.querySelector('input')?.focus()
  }

  return (
    <Dialog
      title={numberTexts.codeTitle}
      unsaved={false}
      onClose={() => onEnd('closed')}
      no={false}
      yes={{
        variant: problem ? 'primary' : 'secondary',
        disabled: busy === 'code',
        onClick: () => onEnd('without'),
        children: without.button,
      }}
    >
      <form
        ref={input}
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void submit(code)
        }}
      >
        {problem ? (
          <p role="alert" className="rounded-box bg-pending-soft px-3 py-2.5 text-pending">
            {problem}
          </p>
        ) : (
          <p>
            {numberTexts.codeSent} <span className="tabular font-bold whitespace-nowrap">{spacedPhone(phoneNumber)}</span>.{' '}
            {numberTexts.codeWorks}
          </p>
        )}
        <Field
          label={numberTexts.code}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          enterKeyHint="done"
          value={code}
          error={error ?? undefined}
          onChange={(event) => type(event.currentTarget.value)}
          controlClassName="tabular min-h-15! text-center text-display! font-bold tracking-[0.3em]"
        />
        <Button type="submit" variant={problem ? 'secondary' : 'primary'} block size="large" busy={busy === 'code'}>
          {numberTexts.confirmCode}
        </Button>
        <div className="flex min-h-11 items-center justify-center">
          {seconds > 0 ? (
            <p className="tabular text-muted">
              {numberTexts.againIn(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`)}
            </p>
          ) : (
            <Button variant="quiet" busy={busy === 'again'} disabled={busy === 'code'} onClick={() => void sendAgain()}>
              {numberTexts.sendAgain}
            </Button>
          )}
        </div>
        <p role="status" className="sr-only">
          {sentAgain && seconds > 0 ? numberTexts.sentAgain : ''}
        </p>
        <p className="text-small text-muted">{without.note}</p>
      </form>
    </Dialog>
  )
}

/** Whole seconds until a time, by this device's clock. */
function useSecondsUntil(at: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= at) clearInterval(timer)
    }, 1_000)
    return () => clearInterval(timer)
  }, [at])
  return Math.max(0, Math.ceil((at - now) / 1_000))
}
