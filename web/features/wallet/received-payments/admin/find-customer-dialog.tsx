import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { ReceivedPayment } from '../../../../../shared/received-payments.ts'
import type { User } from '../../../../../shared/users.ts'
import { call, callList } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useStanding } from '../../../../ui/use-standing.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { UserCombobox } from '../../../people/users/admin/user-combobox.tsx'
import { aboutPayments, refreshAfterCredit } from './api.ts'
import { chooseRequest } from './choose-request.ts'
import { payerOf, transactionOf } from './payment-words.ts'
import { RawMessage } from './raw-message.tsx'

/** Credits a payment to a customer chosen by hand, for one of their requests where one waits. */
export function FindCustomerDialog({ payment, onClose }: { payment: ReceivedPayment; onClose: () => void }) {
  const name = useId()
  const [text, setText] = useState('')
  const [user, setUser] = useState<User | null>(null)
  const [picked, setPicked] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [about] = useState(() => aboutPayments(payment))
  const { changed, stands } = useStanding(about)
  // What this dialog does itself changes the payment too.
  const isOver = changed !== null && !busy
  const requests = usePendingOf(user)
  // A request of the same amount is answered first: left alone, it could be credited by another payment or by hand. One of another is chosen.
  const rechargeId = picked ?? (requests ? chooseRequest(requests, payment.amount) : null)
  const amount = moneyText(payment.amount)

  const credit = async () => {
    if (!user || rechargeId === null || !stands()) return
    setBusy(true)
    setProblem(null)
    try {
      const whom = rechargeId === '' ? { userId: user._id } : { rechargeId }
      await withPassword(() =>
        call('POST /received-payment/:id/credit', { params: { id: payment._id }, body: { amount: payment.amount, ...whom } }),
      )
      toast.success(`${user.username} was credited with ${amount}`)
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
      refreshAfterCredit()
    }
  }

  return (
    <Dialog
      title="Find the customer"
      onClose={onClose}
      done={isOver ? 'Go back' : undefined}
      yes={
        isOver
          ? undefined
          : {
              disabled: !user || !requests || rechargeId === null,
              busy,
              stub: amount,
              onClick: () => void credit(),
              children: user ? `Credit ${user.username}` : 'Credit',
            }
      }
    >
      {isOver ? (
        <NoticeBox tone="pending">{changed}</NoticeBox>
      ) : (
        <div className="flex flex-col gap-4">
          <p>
            <b>{payerOf(payment)}</b> paid {amount} ({transactionOf(payment)}).
          </p>
          <RawMessage text={payment.raw} open />
          <UserCombobox
            label="Username"
            text={text}
            onText={setText}
            user={user}
            onUser={(chosen) => {
              setUser(chosen)
              setPicked(null)
            }}
          />
          {user && requests && requests.length > 0 && (
            <fieldset className="flex flex-col gap-1">
              <legend className="font-semibold">What for?</legend>
              {requests.map((request) => (
                <Choice key={request._id} name={name} checked={rechargeId === request._id} onChoose={() => setPicked(request._id)}>
                  Request {request.rechargeId} for {moneyText(request.amount)}
                </Choice>
              ))}
              <Choice name={name} checked={rechargeId === ''} onChoose={() => setPicked('')}>
                None of their requests
              </Choice>
            </fieldset>
          )}
          {problem && <NoticeBox tone="danger">{problem}</NoticeBox>}
        </div>
      )}
    </Dialog>
  )
}

function usePendingOf(user: User | null) {
  const { data } = useQuery({
    queryKey: ['recharges', 'pending of', user?._id],
    queryFn: ({ signal }) => callList('GET /recharge', { query: { status: 'pending', search: user?.phone ?? '' }, signal }),
    enabled: user !== null,
  })
  return data?.rows.filter((recharge) => recharge.user._id === user?._id)
}

function Choice({
  name,
  checked,
  onChoose,
  children,
}: {
  name: string
  checked: boolean
  onChoose: () => void
  children: React.ReactNode
}) {
  return (
    <label className="tabular flex min-h-11 items-center gap-2">
      <input type="radio" name={name} checked={checked} onChange={onChoose} className="size-5 accent-brand" />
      <span>{children}</span>
    </label>
  )
}
