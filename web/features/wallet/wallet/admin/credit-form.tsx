import { useRef, useState } from 'react'
import { formatPesewas, NOT_AN_AMOUNT, toCedis, toPesewas } from '../../../../../shared/money.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { pesewasIn, readAmount } from '../../../../../shared/readers/read-amount.ts'
import type { User } from '../../../../../shared/users.ts'
import { aboutRecord } from '../../../../lib/about-record.ts'
import { call } from '../../../../lib/api.ts'
import { isOutcomeUnknown } from '../../../../lib/http.ts'
import { refreshSoon, replaceInLists } from '../../../../lib/query-client.ts'
import { session } from '../../../../lib/session.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../../ui/details.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { Card } from '../../../../ui/page.tsx'
import { StatusBadge, toneOfStatus } from '../../../../ui/status-badge.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { UserCombobox } from '../../../people/users/admin/user-combobox.tsx'
import { forgetKey, paymentKey } from './payment-key.ts'

const NOTHING = { text: '', user: null as User | null, amount: '', note: '', shows: '' }

/** Puts money into a user's wallet, or takes it out when the amount is negative. */
export function CreditForm() {
  const [unclear, setUnclear] = useState<string | null>(null)
  const userInput = useRef<HTMLInputElement>(null)

  const form = useForm({
    initial: NOTHING,
    draft: { form: 'credit', fields: ['text', 'amount', 'note', 'shows'] },
    parse: (typed) => {
      const update = readUpdate(typed)
      return update ? { output: update } : { errors: {} }
    },
    confirm: ({ user, pesewas }, { note, shows }) => askToUpdate(user, pesewas, note, shows !== ''),
    submit: async ({ user, pesewas }, { note, shows }) => {
      const body = { chosenId: user._id, amount: toCedis(pesewas), note: note.trim(), showNote: shows !== '' }
      setUnclear(null)
      const key = paymentKey(JSON.stringify({ admin: session.get()?._id, ...body }))
      const { balance } = await withPassword(() => call('PUT /user/balance', { body, headers: { 'idempotency-key': key } }))
      forgetKey()
      const updated: User = { ...user, balance }
      replaceInLists(['users'], updated)
      refreshSoon(['users'], ['stats'], ['admin-actions'])
      toast.success(`${user.username}'s wallet updated successfully. New balance: ${moneyText(balance)}`)
      form.reset()
      // On a phone the focus would bring up the keyboard over the answer.
      if (window.matchMedia('(pointer: fine)').matches) userInput.current?.focus()
    },
    onRefused: (message, error) => {
      if (isOutcomeUnknown(error)) {
        const name = form.values.user?.username
        setUnclear(`We don’t know yet if ${name}'s wallet was updated. Press Update Wallet again: it only happens once.`)
      } else forgetKey()
      toast.danger(message)
    },
  })
  const { text, user, amount } = form.values
  const pesewas = pesewasIn(amount, { negative: true })
  const wrong = amountProblem(amount, pesewas, user)
  const { setValue } = form
  // Whoever loses money is told why.
  const isDebit = pesewas !== null && pesewas < 0
  const chooseUser = (chosen: User | null) => setValue('user', chosen)

  return (
    <Card className="p-4 sm:p-5">
      <h2 className="text-title">Credit/Debit User Account</h2>
      <form {...form.props} className="mt-4 grid gap-4 lg:grid-cols-[2fr_1fr_2fr_auto] lg:items-start">
        <UserCombobox
          label="Username"
          text={text}
          onText={(value) => setValue('text', value)}
          user={user}
          onUser={chooseUser}
          inputRef={userInput}
        />
        <div aria-live="polite" className="contents">
          {user && <Chosen user={user} pesewas={wrong ? null : pesewas} />}
        </div>
        <MoneyField
          label="Amount"
          allowNegative
          {...form.valueField('amount')}
          onValue={(value) => {
            setValue('amount', value)
            setUnclear(null)
          }}
          error={form.errors.amount ?? wrong ?? undefined}
          hint="Use a minus sign to take money out"
        />
        <div>
          <Field label="Note (optional)" maxLength={200} hint="The customer reads it if you take money out" {...form.field('note')} />
          <label className="flex min-h-11 items-center gap-2 text-small">
            <input
              type="checkbox"
              name="showNote"
              checked={form.values.shows !== '' || isDebit}
              disabled={isDebit}
              onChange={(event) => setValue('shows', event.currentTarget.checked ? 'yes' : '')}
              className="size-5 accent-brand"
            />
            Show to customer
          </label>
        </div>
        <Button
          type="submit"
          disabled={!readUpdate(form.values)}
          busy={form.busy}
          busyLabel="Updating…"
          className="min-h-12 lg:mt-[1.65rem]"
        >
          Update Wallet
        </Button>
      </form>
      <div aria-live="polite">
        {unclear && (
          <NoticeBox tone="pending" className="mt-4">
            {unclear}
          </NoticeBox>
        )}
      </div>
    </Card>
  )
}

/** The update that was filled in, or null while something is missing or wrong. */
function readUpdate({ user, amount }: typeof NOTHING): { user: User; pesewas: number } | null {
  const pesewas = pesewasIn(amount, { negative: true })
  return user && pesewas && !amountProblem(amount, pesewas, user) ? { user, pesewas } : null
}

/** Whose wallet it is, and what it would hold. */
function Chosen({ user, pesewas }: { user: User; pesewas: number | null }) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-1 rounded-box bg-sunken px-4 py-3 lg:order-last lg:col-span-4">
      <p className="min-w-0 font-semibold break-words">{user.username}</p>
      <p className="tabular">{spacedPhone(user.phone)}</p>
      <p className="min-w-0 break-all text-muted">{user.email}</p>
      <p>{user.userLevel}</p>
      {user.status === 'Banned' && <StatusBadge tone={toneOfStatus(user.status)}>{user.status}</StatusBadge>}
      <p className="ml-auto">
        <span className="text-muted">Balance </span>
        <Money cedis={user.balance} />
        {pesewas !== null && pesewas !== 0 && (
          <>
            <span className="text-muted"> then </span>
            <Money cedis={toCedis(toPesewas(user.balance) + pesewas)} />
          </>
        )}
      </p>
    </div>
  )
}

function askToUpdate(user: User, pesewas: number, note: string, showNote: boolean): Promise<boolean> {
  return confirmAction({
    about: aboutRecord(user, 'balance'),
    question: `Are you sure you want to update ${user.username}'s wallet with ¢${formatPesewas(pesewas)}?`,
    title: pesewas > 0 ? 'Credit wallet' : 'Debit wallet',
    danger: pesewas < 0,
    details: (
      <Details>
        <Detail name="Username">{user.username}</Detail>
        <Detail name="Phone">{spacedPhone(user.phone)}</Detail>
        <Detail name="E-mail">{user.email}</Detail>
        <Detail name="Level">{user.userLevel}</Detail>
        {note.trim() && <Detail name={showNote || pesewas < 0 ? 'Note, shown to the customer' : 'Note'}>{note.trim()}</Detail>}
        <Detail name="Balance now">
          <Money cedis={user.balance} />
        </Detail>
        <Detail name="Balance then" strong>
          <Money cedis={toCedis(toPesewas(user.balance) + pesewas)} />
        </Detail>
      </Details>
    ),
  })
}

function amountProblem(text: string, pesewas: number | null, user: User | null): string | null {
  if (text === '' || text === '-') return null
  if (pesewas === null) {
    const reading = readAmount(text, { negative: true })
    return (reading.kind === 'doubtful' && reading.reasons[0]) || NOT_AN_AMOUNT
  }
  if (user && toPesewas(user.balance) + pesewas < 0) return `${user.username} has only ${moneyText(user.balance)}.`
  return null
}
