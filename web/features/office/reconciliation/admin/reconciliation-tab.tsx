import { useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import type { InvariantState, ReconciliationReply } from '../../../../../shared/reconciliation.ts'
import { waitingFor } from '../../../../lib/admin/waiting-for.ts'
import { capitalised, counted } from '../../../../lib/admin/words.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { Button } from '../../../../ui/button.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Card } from '../../../../ui/page.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { StatusBadge, type StatusTone } from '../../../../ui/status-badge.tsx'
import { inboxQuery } from '../../inbox/admin/api.ts'
import { RECONCILIATION_EVERY_MS, RECONCILIATION_WHILE_CHECKING_MS, reconciliationQuery, useCheckNow } from './api.ts'
import { Backups } from './backups.tsx'
import { Findings } from './findings.tsx'
import { PurchasesPaused } from './purchases-paused.tsx'

/** The invariants and their state, and whether purchases are open. */
export default function ReconciliationTab() {
  const { data, error, refetch } = useQuery({ ...reconciliationQuery, refetchInterval: RECONCILIATION_EVERY_MS, staleTime: 0 })
  const { checkNow, checking, left } = useCheckNow(data)
  useQuery({
    ...reconciliationQuery,
    enabled: checking,
    refetchInterval: checking ? RECONCILIATION_WHILE_CHECKING_MS : false,
    staleTime: 0,
  })
  const { data: disk } = useQuery({ ...inboxQuery, select: ({ groups }) => groups.find(({ kind }) => kind === 'disk-low') ?? null })
  if (error && !data) return <LoadError what="The state of the books" error={error} onRetry={() => void refetch()} />
  if (!data) return <ReconciliationLoading />
  const broken = data.invariants.filter(hasWrongMoney).length
  return (
    <div className="flex max-w-5xl flex-col gap-6">
      <RefreshProblem error={error} onRetry={() => void refetch()} />
      {disk && (
        <NoticeBox
          tone="danger"
          title={disk.detail === '0' ? 'The server’s disk is full.' : `The server’s disk has ${disk.detail} MB left.`}
        >
          When it is full, nothing sells. Ask your technician for more room.
        </NoticeBox>
      )}
      {data.pause ? <PurchasesPaused pause={data.pause} broken={broken} /> : <PurchasesOpen books={data} broken={broken} />}
      <section aria-label="Checks of the books">
        <div className="flex flex-wrap items-center justify-between gap-3 pb-3">
          <h2 className="text-title">Checks of the books</h2>
          <Button
            variant="secondary"
            busy={checking}
            busyLabel={left > 0 ? `Checking, ${left} left…` : 'Checking…'}
            icon={<ListChecks className="size-5" aria-hidden="true" />}
            onClick={() => void checkNow()}
          >
            Check now
          </Button>
        </div>
        <p className="pb-3 text-muted">
          The shop checks its newest records every 30 seconds, and all of them from time to time. Wrong money pauses purchases at once. If
          only records disagree, no money is affected and selling goes on.
        </p>
        <Card>
          <ul className="divide-y divide-line">
            {brokenFirst(data.invariants).map((invariant) => (
              <Invariant key={invariant.id} invariant={invariant} />
            ))}
          </ul>
        </Card>
      </section>
      <Backups last={data.lastRehearsal} />
    </div>
  )
}

function PurchasesOpen({ books: { invariants }, broken }: { books: ReconciliationReply; broken: number }) {
  if (broken > 0) {
    return (
      <NoticeBox
        tone="pending"
        title={`Purchases are open although ${counted(broken, 'check')} of the books ${broken === 1 ? 'fails' : 'fail'}.`}
      >
        An admin lifted the pause anyway. See Activity for the reason.
      </NoticeBox>
    )
  }
  const disagreeing = invariants.filter(({ status }) => status === 'broken').length
  if (disagreeing > 0) {
    return (
      <NoticeBox tone="pending" title={`Purchases are open. In ${counted(disagreeing, 'check')} records disagree.`}>
        All the money is right. Please show what was found below to whoever looks after the shop's software.
      </NoticeBox>
    )
  }
  const unchecked = invariants.filter(({ status }) => status === 'unchecked').length
  if (unchecked === 0) return <NoticeBox tone="done" title={`Purchases are open. All ${invariants.length} checks of the books pass.`} />
  return (
    <NoticeBox
      tone="pending"
      title={`Purchases are open. ${counted(unchecked, 'check')} of the books ${unchecked === 1 ? 'was' : 'were'} not made yet.`}
    />
  )
}

function hasWrongMoney({ found }: InvariantState): boolean {
  return found.some(({ concerns }) => concerns === 'money')
}

function brokenFirst(invariants: readonly InvariantState[]): InvariantState[] {
  return invariants.toSorted((one, other) => Number(other.status === 'broken') - Number(one.status === 'broken'))
}

const RECORDS_DISAGREE: [StatusTone, string] = ['pending', 'Records disagree']

const STATUS: Record<InvariantState['status'], [StatusTone, string]> = {
  holds: ['done', 'Passed'],
  broken: ['danger', 'Broken'],
  unchecked: ['pending', 'Not checked'],
}

function Invariant({ invariant }: { invariant: InvariantState }) {
  const { id, title, status, checkedAt, wholeAt, rows, what, found, problem } = invariant
  const [tone, word] = status === 'broken' && !hasWrongMoney(invariant) ? RECORDS_DISAGREE : STATUS[status]
  const ago = (at: string) => `${waitingFor(at, shopNow())} ago`
  return (
    <li className="flex flex-col gap-2 p-4" aria-label={title}>
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 font-medium">
          <span className="tabular mr-2 text-small text-muted">{id}</span>
          {title}
        </p>
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </div>
      <p className="flex flex-wrap gap-x-4 text-small text-muted">
        <span>
          {checkedAt === null ? 'Never checked' : `Last checked ${ago(checkedAt)}`}
          {wholeAt !== null && wholeAt !== checkedAt && `, all rows ${ago(wholeAt)}`}
        </span>
        {wholeAt !== null && (
          <span className="tabular">
            {capitalised(what)}: {rows.toLocaleString('en')}
          </span>
        )}
      </p>
      {problem !== null && <p className="text-small text-pending">The last check didn’t finish: {problem}</p>}
      {found.length > 0 && <Findings found={found} />}
    </li>
  )
}

function ReconciliationLoading() {
  return (
    <Loading label="Loading the state of the books…">
      <div className="flex max-w-5xl flex-col gap-6">
        <Skeleton className="h-16" />
        <Skeleton className="h-96" />
      </div>
    </Loading>
  )
}
