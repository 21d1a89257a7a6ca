import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Clock, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import type { RefundList, StaffRefund } from '../../../../../shared/refunds.ts'
import { hasRole } from '../../../../../shared/staff-rules.ts'
import { aboutRecord } from '../../../../lib/about-record.ts'
import { useAttempt } from '../../../../lib/admin/use-attempt.ts'
import { call, callList } from '../../../../lib/api.ts'
import { session } from '../../../../lib/session.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { confirmPaidByHand } from '../../../../ui/admin/confirm-paid-by-hand.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Chip, ChipRow } from '../../../../ui/chip.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../../ui/details.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Pagination } from '../../../../ui/pagination.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'

const PAGE_SIZE = 10
const LOOK_EVERY_MS = 15_000

const LISTS: { list: RefundList; label: string; empty: string }[] = [
  { list: 'waiting', label: 'For you', empty: 'No refund waits for you' },
  { list: 'on-the-way', label: 'On the way', empty: 'No refund is on its way' },
  { list: 'codes', label: 'With a code', empty: 'No refund waits as a code' },
  { list: 'ended', label: 'Done', empty: 'No refund is done yet' },
]

const listQuery = (page: number, list: RefundList) =>
  queryOptions({
    queryKey: ['staff-refunds', page, list],
    queryFn: ({ signal }) => callList('GET /refunds', { query: { page, pageSize: PAGE_SIZE, list }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_EVERY_MS,
  })

/** What goes back to the cards and phones that paid, of guests of agents' shops and of customers who asked for it: what waits for a person, what is on its way, and what was. */
export function RefundsTab() {
  const [page, setPage] = useState(1)
  const [list, setList] = useState<RefundList>('waiting')
  const { data, error, refetch } = useQuery(listQuery(page, list))
  const chosen = LISTS.find((one) => one.list === list)
  return (
    <div className="flex max-w-[45rem] flex-col gap-4">
      <ChipRow label="Refunds" wrap>
        {LISTS.map((one) => (
          <Chip
            key={one.list}
            selected={one.list === list}
            onClick={() => {
              setList(one.list)
              setPage(1)
            }}
          >
            {one.label}
          </Chip>
        ))}
      </ChipRow>
      {error && !data ? (
        <LoadError what="The refunds" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading label="Loading the refunds…">
          <Skeleton className="h-64" />
        </Loading>
      ) : data.rows.length === 0 ? (
        <EmptyState icon={<Undo2 />} title={chosen?.empty ?? ''}>
          A guest’s money goes back by itself to the card or phone that paid, a customer’s when they ask for it. What the provider doesn’t
          take shows up here.
        </EmptyState>
      ) : (
        <>
          <ul className="flex flex-col gap-4">
            {data.rows.map((refund) => (
              <li key={refund._id}>
                <RefundCard refund={refund} />
              </li>
            ))}
          </ul>
          <Pagination page={page} pageCount={Math.ceil(data.total / PAGE_SIZE)} onPage={setPage} />
        </>
      )}
    </div>
  )
}

const STATES: Record<StaffRefund['status'], { word: string; tone: 'pending' | 'done' | 'danger' | 'plain'; happened: string }> = {
  due: { word: 'not sent yet', tone: 'pending', happened: 'It is owed and was not sent yet.' },
  sending: { word: 'being sent', tone: 'plain', happened: 'We are handing it to the card provider.' },
  accepted: { word: 'on its way', tone: 'plain', happened: 'The card provider has it and pays it out.' },
  unknown: {
    word: 'unclear, being asked',
    tone: 'pending',
    happened: 'The card provider gave no clear answer. We keep asking; nothing is sent twice.',
  },
  review: { word: 'to decide', tone: 'danger', happened: 'The card provider has said twice that it doesn’t have this refund.' },
  paid: { word: 'paid back', tone: 'done', happened: 'They have the money back.' },
  returned: { word: 'bank paid back', tone: 'done', happened: 'Their bank or the card provider gave it back in another way.' },
  code: { word: 'waits as a code', tone: 'pending', happened: 'The guest has a code, which puts the money into a wallet here.' },
  claimed: { word: 'in a wallet', tone: 'done', happened: 'The code was used.' },
  wallet: { word: 'in their wallet', tone: 'done', happened: 'It did not go back, so the customer has it in their wallet again.' },
}

function RefundCard({ refund }: { refund: StaffRefund }) {
  const { status, amount, phone, order, shop, customer, reason, provider, transactionId } = refund
  const { word, tone, happened } = STATES[status]
  const Icon = tone === 'done' ? CircleCheck : tone === 'danger' ? CircleAlert : Clock
  return (
    <Card
      title={`${moneyText(amount)} to ${customer ?? spacedPhone(phone)}`}
      state={
        <StateChip tone={tone} icon={<Icon aria-hidden="true" />}>
          {word}
        </StateChip>
      }
    >
      <div className="flex flex-col gap-3 px-4 py-3">
        <p>{(refund.disputed && DISPUTED[status]) || happened}</p>
        <Details>
          <Detail name={order ? `Order ${order.number}` : 'Bought nothing'}>
            {[order && `${order.network} ${order.offer}`, shop && `shop ${shop}`].filter(Boolean).join(', ')}
          </Detail>
          {customer && <Detail name="Customer">{`${customer}, ${spacedPhone(phone)}`}</Detail>}
          {reason && <Detail name="Why">{reason}</Detail>}
          {provider && <Detail name="The provider says">{provider}</Detail>}
          <Detail name="Owed since">{formatDateTime(new Date(refund.createdAt))}</Detail>
          {refund.endedAt && (
            <Detail name={status === 'wallet' ? 'Back in the wallet' : 'Paid back'}>{formatDateTime(new Date(refund.endedAt))}</Detail>
          )}
          {transactionId && <Detail name="Sent by hand, transaction">{transactionId}</Detail>}
          {refund.claimedBy && <Detail name="Into the wallet of">{refund.claimedBy}</Detail>}
          {refund.codeSentAt && <Detail name="Code sent">{formatDateTime(new Date(refund.codeSentAt))}</Detail>}
          {refund.decidedBy && <Detail name="Decided by">{refund.decidedBy}</Detail>}
          <Detail name="Payment">
            <span className="break-all">{refund.paymentReference}</span>
          </Detail>
        </Details>
        <Acts refund={refund} />
      </div>
    </Card>
  )
}

const DISPUTED: Partial<Record<StaffRefund['status'], string>> = {
  due: 'The payer disputes this payment, and the bank may give the money back, or has. We send nothing unless you win that.',
  code: 'The payer disputes this payment, and the bank may give the money back, or has. The code is refused unless you win that.',
}

function Acts({ refund }: { refund: StaffRefund }) {
  const { _id: id, status, amount, phone, order, customer } = refund
  const { busy, attempt } = useAttempt(['staff-refunds'], ['inbox'], ['admin-actions'])
  const mayPay = hasRole({ roles: session.use()?.roles ?? ['owner'] }, 'finance')
  const sum = moneyText(amount)
  const number = spacedPhone(phone)
  const details = (
    <Details>
      <Detail name={customer ? 'Customer' : 'Guest'}>{customer ? `${customer}, ${number}` : number}</Detail>
      {order && <Detail name={`Order ${order.number}`}>{`${order.network} ${order.offer}`}</Detail>}
      <Detail name="They get" strong>
        <Money cedis={amount} />
      </Detail>
    </Details>
  )
  const about = aboutRecord(refund, 'status', 'amount')
  const sendAgain = async () => {
    const question = `Send ${sum} back the way it was paid, once more?`
    if (!(await confirmAction({ about, question, title: 'Send again', details, yes: 'Yes, send' }))) return
    await attempt(() => call('PUT /refunds/:id/send-again', { params: { id } }), 'Sent again. We ask what becomes of it.')
  }
  const giveCode = async () => {
    const question = `Give ${number} a code for ${sum} instead?`
    if (!(await confirmAction({ about, question, title: 'Turn into a code', details, yes: 'Yes, a code' }))) return
    await attempt(
      () => call('PUT /refunds/:id/code', { params: { id } }),
      'It waits as a code now. The guest gets it by SMS if you send messages to buyers.',
    )
  }
  const putInWallet = async () => {
    const question = `Put ${sum} into the wallet of ${customer} again?`
    if (!(await confirmAction({ about, question, title: 'Back to the wallet', details, yes: 'Yes, to the wallet' }))) return
    await attempt(() => call('PUT /refunds/:id/code', { params: { id } }), `It is in the wallet of ${customer} again.`)
  }
  const payByHand = async () => {
    const transactionId = await confirmPaidByHand({
      about,
      question: `Have you sent ${sum} to ${number} from your phone?`,
      title: 'Paid back by hand',
      details,
      hint: status === 'code' ? 'From the message of the network. The code ends with it.' : 'From the message of the network.',
    })
    if (transactionId === null) return
    await attempt(() => call('PUT /refunds/:id/pay-by-hand', { params: { id }, body: { transactionId } }), 'Noted as paid back.')
  }
  const sendCode = () => attempt(() => call('PUT /refunds/:id/send-code', { params: { id } }), `The code goes to ${number}.`)
  const ask = () => attempt(() => call('PUT /refunds/:id/check', { params: { id } }), 'The provider was asked.')

  const isOpen = status === 'due' || status === 'review' || status === 'code'
  const isAsked = (status === 'accepted' || status === 'unknown' || status === 'review') && refund.wasSent
  if (!isOpen && !isAsked) return null
  return (
    <div className="flex flex-wrap gap-3">
      {mayPay && status === 'review' && (
        <Button busy={busy} onClick={() => void sendAgain()}>
          Send again
        </Button>
      )}
      {status === 'code' && !refund.disputed && (
        <Button busy={busy} onClick={() => void sendCode()}>
          Send the code by SMS
        </Button>
      )}
      {mayPay && (status === 'due' || status === 'review') && (
        <Button variant="secondary" disabled={busy} onClick={() => void (customer ? putInWallet() : giveCode())}>
          {customer ? 'Put into their wallet' : 'Turn into a code'}
        </Button>
      )}
      {mayPay && isOpen && (
        <Button variant="secondary" disabled={busy} onClick={() => void payByHand()}>
          I paid by hand
        </Button>
      )}
      {mayPay && isAsked && (
        <Button variant="secondary" disabled={busy} onClick={() => void ask()}>
          Ask the provider now
        </Button>
      )}
    </div>
  )
}
