import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Clock, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import type { Forwarder } from '../../../../../shared/forwarders.ts'
import { waitingFor } from '../../../../lib/admin/waiting-for.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { useNow } from '../../../../lib/use-now.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Money } from '../../../../ui/money.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { forwardedMessagesQuery, refreshPhones } from './api.ts'
import { ConfirmBalanceDialog } from './confirm-balance-dialog.tsx'
import { PhoneGuide } from './phone-guide.tsx'
import { PhoneTest } from './phone-test.tsx'
import { APP_WORDS, OUTCOME_WORDS } from './phone-words.ts'

type Props = { forwarder: Forwarder; secret: string | null; mayChange: boolean; onSecret: (secret: string) => void }

/** One phone: when it was last heard of, its wallets' balances, what arrived, and how it is set up. */
export function PhoneCard({ forwarder, secret, mayChange, onSecret }: Props) {
  const { _id, name, app, seenAt, messageAt, battery, problem, oldKeyUntil, wallets } = forwarder
  const [asked, setAsked] = useState<Forwarder['wallets'][number] | null>(null)
  const [isOpen, setOpen] = useState(false)
  const now = useNow()
  const ago = (iso: string) => `${waitingFor(iso, now)} ago`
  const act = async (doIt: () => Promise<unknown>) => {
    try {
      await withPassword(doIt)
      refreshPhones()
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
  const rotate = async () => {
    const yes = await confirmAction({
      question: `Make a new key for ${name}?`,
      details: 'The old one works for another hour. Put the new one into the phone before that.',
      yes: 'Make a new key',
    })
    if (!yes) return
    await act(async () => onSecret((await call('POST /forwarder/:id/rotate', { params: { id: _id } })).key))
  }
  const remove = async () => {
    const yes = await confirmAction({
      question: `Remove ${name}?`,
      details: 'We take nothing from it any more, at once. What it brought and nobody credited waits for you under Match.',
      yes: 'Remove the phone',
      danger: true,
    })
    if (yes) await act(() => call('DELETE /forwarder/:id', { params: { id: _id } }))
  }
  return (
    <Card title={name} state={<PhoneState forwarder={forwarder} />}>
      <div className="flex flex-col gap-4 px-4 py-3">
        {problem && <NoticeBox tone="danger">{problem}</NoticeBox>}
        {forwarder.silent && (
          <NoticeBox tone="danger" title="It says nothing">
            Is it on, charged and online, and is the app still allowed to read SMS? Nothing is lost: the app keeps what it could not send,
            mostly for two days, and customers are credited once it arrives. Until then, paste urgent messages under Match.
          </NoticeBox>
        )}
        <p className="text-body text-muted">
          {APP_WORDS[app].name}.{' '}
          {seenAt === null ? 'We have not heard from it yet: send it an SMS, from anybody, to try it.' : `Last heard ${ago(seenAt)}.`}{' '}
          {messageAt !== null && `Last mobile-money message ${ago(messageAt)}.`} {battery !== null && `Battery ${battery} %.`}{' '}
          {oldKeyUntil !== null && `The old key works until ${formatDateTime(new Date(oldKeyUntil)).slice(11, 16)}.`}
        </p>
        {secret !== null && <PhoneGuide key={secret} forwarder={forwarder} secret={secret} />}
        {mayChange && secret !== null && <PhoneTest forwarder={forwarder} />}
        <ul className="divide-y divide-line rounded-box border border-line">
          {wallets.map((wallet) => (
            <li key={wallet.network} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-2.5">
              <div className="min-w-0">
                <p className="font-semibold">
                  {wallet.network} {wallet.balance !== null && <Money cedis={wallet.balance} />}
                </p>
                <p className="text-small text-muted">
                  {wallet.balance === null && 'Nothing is credited by itself before you confirm its balance.'}
                  {wallet.network === 'AirtelTigo' && ' Its messages wait for you until you have written down how they read.'}
                  {wallet.balance !== null && wallet.waiting === 0 && 'Every message follows from the one before.'}
                  {wallet.balance !== null && wallet.waiting > 0 && wallet.waitingSince !== null && (
                    <span className="text-pending">
                      {wallet.waiting} {wallet.waiting === 1 ? 'message doesn’t' : 'messages don’t'} follow from it, the oldest came{' '}
                      {ago(wallet.waitingSince)}. One may be late, or a fake.
                    </span>
                  )}
                </p>
              </div>
              {mayChange && (
                <Button variant={wallet.balance === null || wallet.waiting > 0 ? 'primary' : 'secondary'} onClick={() => setAsked(wallet)}>
                  Confirm the balance
                </Button>
              )}
            </li>
          ))}
        </ul>
        <details className="text-body" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="inline-flex min-h-11 items-center font-semibold text-brand-text">What arrived lately</summary>
          {isOpen && <Messages id={_id} />}
        </details>
        {mayChange && (
          <>
            {secret === null && (
              <details className="-mt-4 text-body">
                <summary className="inline-flex min-h-11 items-center font-semibold text-brand-text">How to set it up</summary>
                <PhoneGuide forwarder={forwarder} secret={null} />
              </details>
            )}
            {secret === null && <PhoneTest forwarder={forwarder} />}
            <div className="flex flex-wrap gap-2">
              <Button variant="secondary" onClick={() => void rotate()}>
                New key
              </Button>
              <Button variant="secondary" onClick={() => void remove()}>
                Remove
              </Button>
            </div>
          </>
        )}
      </div>
      {asked && <ConfirmBalanceDialog forwarder={forwarder} wallet={asked} onClose={() => setAsked(null)} />}
    </Card>
  )
}

function PhoneState({ forwarder: { silent, seenAt, wallets } }: { forwarder: Forwarder }) {
  if (silent) {
    return (
      <StateChip tone="danger" icon={<TriangleAlert aria-hidden="true" />}>
        Silent
      </StateChip>
    )
  }
  if (seenAt === null || wallets.some(({ balance, waiting }) => balance === null || waiting > 0)) {
    return (
      <StateChip tone="pending" icon={<Clock aria-hidden="true" />}>
        {seenAt === null ? 'Waiting for it' : 'Look at it'}
      </StateChip>
    )
  }
  return (
    <StateChip tone="done" icon={<CircleCheck aria-hidden="true" />}>
      Works
    </StateChip>
  )
}

function Messages({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(forwardedMessagesQuery(id))
  if (error && !data) return <LoadError what="The messages" error={error} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <Loading>
        <Skeleton className="h-24" />
      </Loading>
    )
  }
  if (data.length === 0) return <p className="text-muted">No mobile-money message yet. Other SMS are never kept.</p>
  return (
    <ul className="divide-y divide-line">
      {data.map(({ receivedAt, outcome, network, amount, transactionId, says }) => (
        <li key={`${receivedAt} ${transactionId} ${says}`} className="flex flex-wrap justify-between gap-x-4 py-2 text-small">
          <span>
            <b>{OUTCOME_WORDS[outcome]}</b> {network} {amount !== null && <Money cedis={amount} />} {transactionId}
            {says && <span className="block text-muted">{says}</span>}
          </span>
          <span className="tabular text-muted">{formatDateTime(new Date(receivedAt))}</span>
        </li>
      ))}
    </ul>
  )
}
