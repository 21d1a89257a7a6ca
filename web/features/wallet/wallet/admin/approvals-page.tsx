import { queryOptions, useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import type { Approval } from '../../../../../shared/wallet.ts'
import { aboutRecord } from '../../../../lib/about-record.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'

const approvalsQuery = queryOptions({ queryKey: ['approvals'], queryFn: ({ signal }) => call('GET /admin/approvals', { signal }) })

/** Credits, top-ups and debits that wait for a second person. */
export default function ApprovalsPage() {
  const { data, error, refetch } = useQuery(approvalsQuery)
  if (error && !data) return <LoadError what="The proposals" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading label="Loading the proposals…">
        <Skeleton className="h-48" />
      </Loading>
    )
  if (data.approvals.length === 0)
    return (
      <EmptyState icon={<Users />} title="Nothing waits for a second person">
        Large credits, top-ups and debits show up here when somebody proposes one, and prices that take an owner. The owner sets the limit
        under Staff.
      </EmptyState>
    )
  return (
    <ul className="flex max-w-[45rem] flex-col gap-4">
      {data.approvals.map((approval) => (
        <li key={approval._id}>
          <Proposal approval={approval} />
        </li>
      ))}
    </ul>
  )
}

function Proposal({ approval }: { approval: Approval }) {
  const { _id: id, username, amount, note, proposedBy, mine, expiresAt, topUp, undo, prices } = approval
  const [busy, setBusy] = useState(false)
  const title = prices
    ? `Publish ${proposedBy}’s prices`
    : topUp
      ? `Approve the top-up of ${moneyText(amount)} for ${username}`
      : undo
        ? `Take ${moneyText(-amount)} back from ${username}`
        : amount > 0
          ? `Credit ${moneyText(amount)} to ${username}`
          : `Debit ${moneyText(-amount)} from ${username}`

  const attempt = async (act: () => Promise<string>) => {
    setBusy(true)
    try {
      toast.success(await act())
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
      refreshSoon(['approvals'], ['inbox'], ['users'], ['admin-actions'], ['prices'])
    }
  }
  const approve = async () => {
    if (
      !(await confirmAction({
        about: aboutRecord(approval, 'hash'),
        question: `${title}?`,
        title: 'Approve',
        details: prices ? <Says prices={prices} /> : note && <p className="break-words">“{note}”</p>,
      }))
    )
      return
    await attempt(async () => {
      if (approval.topUp) return approveTopUp(approval, approval.topUp)
      if (undo) return approveUndo(approval, undo)
      const params = { id: approval._id }
      if (prices) return (await call('POST /admin/price-proposals/:id/approve', { params, body: { hash: approval.hash } })).message
      const { balance } = await withPassword(() => call('POST /admin/approvals/:id/approve', { params, body: { hash: approval.hash } }))
      return `${username}'s wallet updated successfully. New balance: ${moneyText(balance)}`
    })
  }
  const decline = () => attempt(async () => (await call('POST /admin/approvals/:id/decline', { params: { id } })).message)

  return (
    <Card title={title}>
      <div className="flex flex-col gap-3 px-4 py-3">
        {prices && <Says prices={prices} />}
        {note && <p className="break-words">“{note}”</p>}
        <p className="text-small text-muted">
          {mine ? 'You asked' : `${proposedBy} asks`} for {prices ? 'an owner' : 'a second person'}. Until{' '}
          {formatDateTime(new Date(expiresAt))}.
        </p>
        <div className="flex flex-wrap gap-3">
          {!mine && (
            <Button busy={busy} onClick={() => void approve()}>
              Approve
            </Button>
          )}
          <Button variant="secondary" disabled={busy} onClick={() => void decline()}>
            {mine ? 'Withdraw' : 'Decline'}
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** What is unusual about prices, and when they go live. */
function Says({ prices: { says, liveAt } }: { prices: NonNullable<Approval['prices']> }) {
  return (
    <ul className="flex flex-col gap-1">
      {says.map((one) => (
        <li key={one} className="break-words">
          {one}
        </li>
      ))}
      {liveAt && <li className="text-muted">Live from {formatDateTime(new Date(liveAt))}.</li>}
    </ul>
  )
}

/** The second person approves a top-up where the first one did, who is then noted with it. */
async function approveTopUp({ userId, amount }: Approval, { rechargeId, paymentId }: NonNullable<Approval['topUp']>): Promise<string> {
  if (paymentId !== null) {
    const whom = rechargeId === null ? { userId } : { rechargeId }
    await withPassword(() => call('POST /received-payment/:id/credit', { params: { id: paymentId }, body: { amount, ...whom } }))
  } else if (rechargeId !== null) {
    await call('PUT /recharge/:id/approve', { params: { id: rechargeId } })
  }
  return 'Recharge request approved'
}

/** The same for what takes a credit back. */
async function approveUndo({ userId, note }: Approval, { paymentId, entryId }: NonNullable<Approval['undo']>): Promise<string> {
  if (paymentId !== null) {
    await withPassword(() => call('POST /received-payment/:id/take-back', { params: { id: paymentId }, body: { reason: note } }))
  } else if (entryId !== null) {
    await withPassword(() => call('POST /admin/customers/:id/credit/undo', { params: { id: userId }, body: { entry: entryId } }))
  }
  return 'Taken back'
}
