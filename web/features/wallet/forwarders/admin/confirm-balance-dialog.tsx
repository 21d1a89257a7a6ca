import { useState } from 'react'
import type { Forwarder } from '../../../../../shared/forwarders.ts'
import { toCedis } from '../../../../../shared/money.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { refreshPhones } from './api.ts'

type Props = { forwarder: Forwarder; wallet: Forwarder['wallets'][number]; onClose: () => void }

/** The owner says what the wallet holds now, as they see it on the phone. It is never filled in for them. */
export function ConfirmBalanceDialog({ forwarder, wallet: { network, newest, waiting }, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const pesewas = pesewasIn(typed)
  const confirm = async (balance: number) => {
    setBusy(true)
    setProblem(null)
    try {
      const body = { network, balance }
      const { proven } = await withPassword(() => call('PUT /forwarder/:id/balance', { params: { id: forwarder._id }, body }))
      refreshPhones()
      toast.success(
        proven > 0 ? `Thank you. ${proven} ${proven === 1 ? 'message fits' : 'messages fit'} now.` : 'Thank you. We go on from there.',
      )
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={`${network} balance on ${forwarder.name}`}
      onClose={onClose}
      yes={{
        type: 'submit',
        form: 'confirm-balance',
        busy,
        busyLabel: 'One moment…',
        disabled: pesewas === null,
        children: 'That is the balance',
      }}
    >
      <form
        id="confirm-balance"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (pesewas !== null && !busy) void confirm(toCedis(pesewas))
        }}
      >
        {problem && <NoticeBox tone="danger">{problem}</NoticeBox>}
        <p>Check the balance on the phone itself, with the network’s own menu. Don’t take it from a message: that may be the fake.</p>
        <MoneyField label="What the wallet holds now" value={typed} onValue={setTyped} />
        {waiting > 0 && newest !== null && pesewas !== null && toCedis(pesewas) !== newest && (
          <p className="text-small text-pending">
            The newest message says {moneyText(newest)}. Messages that don’t lead to what you typed stay with you under Match.
          </p>
        )}
      </form>
    </Dialog>
  )
}
