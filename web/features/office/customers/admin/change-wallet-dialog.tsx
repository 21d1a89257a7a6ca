import { useState } from 'react'
import type { Customer } from '../../../../../shared/customers.ts'
import { formatPesewas, toCedis, toPesewas } from '../../../../../shared/money.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import { aboutRecord } from '../../../../lib/about-record.ts'
import { call } from '../../../../lib/api.ts'
import { isOutcomeUnknown, messageOf, RefusedError } from '../../../../lib/http.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'
import { session } from '../../../../lib/session.ts'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../../ui/details.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { forgetKey, paymentKey } from '../../../wallet/wallet/admin/payment-key.ts'

type Props = { customer: Customer; way: 'credit' | 'debit'; onClose: () => void }

/** Puts money into a customer's wallet, or takes it out, with the reason. */
export function ChangeWalletDialog({ customer, way, onClose }: Props) {
  const [amount, setAmount] = useState('')
  const [note, setNote] = useState('')
  const [showNote, setShowNote] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { _id, username, wallet } = customer
  const isDebit = way === 'debit'
  const typed = pesewasIn(amount)
  const balance = toPesewas(wallet?.balance ?? 0)
  const wrong = problemOf(amount, typed, isDebit ? balance : null, username)
  const pesewas = typed === null ? null : isDebit ? -typed : typed
  const ready = pesewas !== null && pesewas !== 0 && wrong === null

  const update = async () => {
    if (!ready || pesewas === null) return
    const yes = await confirmAction({
      about: aboutRecord(customer, 'wallet'),
      question: `Are you sure you want to update ${username}'s wallet with ¢${formatPesewas(pesewas)}?`,
      title: isDebit ? 'Debit wallet' : 'Credit wallet',
      danger: isDebit,
      details: (
        <Details>
          <Detail name="Username">{username}</Detail>
          <Detail name="Phone">{spacedPhone(customer.phone)}</Detail>
          {note.trim() && <Detail name={showNote || isDebit ? 'Note, shown to the customer' : 'Note'}>{note.trim()}</Detail>}
          <Detail name="Balance now">
            <Money cedis={toCedis(balance)} />
          </Detail>
          <Detail name="Balance then" strong>
            <Money cedis={toCedis(balance + pesewas)} />
          </Detail>
        </Details>
      ),
    })
    if (!yes) return
    const body = { chosenId: _id, amount: toCedis(pesewas), note: note.trim(), showNote }
    const key = paymentKey(JSON.stringify({ admin: session.get()?._id, ...body }))
    setBusy(true)
    setProblem(null)
    try {
      const { balance: after } = await withPassword(() => call('PUT /user/balance', { body, headers: { 'idempotency-key': key } }))
      forgetKey()
      toast.success(`${username}'s wallet updated successfully. New balance: ${moneyText(after)}`)
      onClose()
    } catch (error) {
      if (isOutcomeUnknown(error))
        setProblem(`We don’t know yet if ${username}'s wallet was updated. Press the button again: it only happens once.`)
      else {
        forgetKey()
        // Nothing moved yet: it waits in Finance for somebody else.
        if (error instanceof RefusedError && error.code === 'SECOND_PERSON_NEEDED') {
          toast.success(error.message)
          onClose()
        } else setProblem(messageOf(error))
      }
    } finally {
      setBusy(false)
      refreshSoon(['users'], ['stats'], ['admin-actions'])
    }
  }

  return (
    <Dialog title={isDebit ? `Debit ${username}` : `Credit ${username}`} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void update()
        }}
      >
        <MoneyField
          label="Amount"
          value={amount}
          onValue={(text) => {
            setAmount(text)
            setProblem(null)
          }}
          error={wrong ?? undefined}
          hint={
            <>
              Balance now <Money cedis={toCedis(balance)} />
              {ready && pesewas !== null && (
                <>
                  , then <Money cedis={toCedis(balance + pesewas)} />
                </>
              )}
            </>
          }
          autoFocus
        />
        <Field
          label={isDebit ? 'Why? The customer reads it' : 'Note (optional)'}
          value={note}
          maxLength={200}
          onChange={(event) => setNote(event.currentTarget.value)}
          placeholder={isDebit ? 'Paid twice by mistake' : 'Late delivery'}
        />
        {!isDebit && (
          <label className="flex min-h-11 items-center gap-2 text-body">
            <input
              type="checkbox"
              checked={showNote}
              onChange={(event) => setShowNote(event.currentTarget.checked)}
              className="size-5 accent-brand"
            />
            Show to customer
          </label>
        )}
        {problem && <NoticeBox tone="danger">{problem}</NoticeBox>}
        <Button
          type="submit"
          size="large"
          block
          variant={isDebit ? 'danger' : 'primary'}
          disabled={!ready}
          busy={busy}
          busyLabel="Updating…"
          {...(ready && pesewas !== null ? { stub: moneyText(toCedis(Math.abs(pesewas))) } : {})}
        >
          {isDebit ? 'Debit wallet' : 'Credit wallet'}
        </Button>
      </form>
    </Dialog>
  )
}

/** `most` is what a debit can take at most, in pesewas. */
function problemOf(text: string, pesewas: number | null, most: number | null, username: string): string | null {
  if (text === '') return null
  if (pesewas === null || pesewas < 0) return 'Enter an amount in cedis with at most two decimals.'
  return most !== null && pesewas > most ? `${username} has only ${moneyText(toCedis(most))}.` : null
}
