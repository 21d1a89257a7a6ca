import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatShortTime } from '../../../../shared/dates.ts'
import { knownPinProblem, newPinProblem } from '../../../../shared/pin-rules.ts'
import type { PinReply, PinReset } from '../../../../shared/transaction-pin.ts'
import { knownPasswordProblem } from '../../../../shared/user-rules.ts'
import { call } from '../../../lib/api.ts'
import { shopNow } from '../../../lib/clock.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { session } from '../../../lib/session.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { pinTexts } from '../../../texts/transaction-pin.ts'
import { Answers } from '../../../ui/answers.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { LoginName } from '../../../ui/login-name.tsx'
import { LoadError, NoticeBox } from '../../../ui/notice-box.tsx'
import { Card } from '../../../ui/page.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { FORGOT_PIN, pinQuery, refreshPin } from './api.ts'
import { PinField } from './pin-field.tsx'

type Mode = 'set' | 'change' | 'end' | 'forgot' | null
type Done = { onDone: () => void }

/** One's own PIN: set, changed, switched on and off for this site, removed, or replaced when it is forgotten. */
export function PinCard() {
  const { data, error, refetch } = useQuery(pinQuery)
  const [mode, setMode] = useState<Mode>(null)
  const done = () => setMode(null)
  const heading = useFocusAfter(mode)
  const pin = data?.pin
  useEffect(() => {
    if (!pin || location.hash !== FORGOT_PIN) return
    history.replaceState(history.state, '', location.pathname)
    setMode('forgot')
  }, [pin])
  if (!data && error) return <LoadError what={pinTexts.loadFailed} error={error} onRetry={() => void refetch()} />
  return (
    <Card className="p-5">
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-20 text-title outline-none">
        {pinTexts.title}
      </h2>
      <p className="mt-1 text-muted">{pinTexts.why}</p>
      {!data && (
        <Loading label={pinTexts.loading}>
          <Skeleton className="mt-4 h-12" />
        </Loading>
      )}
      {data && mode === null && (
        <div className="mt-4 flex flex-col gap-3">
          {pin?.lockedUntil && (
            <NoticeBox tone="pending">{pinTexts.lockedUntil(formatShortTime(new Date(pin.lockedUntil), shopNow()))}</NoticeBox>
          )}
          <p className="font-semibold">{pin ? (pin.atCheckout ? pinTexts.on : pinTexts.onElsewhere) : pinTexts.off}</p>
          <div className="flex flex-wrap gap-2">
            {pin ? (
              <>
                <Button variant="secondary" onClick={() => setMode('change')}>
                  {pinTexts.change}
                </Button>
                <Button variant="secondary" onClick={() => setMode('end')}>
                  {pinTexts.end}
                </Button>
                <Button variant="quiet" onClick={() => setMode('forgot')}>
                  {pinTexts.forgot}
                </Button>
              </>
            ) : (
              <Button variant="secondary" onClick={() => setMode('set')}>
                {pinTexts.set}
              </Button>
            )}
          </div>
        </div>
      )}
      {mode === 'set' && <SetForm onDone={done} />}
      {mode === 'change' && pin && <ChangeForm atCheckout={pin.atCheckout} onDone={done} />}
      {mode === 'end' && <EndForm onDone={done} />}
      {mode === 'forgot' && <ForgotForm onDone={done} />}
    </Card>
  )
}

/** The button that was pressed is gone then: the focus goes on to the form's first field, and after the form to the heading. */
function useFocusAfter(mode: Mode) {
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(mode)
  useEffect(() => {
    if (mode === before.current) return
    before.current = mode
    const field = mode && heading.current?.parentElement?.querySelector('input')
    ;(field || heading.current)?.focus()
  }, [mode])
  return heading
}

function SetForm({ onDone }: Done) {
  const form = useForm({
    initial: { password: '', pin: '', repeated: '', atCheckout: true },
    parse: ({ password, pin, repeated, atCheckout }) =>
      parseFields({ password: knownPasswordProblem(password), ...newPinProblems(pin, repeated) }, () => ({ password, pin, atCheckout })),
    submit: async (body) => keep(await call('POST /user/me/pin', { body }), onDone),
  })
  return (
    <form {...form.props} className="mt-4 flex flex-col gap-4">
      <LoginName />
      <PasswordField {...form.field('password')} label={pinTexts.password} autoComplete="current-password" />
      <PinField {...form.valueField('pin')} label={pinTexts.newPin} hint={pinTexts.pinHint} />
      <PinField {...form.valueField('repeated')} label={pinTexts.repeatPin} />
      <AskSwitch checked={form.values.atCheckout} onValue={(on) => form.setValue('atCheckout', on)} />
      <End form={form} label={pinTexts.save} onDone={onDone} />
    </form>
  )
}

/** A new PIN is optional: whether it is asked for may be all that changes. */
function ChangeForm({ atCheckout, onDone }: Done & { atCheckout: boolean }) {
  const form = useForm({
    initial: { currentPin: '', pin: '', repeated: '', atCheckout },
    parse: ({ currentPin, pin, repeated, atCheckout: ask }) => {
      const changes = pin !== '' || repeated !== ''
      const problems = changes ? newPinProblems(pin, repeated) : { pin: null, repeated: null }
      return parseFields({ currentPin: knownPinProblem(currentPin), ...problems }, () => {
        return { currentPin, atCheckout: ask, ...(changes && { pin }) }
      })
    },
    submit: async (body) => keep(await call('PUT /user/me/pin', { body }), onDone),
    onRefused: refreshPin,
  })
  return (
    <form {...form.props} className="mt-4 flex flex-col gap-4">
      <PinField {...form.valueField('currentPin')} label={pinTexts.pin} />
      <AskSwitch checked={form.values.atCheckout} onValue={(on) => form.setValue('atCheckout', on)} />
      <PinField {...form.valueField('pin')} label={pinTexts.newPin} hint={`${pinTexts.keepOld} ${pinTexts.pinHint}`} />
      <PinField {...form.valueField('repeated')} label={pinTexts.repeatPin} />
      <End form={form} label={pinTexts.save} onDone={onDone} />
    </form>
  )
}

function EndForm({ onDone }: Done) {
  const form = useForm({
    initial: { currentPin: '' },
    parse: ({ currentPin }) => parseFields({ currentPin: knownPinProblem(currentPin) }, () => ({ currentPin })),
    submit: async (body) => {
      toast.success((await call('POST /user/me/pin/end', { body })).message)
      queryClient.setQueryData(pinQuery.queryKey, { pin: null })
      onDone()
    },
    onRefused: refreshPin,
  })
  return (
    <form {...form.props} className="mt-4 flex flex-col gap-4">
      <PinField {...form.valueField('currentPin')} label={pinTexts.pin} />
      <End form={form} label={pinTexts.remove} onDone={onDone} />
    </form>
  )
}

function ForgotForm({ onDone }: Done) {
  const [asked, setAsked] = useState<{ password: string; reset: PinReset } | null>(null)
  const form = useForm({
    initial: { password: '' },
    parse: ({ password }) => parseFields({ password: knownPasswordProblem(password) }, () => ({ password })),
    submit: async (body) => setAsked({ ...body, reset: await call('POST /user/me/pin/reset-code', { body }) }),
  })
  if (asked) return <ResetForm {...asked} onDone={onDone} />
  return (
    <form {...form.props} className="mt-4 flex flex-col gap-4">
      <LoginName />
      <PasswordField {...form.field('password')} label={pinTexts.password} autoComplete="current-password" />
      <End form={form} label={pinTexts.sendCode} onDone={onDone} />
    </form>
  )
}

function ResetForm({ password, reset, onDone }: Done & { password: string; reset: PinReset }) {
  const hasCode = reset.by !== 'wait'
  const form = useForm({
    initial: { code: '', pin: '', repeated: '', password },
    parse: ({ code, pin, repeated }) => {
      const codeProblem = hasCode && !/^\d{6}$/.test(code.replaceAll(' ', '')) ? pinTexts.enterCode : null
      return parseFields({ code: codeProblem, ...newPinProblems(pin, repeated) }, () => ({ password, pin, ...(hasCode && { code }) }))
    },
    submit: async (body) => keep(await call('POST /user/me/pin/reset', { body }), onDone),
  })
  if (reset.by === 'wait' && new Date(reset.from) > shopNow()) {
    return (
      <div className="mt-4 flex flex-col items-start gap-3">
        <NoticeBox>{pinTexts.wait(formatShortTime(new Date(reset.from), shopNow()))}</NoticeBox>
        <Button variant="secondary" onClick={onDone}>
          {pinTexts.ok}
        </Button>
      </div>
    )
  }
  return (
    <form {...form.props} className="mt-4 flex flex-col gap-4">
      {reset.by === 'sms' && <NoticeBox>{pinTexts.codeSent(reset.to)}</NoticeBox>}
      {reset.by === 'app' && <NoticeBox>{pinTexts.codeFromApp}</NoticeBox>}
      {hasCode && <Field {...form.field('code')} label={pinTexts.code} inputMode="numeric" autoComplete="one-time-code" maxLength={7} />}
      <PinField {...form.valueField('pin')} label={pinTexts.newPin} hint={pinTexts.pinHint} />
      <PinField {...form.valueField('repeated')} label={pinTexts.repeatPin} />
      <End form={form} label={pinTexts.save} onDone={onDone} />
    </form>
  )
}

function AskSwitch({ checked, onValue }: { checked: boolean; onValue: (on: boolean) => void }) {
  return <SwitchField name="atCheckout" label={pinTexts.ask} hint={pinTexts.askHint} checked={checked} onValue={onValue} />
}

function End({ form, label, onDone }: Done & { form: { formError: string | null; busy: boolean }; label: string }) {
  return (
    <>
      {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
      <Answers yes={{ type: 'submit', busy: form.busy, busyLabel: pinTexts.saving, children: label }} no={{ onClick: onDone }} />
    </>
  )
}

function keep(reply: PinReply, onDone: () => void) {
  queryClient.setQueryData(pinQuery.queryKey, reply)
  toast.success(pinTexts.saved)
  onDone()
}

function newPinProblems(pin: string, repeated: string) {
  return { pin: newPinProblem(pin, session.get()?.phone), repeated: pin === repeated ? null : pinTexts.mismatch }
}
