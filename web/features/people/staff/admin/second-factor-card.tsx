import { Check, Printer, ShieldCheck, TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { encode } from 'uqr'
import type { OwnAccount } from '../../../../../shared/account.ts'
import { formatDateTime } from '../../../../../shared/dates.ts'
import { call } from '../../../../lib/api.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { copyText } from '../../../../lib/copy-text.ts'
import { messageOf } from '../../../../lib/http.ts'
import { session } from '../../../../lib/session.ts'
import { StateChip } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction, pendingQuestions } from '../../../../ui/confirm-action.ts'
import { Field } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { Card } from '../../../../ui/page.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { useShop } from '../../../shop/shop/api.ts'
import { refreshAccount } from '../../account/api.ts'

type Factor = NonNullable<OwnAccount['secondFactor']>

/** The code at sign-in: set up with a QR code, with recovery codes to print. */
export function SecondFactorCard({ factor }: { factor: Factor }) {
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [busy, setBusy] = useState(false)
  const isOn = factor.since !== null

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    try {
      await act()
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const start = () => attempt(async () => setSecret(await withPassword(() => call('POST /user/me/second-factor'))))
  const renew = async () => {
    const code = await askForCode({ question: 'Make ten new recovery codes? The old ones stop working.' })
    if (code === null) return
    await attempt(async () => {
      setCodes((await withPassword(() => call('POST /user/me/recovery-codes', { body: { code } }))).recoveryCodes)
      refreshAccount()
    })
  }
  const end = async () => {
    const code = await askForCode({ question: 'Switch the code off? Your password alone will sign you in.', danger: true })
    if (code === null) return
    await attempt(async () => {
      toast.success((await withPassword(() => call('POST /user/me/second-factor/end', { body: { code } }))).message)
      setCodes(null)
      refreshAccount()
    })
  }

  return (
    <Card className="p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-title">Code at sign-in</h2>
        {isOn ? (
          <StateChip tone="done" icon={<ShieldCheck aria-hidden="true" />}>
            Code on
          </StateChip>
        ) : (
          <StateChip tone="pending" icon={<TriangleAlert aria-hidden="true" />}>
            No code
          </StateChip>
        )}
      </div>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      ) : isOn ? (
        <>
          <p className="mt-1 text-muted">
            On since {formatDateTime(new Date(factor.since as string))}. You have {factor.codesLeft} of 10 recovery codes left.
          </p>
          <div className="mt-4 flex flex-wrap gap-3">
            <Button variant="secondary" busy={busy} onClick={() => void renew()}>
              New recovery codes
            </Button>
            <Button variant="secondary" disabled={busy} onClick={() => void end()}>
              Switch off
            </Button>
          </div>
        </>
      ) : secret ? (
        <FirstCode
          {...secret}
          onConfirmed={(made) => {
            setSecret(null)
            setCodes(made)
            refreshAccount()
          }}
        />
      ) : (
        <>
          <p className="mt-1 text-muted">
            {factor.required
              ? 'Whoever moves money here needs one. It takes two minutes, with an app such as Google Authenticator.'
              : 'Somebody who learns your password still can’t sign in. You need an app such as Google Authenticator.'}
          </p>
          <Button className="mt-4" busy={busy} onClick={() => void start()}>
            Set up a code
          </Button>
        </>
      )}
    </Card>
  )
}

/** The question with a field for a code of the app; null when it was cancelled. */
async function askForCode(question: { question: string; danger?: boolean }): Promise<string | null> {
  const typed = { code: '' }
  const details = (
    <Field
      label="6-digit code, or a recovery code"
      autoComplete="one-time-code"
      maxLength={40}
      autoFocus
      onChange={(event) => Object.assign(typed, { code: event.currentTarget.value })}
      onKeyDown={(event) => {
        if (event.key === 'Enter') pendingQuestions.get().at(-1)?.answer(true)
      }}
    />
  )
  return (await confirmAction({ ...question, details, yes: 'Go on' })) ? typed.code.trim() : null
}

type FirstCodeProps = { secret: string; uri: string; onConfirmed: (codes: string[]) => void }

function FirstCode({ secret, uri, onConfirmed }: FirstCodeProps) {
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      onConfirmed((await call('POST /user/me/second-factor/confirm', { body: { code } })).recoveryCodes)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void confirm(event)} noValidate className="mt-4 flex flex-col gap-4 sm:flex-row sm:gap-6">
      <QrCode text={uri} />
      <div className="flex min-w-0 flex-1 flex-col gap-4">
        <p>Scan this with your authenticator app, then enter the 6 digits that it shows.</p>
        <div>
          <p className="text-small text-muted">On this phone? Copy the key into the app instead:</p>
          <p className="flex flex-wrap items-center gap-2">
            <span className="tabular text-small break-all">{secret.replaceAll(/(.{4})(?!$)/g, '$1 ')}</span>
            <Button variant="secondary" onClick={() => void copyText(secret)}>
              Copy the key
            </Button>
          </p>
        </div>
        <Field
          label="6-digit code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          value={code}
          error={problem}
          onChange={(event) => {
            setCode(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
        <Button type="submit" busy={busy} className="self-start">
          Switch the code on
        </Button>
      </div>
    </form>
  )
}

/** Black on white in both themes, with the quiet zone that cameras need. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code for your authenticator app"
      className="w-52 shrink-0 self-center rounded-box sm:self-start"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const user = session.use()
  const shop = useShop()
  return (
    <div className="mt-4 flex flex-col gap-4 print:fixed print:inset-0 print:z-50 print:m-0 print:bg-white print:p-10 print:text-black">
      <p className="hidden text-title font-bold print:block">
        Recovery codes of {user?.username}, {shop.name}, {formatDateTime(shopNow())}
      </p>
      <NoticeBox tone="pending" className="no-print">
        Keep these ten recovery codes on paper, away from your phone. Each signs you in once if the phone is lost. They are shown only now.
      </NoticeBox>
      <ol className="grid gap-x-6 gap-y-1 sm:grid-cols-2 print:grid-cols-2 print:gap-y-4 print:text-title">
        {codes.map((code) => (
          <li key={code} className="tabular font-semibold whitespace-nowrap">
            <span className="mr-3 hidden size-4 border border-black print:inline-block" aria-hidden="true" />
            {code}
          </li>
        ))}
      </ol>
      <p className="hidden print:block">
        Each code signs you in once, if the phone is lost. Tick it off then. Keep this paper away from the phone.
      </p>
      <div className="no-print flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer className="size-4" aria-hidden="true" /> Print
        </Button>
        <Button variant="secondary" onClick={() => void copyText(codes.join('\n'))}>
          Copy all
        </Button>
        <Button onClick={onDone}>
          <Check className="size-4" aria-hidden="true" /> I have kept them
        </Button>
      </div>
    </div>
  )
}
