import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Clock, Wallet } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { hasRole } from '../../../../../shared/staff-rules.ts'
import type { StaffWithdrawal } from '../../../../../shared/withdrawals.ts'
import { aboutRecord } from '../../../../lib/about-record.ts'
import { useAttempt } from '../../../../lib/admin/use-attempt.ts'
import { call, callList } from '../../../../lib/api.ts'
import { session } from '../../../../lib/session.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { confirmPaidByHand } from '../../../../ui/admin/confirm-paid-by-hand.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Chip, ChipRow } from '../../../../ui/chip.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { CsvButton } from '../../../../ui/csv-button.tsx'
import { Detail, Details } from '../../../../ui/details.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Pagination } from '../../../../ui/pagination.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { WithdrawalRules } from './withdrawal-rules.tsx'

const PAGE_SIZE = 10
const LOOK_EVERY_MS = 15_000

const listQuery = (page: number, open: boolean) =>
  queryOptions({
    queryKey: ['staff-withdrawals', page, open],
    queryFn: ({ signal }) =>
      callList('GET /withdrawals', { query: { page, pageSize: PAGE_SIZE, ...(open && { open: 'true' as const }) }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_EVERY_MS,
  })

/** Agents' withdrawals: what waits for somebody of the shop, what is on its way, and what was. */
export function WithdrawalsTab() {
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState(true)
  const { data, error, refetch } = useQuery(listQuery(page, open))
  const isOwner = hasRole({ roles: session.use()?.roles ?? ['owner'] }, 'owner')
  const show = (onlyOpen: boolean) => {
    setOpen(onlyOpen)
    setPage(1)
  }
  return (
    <div className="flex max-w-[45rem] flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <ChipRow label="Withdrawals" wrap>
          <Chip selected={open} onClick={() => show(true)}>
            To decide and on the way
          </Chip>
          <Chip selected={!open} onClick={() => show(false)}>
            All
          </Chip>
        </ChipRow>
        <CsvButton file="admin-withdrawals" of="Withdrawals" filters={open ? { open: 'true' } : {}} />
      </div>
      {error && !data ? (
        <LoadError what="The withdrawals" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading label="Loading the withdrawals…">
          <Skeleton className="h-64" />
        </Loading>
      ) : data.rows.length === 0 ? (
        <EmptyState icon={<Wallet />} title={open ? 'No withdrawal is waiting' : 'No withdrawals yet'}>
          When an agent wants their earnings on their phone, it shows up here.
        </EmptyState>
      ) : (
        <>
          <ul className="flex flex-col gap-4">
            {data.rows.map((withdrawal) => (
              <li key={withdrawal._id}>
                <WithdrawalCard withdrawal={withdrawal} />
              </li>
            ))}
          </ul>
          <Pagination page={page} pageCount={Math.ceil(data.total / PAGE_SIZE)} onPage={setPage} />
        </>
      )}
      <WithdrawalRules mayChange={isOwner} />
    </div>
  )
}

const STATES: Record<StaffWithdrawal['status'], { word: string; tone: 'pending' | 'done' | 'danger' | 'plain' }> = {
  approval: { word: 'to decide', tone: 'pending' },
  ready: { word: 'being sent', tone: 'plain' },
  sending: { word: 'being sent', tone: 'plain' },
  accepted: { word: 'on its way', tone: 'plain' },
  unknown: { word: 'unclear, being asked', tone: 'pending' },
  paid: { word: 'paid', tone: 'done' },
  failed: { word: 'not paid', tone: 'danger' },
  declined: { word: 'declined', tone: 'danger' },
  cancelled: { word: 'taken back', tone: 'plain' },
  reversed: { word: 'came back', tone: 'danger' },
}

function WithdrawalCard({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const {
    _id: id,
    status,
    amount,
    payout,
    fee,
    phoneNumber,
    network,
    name,
    agent,
    shop,
    newNumber,
    confirmed,
    reason,
    provider,
  } = withdrawal
  const { word, tone } = STATES[status]
  const Icon = tone === 'done' ? CircleCheck : tone === 'danger' ? CircleX : Clock
  return (
    <Card
      title={`${moneyText(payout)} to ${spacedPhone(phoneNumber)}`}
      state={
        <StateChip tone={tone} icon={<Icon aria-hidden="true" />}>
          {word}
        </StateChip>
      }
    >
      <div className="flex flex-col gap-3 px-4 py-3">
        <Details>
          <Detail name="Name on the number">
            {name}, {network}
            {newNumber && status === 'approval' && (
              <span className="font-semibold text-pending">
                {confirmed ? ' (new, confirmed by a code)' : ' (new number, not confirmed)'}
              </span>
            )}
          </Detail>
          <Detail name="Agent">
            {agent.username}, {spacedPhone(agent.phone)}, shop {shop.name}
          </Detail>
          <Detail name="From the earnings">
            <Money cedis={amount} /> with a fee of <Money cedis={fee} />; <Money cedis={withdrawal.earned} /> is left
          </Detail>
          <Detail name="Number">{withdrawal.number}</Detail>
          <Detail name="Asked">{formatDateTime(new Date(withdrawal.createdAt))}</Detail>
          {reason && <Detail name="Why">{reason}</Detail>}
          {provider && <Detail name="The provider says">{provider}</Detail>}
          {withdrawal.wasSent && <Detail name="Reference at the provider">{withdrawal.reference}</Detail>}
          {withdrawal.transactionId && <Detail name="Sent by hand, transaction">{withdrawal.transactionId}</Detail>}
          {withdrawal.decidedBy && <Detail name="Decided by">{withdrawal.decidedBy}</Detail>}
        </Details>
        <Acts key={id} withdrawal={withdrawal} />
      </div>
    </Card>
  )
}

function Acts({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const { _id: id, status, payout, phoneNumber, name, network, agent } = withdrawal
  const { busy, attempt } = useAttempt(['staff-withdrawals'], ['inbox'], ['admin-actions'])
  const to = `${moneyText(payout)} to ${spacedPhone(phoneNumber)}`
  const details = (
    <Details>
      <Detail name="Name on the number">
        {name}, {network}
      </Detail>
      <Detail name="Agent">{agent.username}</Detail>
      <Detail name="They get" strong>
        <Money cedis={payout} />
      </Detail>
    </Details>
  )
  const about = aboutRecord(withdrawal, 'status', 'payout')
  const approve = async () => {
    const question = `Send ${to}?`
    if (!(await confirmAction({ about, question, title: 'Send through the provider', details, yes: 'Yes, send' }))) return
    await attempt(() => call('PUT /withdrawals/:id/approve', { params: { id } }), 'It is being sent.')
  }
  const payByHand = async () => {
    const transactionId = await confirmPaidByHand({
      about,
      question: `Have you sent ${to} from your phone?`,
      title: 'Paid by hand',
      details,
      hint: 'From the message of the network. It pays for one withdrawal only.',
    })
    if (transactionId === null) return
    await attempt(() => call('PUT /withdrawals/:id/pay-by-hand', { params: { id }, body: { transactionId } }), 'Noted as paid.')
  }
  const decline = async () => {
    let reason = ''
    const yes = await confirmAction({
      about,
      question: `Decline the withdrawal of ${moneyText(withdrawal.amount)}?`,
      title: 'Decline',
      danger: true,
      details: (
        <Field
          label="Reason"
          name="reason"
          autoComplete="off"
          maxLength={200}
          hint={`${agent.username} reads it. The money goes back to the earnings.`}
          onChange={(event) => {
            reason = event.currentTarget.value.trim()
          }}
        />
      ),
    })
    if (!yes) return
    await attempt(
      () => call('PUT /withdrawals/:id/decline', { params: { id }, body: { reason } }),
      'Declined. The money is back in the earnings.',
    )
  }
  const ask = () => attempt(() => call('PUT /withdrawals/:id/check', { params: { id } }), 'The provider was asked.')

  if (status === 'approval')
    return (
      <div className="flex flex-wrap gap-3">
        <Button busy={busy} onClick={() => void approve()}>
          {withdrawal.wasSent ? 'Send again, same reference' : 'Send'}
        </Button>
        <Button variant="secondary" disabled={busy} onClick={() => void payByHand()}>
          I paid by hand
        </Button>
        <Button variant="secondary" disabled={busy} onClick={() => void decline()}>
          Decline
        </Button>
      </div>
    )
  if (status !== 'accepted' && status !== 'unknown') return null
  return (
    <Button variant="secondary" busy={busy} onClick={() => void ask()} className="self-start">
      Ask the provider now
    </Button>
  )
}
