import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import { RECHARGE_STATUSES, type Recharge } from '../../../../../shared/recharges.ts'
import { hasRole } from '../../../../../shared/staff-rules.ts'
import { aboutRecord } from '../../../../lib/about-record.ts'
import { capitalised } from '../../../../lib/admin/words.ts'
import { call, callList } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { refreshSoon, replaceInLists } from '../../../../lib/query-client.ts'
import { session } from '../../../../lib/session.ts'
import { CHANGED, noteOwnChange, useChangedRows } from '../../../../ui/admin/changed-rows.ts'
import { FilterSelect } from '../../../../ui/admin/filter-select.tsx'
import { NameAndPhone } from '../../../../ui/admin/name-and-phone.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { TwoLineDate } from '../../../../ui/admin/two-line-date.tsx'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { type Column, DataTable } from '../../../../ui/data-table.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { StatusBadge, toneOfStatus } from '../../../../ui/status-badge.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useLastPage, useListState } from '../../../../ui/use-list-state.ts'
import { askToDecide } from './ask-to-decide.tsx'

type Decision = 'approve' | 'decline' | 'reopen'

const NO_FILTERS = { status: '' }
const STATUS_OPTIONS = RECHARGE_STATUSES.map((status) => ({ value: status, label: capitalised(status) }))
const versionOf = (recharge: Recharge) => `${recharge.status} ${recharge.saidPaidAt}`

function rechargesQuery(filter: Record<string, string | number>) {
  return queryOptions({
    queryKey: ['recharges', filter],
    queryFn: ({ signal }) => callList('GET /recharge', { query: filter, signal }),
  })
}

/** Recharge requests, to approve or decline. */
export function RechargesTable() {
  const list = useListState(NO_FILTERS)
  const { data, isPlaceholderData, error, refetch } = useQuery({ ...rechargesQuery(list.query), placeholderData: keepPreviousData })
  useLastPage(isPlaceholderData ? undefined : data, list)
  const changed = useChangedRows(isPlaceholderData ? undefined : data?.rows, versionOf, JSON.stringify(list.query))
  const [deciding, setDeciding] = useState<ReadonlySet<string>>(new Set())

  const decide = async (recharge: Recharge, decision: Decision) => {
    const answer = decision === 'reopen' ? await askToReopen(recharge) : await askToDecide(recharge, decision)
    if (!answer.yes) return
    setDeciding((others) => new Set([...others, recharge._id]))
    noteOwnChange(recharge._id)
    try {
      const params = { id: recharge._id }
      const reply =
        decision === 'approve'
          ? await call('PUT /recharge/:id/approve', { params })
          : decision === 'reopen'
            ? await call('PUT /recharge/:id/reopen', { params })
            : await call('PUT /recharge/:id/decline', { params, body: { reason: answer.reason } })
      replaceInLists(['recharges'], reply.recharge)
      if (decision === 'approve') toast.success('Recharge request approved')
      else if (decision === 'reopen') toast.success(`Request ${recharge.rechargeId} is pending again`)
      else toast.danger('Recharge request declined')
    } catch (failure) {
      toast.danger(messageOf(failure))
    } finally {
      setDeciding((others) => new Set([...others].filter((id) => id !== recharge._id)))
      refreshSoon(['recharges'], ['users'], ['stats'], ['admin-actions'])
    }
  }

  const actions = (recharge: Recharge, block = false) => (
    <RechargeActions
      recharge={recharge}
      busy={deciding.has(recharge._id)}
      block={block}
      onDecide={(decision) => void decide(recharge, decision)}
    />
  )
  const columns: Column<Recharge>[] = [
    { key: 'date', header: 'Date', cell: (recharge) => <TwoLineDate text={formatDateTime(new Date(recharge.createdAt))} /> },
    { key: 'reference', header: 'Reference', cell: (recharge) => <span className="tabular font-semibold">{recharge.rechargeId}</span> },
    { key: 'username', header: 'Username', cell: ({ user }) => <NameAndPhone name={user.username} phone={user.phone} /> },
    { key: 'amount', header: 'Amount', align: 'right', cell: (recharge) => <Amount recharge={recharge} /> },
    { key: 'status', header: 'Status', cell: (recharge) => <RechargeStatusBadge recharge={recharge} /> },
    { key: 'actions', header: 'Actions', cell: (recharge) => actions(recharge) },
  ]

  return (
    <div>
      <h2 className="pb-3 text-title">Wallet Recharge History</h2>
      {data && <RefreshProblem error={error} onRetry={() => void refetch()} />}
      {error && !data ? (
        <LoadError what="The recharges" error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          caption="Wallet Recharge History"
          columns={columns}
          rows={data?.rows}
          rowKey={(recharge) => recharge._id}
          total={data?.total ?? 0}
          state={list.table}
          onState={list.setTable}
          stale={isPlaceholderData}
          searchLabel="Search recharges"
          rowClass={(recharge) => (changed.has(recharge._id) ? CHANGED : undefined)}
          card={(recharge) => <RechargeCard recharge={recharge} actions={actions(recharge, true)} />}
          empty={
            list.narrowed ? (
              <EmptyState
                icon={<Smartphone />}
                title="No recharge matches"
                action={<Button onClick={list.clear}>Show all recharges</Button>}
              >
                No recharge has this status.
              </EmptyState>
            ) : (
              <EmptyState icon={<Smartphone />} title="No recharges yet">
                When somebody asks to recharge their wallet, the request shows up here by itself.
              </EmptyState>
            )
          }
          filters={
            <FilterSelect
              label="Status"
              all="All statuses"
              value={list.filters.status}
              options={STATUS_OPTIONS}
              onValue={(status) => list.setFilter('status', status)}
            />
          }
        />
      )}
    </div>
  )
}

function RechargeStatusBadge({ recharge }: { recharge: Recharge }) {
  const { status, saidPaidAt, declineReason } = recharge
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <StatusBadge tone={toneOfStatus(status)}>{capitalised(status)}</StatusBadge>
      {status === 'pending' && saidPaidAt && (
        <span className="text-small font-semibold whitespace-nowrap">says paid {formatDateTime(new Date(saidPaidAt)).slice(11, 16)}</span>
      )}
      {declineReason && <span className="text-small break-words text-muted">{declineReason}</span>}
    </span>
  )
}

type ActionsProps = { recharge: Recharge; busy: boolean; block: boolean; onDecide: (decision: Decision) => void }

function RechargeActions({ recharge, busy, block, onDecide }: ActionsProps) {
  const mayDecide = hasRole(session.use() ?? {}, 'finance')
  if (recharge.status !== 'pending' || !mayDecide) {
    return (
      <span className={block ? 'grid grid-flow-col auto-cols-fr gap-2' : 'inline-flex gap-2'}>
        <Button variant="secondary" size="compact" disabled>
          {capitalised(recharge.status)}
        </Button>
        {recharge.status === 'declined' && mayDecide && (
          <Button
            variant="secondary"
            size="compact"
            busy={busy}
            onClick={() => onDecide('reopen')}
            title={`Reopen recharge ${recharge.rechargeId}`}
          >
            Reopen
          </Button>
        )}
      </span>
    )
  }
  return (
    <span className={block ? 'grid grid-cols-2 gap-2' : 'inline-flex gap-2'}>
      <Button size="compact" busy={busy} onClick={() => onDecide('approve')} title={`Approve recharge ${recharge.rechargeId}`}>
        Approve
      </Button>
      <Button
        variant="danger"
        size="compact"
        disabled={busy}
        onClick={() => onDecide('decline')}
        title={`Decline recharge ${recharge.rechargeId}`}
      >
        Decline
      </Button>
    </span>
  )
}

function RechargeCard({ recharge, actions }: { recharge: Recharge; actions: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-2">
        <Amount recharge={recharge} className="text-title" />
        <RechargeStatusBadge recharge={recharge} />
      </div>
      <div className="flex items-baseline justify-between gap-3">
        <NameAndPhone name={recharge.user.username} phone={recharge.user.phone} />
        <span className="tabular text-large font-semibold">{recharge.rechargeId}</span>
      </div>
      <p className="tabular text-small text-muted">{formatDateTime(new Date(recharge.createdAt))}</p>
      {actions}
    </div>
  )
}

/** What was credited, and beside it what was asked for where that was something else. */
function Amount({ recharge: { amount, credited }, className }: { recharge: Recharge; className?: string }) {
  return (
    <span className="inline-flex flex-col">
      <Money cedis={credited ?? amount} className={className} />
      {credited !== null && credited !== amount && <span className="text-small text-muted">asked {moneyText(amount)}</span>}
    </span>
  )
}

async function askToReopen(recharge: Recharge): Promise<{ yes: boolean; reason: string }> {
  const yes = await confirmAction({
    about: aboutRecord(recharge, 'status'),
    question: `Are you sure you want to reopen the recharge of ${moneyText(recharge.amount)} for ${recharge.user.username}?`,
    title: 'Reopen recharge',
    details: `${recharge.user.username} sees it as pending again, and you can approve it.`,
  })
  return { yes, reason: '' }
}
