import { queryOptions, useQuery } from '@tanstack/react-query'
import { ClipboardList, Download } from 'lucide-react'
import { useId, useState } from 'react'
import type { AfaRow, AfaState } from '../../../../../shared/afa.ts'
import type { AfaDetails } from '../../../../../shared/afa-rules.ts'
import { formatDateTime } from '../../../../../shared/dates.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { aboutReply } from '../../../../lib/about-record.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { call, callFile, callList } from '../../../../lib/api.ts'
import { nameInDisposition, saveAs } from '../../../../lib/download-csv.ts'
import { messageOf } from '../../../../lib/http.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Chip, ChipRow } from '../../../../ui/chip.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../../ui/details.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Field } from '../../../../ui/field.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Pagination } from '../../../../ui/pagination.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'

const PAGE_SIZE = 50
const STATES: Record<AfaState, { label: string; empty: string }> = {
  received: { label: 'To send', empty: 'No details wait to be sent to the registrar' },
  sent: { label: 'At the registrar', empty: 'Nothing is at the registrar' },
  needed: { label: 'Details missing', empty: 'Every AFA order has its details' },
  registered: { label: 'Registered', empty: 'Nobody is registered yet' },
  refused: { label: 'Refused', empty: 'Nobody was refused' },
}

// Under "stats", since every announcement about an order refreshes that.
function afaQuery(state: AfaState, page: number) {
  return queryOptions({
    queryKey: ['stats', 'afa', state, page],
    queryFn: ({ signal }) => callList('GET /admin/afa', { query: { state, page, pageSize: PAGE_SIZE }, signal }),
  })
}

/** AFA orders: their details go to the registrar in a file, and each ends as registered or refused. */
export default function AfaPage() {
  const [state, setState] = useState<AfaState>('received')
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const { data, error, refetch } = useQuery({
    ...afaQuery(state, page),
    // Of the same state only: what is chosen and decided must be what the heading says.
    placeholderData: (before, query) => (query?.queryKey[2] === state ? before : undefined),
  })
  const show = (next: AfaState) => {
    setState(next)
    setPage(1)
    setChosen(new Set())
  }
  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    try {
      await act()
    } catch (problem) {
      toast.danger(messageOf(problem))
    } finally {
      setBusy(false)
      refreshSoon(['stats'], ['orders'], ['inbox'])
    }
  }
  const exportFile = (batch?: number) =>
    attempt(async () => {
      const { blob, disposition } = await withPassword(() => callFile('POST /admin/afa/export', { body: { batch } }))
      saveAs(blob, nameInDisposition(disposition) ?? 'afa.csv')
      // What was chosen may stand under another state now.
      setChosen(new Set())
      toast.success('The file is saved. Keep it safe, and delete it once the registrar has it.')
    })
  const decide = (status: 'completed' | 'rejected', refundReason?: string) =>
    attempt(async () => {
      const { decided, refused } = await call('POST /order/decide-many', {
        body: { ids: [...chosen], status, ...(refundReason && { refundReason }) },
      })
      if (decided.length > 0) toast.success(`${counted(decided.length, 'order')} ${status === 'completed' ? 'registered' : 'refunded'}.`)
      for (const { message } of refused.slice(0, 3)) toast.danger(message)
      setChosen(new Set())
    })
  const aboutChosen = () =>
    aboutReply(afaQuery(state, page), ({ rows }) => rows.map(({ orderId }) => orderId).filter((id) => chosen.has(id)))
  const register = async () => {
    const question = `Are these ${counted(chosen.size, 'person', 'people')} registered?`
    if (await confirmAction({ about: aboutChosen(), question, yes: 'Yes, registered' })) await decide('completed')
  }
  const refuse = async () => {
    const typed = { reason: '' }
    const yes = await confirmAction({
      about: aboutChosen(),
      title: `Refuse ${counted(chosen.size, 'order')}?`,
      question: 'The buyers get their money back into their wallets and read the reason.',
      details: <Field label="Reason" onChange={(event) => Object.assign(typed, { reason: event.currentTarget.value })} />,
      yes: 'Refuse and refund',
      danger: true,
    })
    if (!yes) return
    if (typed.reason.trim() === '') toast.danger('Nothing was refunded. Please give a reason: the buyers read it.')
    else await decide('rejected', typed.reason)
  }
  const toggle = (id: string) =>
    setChosen((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  const decidable = state === 'sent' || state === 'received' || state === 'needed'
  return (
    <div className="flex max-w-[60rem] flex-col gap-4">
      <ChipRow label="Registrations" wrap>
        {(Object.keys(STATES) as AfaState[]).map((one) => (
          <Chip key={one} selected={one === state} onClick={() => show(one)}>
            {STATES[one].label}
          </Chip>
        ))}
      </ChipRow>
      {state === 'received' && (data?.total ?? 0) > 0 && (
        <Button
          className="self-start"
          busy={busy}
          icon={<Download className="size-5" aria-hidden="true" />}
          onClick={() => void exportFile()}
        >
          File for the registrar
        </Button>
      )}
      {decidable && chosen.size > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <strong>{chosen.size} chosen</strong>
          {state === 'sent' && (
            <Button disabled={busy} onClick={() => void register()}>
              Registered
            </Button>
          )}
          <Button variant="danger" disabled={busy} onClick={() => void refuse()}>
            Refuse and refund
          </Button>
        </div>
      )}
      {data && <RefreshProblem error={error} onRetry={() => void refetch()} />}
      {error && !data ? (
        <LoadError what="AFA" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading label="Loading…">
          <Skeleton className="h-48" />
        </Loading>
      ) : data.rows.length === 0 ? (
        <EmptyState icon={<ClipboardList />} title={STATES[state].empty}>
          Orders of AFA wait until their buyer has given the person’s details.
        </EmptyState>
      ) : (
        <>
          {decidable && (
            <Button
              variant="quiet"
              className="self-start"
              onClick={() => setChosen(chosen.size === data.rows.length ? new Set() : new Set(data.rows.map(({ orderId }) => orderId)))}
            >
              {chosen.size === data.rows.length ? 'Choose none' : 'Choose all on this page'}
            </Button>
          )}
          <ul className="grid gap-3 lg:grid-cols-2">
            {data.rows.map((row) => (
              <li key={row.orderId}>
                <Registration
                  row={row}
                  chosen={decidable ? chosen.has(row.orderId) : null}
                  onToggle={() => toggle(row.orderId)}
                  onFile={row.batch === null ? null : () => void exportFile(row.batch as number)}
                />
              </li>
            ))}
          </ul>
          <Pagination page={page} pageCount={Math.ceil(data.total / PAGE_SIZE)} onPage={setPage} />
        </>
      )}
    </div>
  )
}

type RowProps = { row: AfaRow; chosen: boolean | null; onToggle: () => void; onFile: (() => void) | null }

function Registration({ row, chosen, onToggle, onFile }: RowProps) {
  const [details, setDetails] = useState<AfaDetails | null>(null)
  const boxId = useId()
  const open = async () => {
    const typed = { reason: '' }
    const yes = await confirmAction({
      title: `Show the details of order ${row.number}?`,
      question: 'That you looked, and why, is recorded.',
      details: <Field label="Reason" onChange={(event) => Object.assign(typed, { reason: event.currentTarget.value })} />,
      yes: 'Show them',
    })
    if (!yes) return
    try {
      const shown = await withPassword(() => call('POST /admin/afa/:id/reveal', { params: { id: row.orderId }, body: typed }))
      setDetails(shown.details)
    } catch (problem) {
      toast.danger(messageOf(problem))
    }
  }
  const name = details?.fullName ?? row.fullName ?? (row.erasedAt ? 'Erased' : 'Details missing')
  return (
    <Card className="flex flex-col gap-2 p-4">
      <div className="flex min-h-11 items-center gap-3 font-semibold">
        {chosen !== null && <input id={boxId} type="checkbox" className="size-5 shrink-0" checked={chosen} onChange={onToggle} />}
        <label htmlFor={boxId} className="min-w-0 break-words">
          {name}
        </label>
      </div>
      <Details>
        <Detail name="Order">
          {row.number} · {row.buyer}
        </Detail>
        <Detail name="Ordered">{formatDateTime(new Date(row.orderedAt))}</Detail>
        {(details?.phone ?? row.phone) && <Detail name="Phone">{details ? spacedPhone(details.phone) : row.phone}</Detail>}
        {(details?.ghanaCard ?? row.ghanaCard) && <Detail name="Ghana Card">{details?.ghanaCard ?? row.ghanaCard}</Detail>}
        {details && <Detail name="Born">{details.birthDate}</Detail>}
        {details && (
          <Detail name="Place">
            {details.town}, {details.region}
          </Detail>
        )}
        {details && <Detail name="Work">{details.occupation}</Detail>}
        {row.batch !== null && <Detail name="Batch">{row.batch}</Detail>}
      </Details>
      <div className="flex flex-wrap gap-2">
        {row.fullName && (
          <Button size="compact" variant="secondary" onClick={() => (details ? setDetails(null) : void open())}>
            {details ? 'Hide' : 'Show the details'}
          </Button>
        )}
        {onFile && row.fullName && (
          <Button size="compact" variant="quiet" onClick={onFile}>
            File of its batch again
          </Button>
        )}
      </div>
    </Card>
  )
}
