import { useQuery } from '@tanstack/react-query'
import { Check, Clock, Copy, Download, PackageX, Undo2, Upload, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Batch, BatchRow, SettleBatchRequest } from '../../../../../shared/batches.ts'
import type { Order } from '../../../../../shared/orders.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import type { Sheet } from '../../../../../shared/readers/sheets.ts'
import { hasRole } from '../../../../../shared/staff-rules.ts'
import { aboutReply } from '../../../../lib/about-record.ts'
import { clockTime } from '../../../../lib/admin/clock-time.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { copyText } from '../../../../lib/copy-text.ts'
import { readDraft, writeDraft } from '../../../../lib/drafts.ts'
import { messageOf, RefusedError } from '../../../../lib/http.ts'
import { readSheetFile } from '../../../../lib/read-sheet-file.ts'
import { session } from '../../../../lib/session.ts'
import { ActBar } from '../../../../ui/admin/act-bar.tsx'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { useScreenTitle } from '../../../../ui/admin/screen-title.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { TextareaField } from '../../../../ui/field.tsx'
import { FileButton } from '../../../../ui/file-button.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useShop } from '../../../shop/shop/api.ts'
import { batchQuery, noteExported, openBatchesQuery, settleBatch } from './api.ts'
import { batchFile } from './batch-file.ts'
import { BatchLine } from './batch-line.tsx'
import { composeBatchList } from './compose-batch-list.ts'
import { COLUMN_WORDS, FormatDialog } from './format-dialog.tsx'
import { type Answer, matchResults, type Outcome, phraseOf } from './match-results.ts'

const ResultImport = lazy(() => import('./result-import.tsx'))

/** One batch: its file for the portal, what the portal answered, and what becomes of each order. */
export default function BatchPage() {
  const [path] = useLocation()
  const number = /^\/admin\/batches\/(\d{1,9})/.exec(path)?.[1] ?? ''
  const { data: batch, error, refetch } = useQuery({ ...batchQuery(number), enabled: number !== '' })
  if (number === '') return <OpenBatches />
  if (!batch && error instanceof RefusedError && error.status === 404) return <NoBatch title="There is no such batch" />
  if (!batch && error) return <LoadError what="The batch" error={error} onRetry={() => void refetch()} />
  if (!batch)
    return (
      <Loading label="Loading the batch…">
        <div className="grid gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
          <Skeleton className="h-56" />
          <Skeleton className="h-96" />
        </div>
      </Loading>
    )
  return <OpenBatch key={batch.number} batch={batch} />
}

/** Without a number in the address: those that wait for their results. */
function OpenBatches() {
  const { data, error, refetch } = useQuery(openBatchesQuery)
  if (!data && error) return <LoadError what="The batches" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading label="Loading the batches…">
        <Skeleton className="h-15" />
      </Loading>
    )
  if (data.rows.length === 0) return <NoBatch title="No batch is open" />
  return (
    <ul aria-label="Batches" className="flex max-w-3xl flex-col gap-2">
      {data.rows.map((batch) => (
        <li key={batch.number}>
          <BatchLine batch={batch} />
        </li>
      ))}
    </ul>
  )
}

function NoBatch({ title }: { title: string }) {
  return (
    <EmptyState icon={<PackageX />} title={title} action={<ButtonLink href="/admin/orders">See the orders</ButtonLink>}>
      Batches are made from the orders that you send by hand.
    </EmptyState>
  )
}

type Choice = Outcome | { what: 'none' }

/** What was marked by hand before a reload. */
function readMarks(kept = '[]'): ReadonlyMap<string, Choice> {
  try {
    return new Map(JSON.parse(kept) as [string, Choice][])
  } catch {
    return new Map()
  }
}

function OpenBatch({ batch }: { batch: Batch }) {
  const user = session.use()
  const userId = user?._id ?? null
  const draft = `batch-${batch.number}`
  const [text, setText] = useState(() => readDraft(userId, draft)?.results ?? '')
  const keep = (lines: string, marks: ReadonlyMap<string, Choice>) => {
    const isEmpty = lines.trim() === '' && marks.size === 0
    writeDraft(userId, draft, isEmpty ? null : { results: lines, marks: JSON.stringify([...marks]) })
  }
  const changeText = (lines: string) => {
    setText(lines)
    keep(lines, chosen)
  }
  const [silentIsDelivered, setSilentIsDelivered] = useState(false)
  const [chosen, setChosen] = useState(() => readMarks(readDraft(userId, draft)?.marks))
  const [busy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly { id: string; message: string }[]>([])
  const subtitle = `${counted(batch.orders, `${batch.network} order`)} · ${moneyText(batch.amount)} · locked by ${batch.madeBy}, ${clockTime(batch.madeAt)}`
  useScreenTitle({ title: `Batch ${batch.number}`, subtitle, back: '/admin/orders' })
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answer>>(new Map())
  const matched = useMemo(
    () => matchResults(text, batch.rows, { silentIsDelivered, answers }),
    [text, batch.rows, silentIsDelivered, answers],
  )
  const outcomeOf = ({ order }: BatchRow): Choice => chosen.get(order._id) ?? matched.outcomes.get(order._id) ?? { what: 'none' }
  const locked = batch.rows.filter(({ status }) => status === 'locked')
  const delivered = locked.filter((row) => outcomeOf(row).what === 'delivered')
  const failed = locked.filter((row) => outcomeOf(row).what === 'failed')
  const rest = locked.filter((row) => outcomeOf(row).what === 'none')
  const mayRelease = user?._id === batch.madeById || hasRole(user ?? {}, 'owner')

  const settle = async (
    question: string,
    danger: boolean,
    stub: string,
    results: SettleBatchRequest,
    told: string,
    details?: ReactNode,
  ) => {
    const ids = new Set([...(results.completed ?? []), ...(results.rejected ?? []).map(({ id }) => id), ...(results.released ?? [])])
    const about = aboutReply(batchQuery(String(batch.number)), ({ rows }) =>
      rows.filter(({ order }) => ids.has(order._id)).map(({ status, order }) => [order._id, status, order.receiver]),
    )
    if (!(await confirmAction({ about, question, title: `Batch ${batch.number}`, danger, stub, details }))) return
    setBusy(true)
    try {
      const { refused, batch: left } = await settleBatch(batch.number, results)
      if (left.rows.every(({ status }) => status !== 'locked')) writeDraft(userId, draft, null)
      setRefusals(refused)
      const count = Object.values(results).reduce((sum, one) => sum + (one?.length ?? 0), 0) - refused.length
      if (count > 0) toast.success(`${counted(count, 'order')} ${told}`)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const complete = () =>
    settle(
      `Are you sure you want to complete ${counted(delivered.length, 'order')}?`,
      false,
      sumOf(delivered),
      { completed: idsOf(delivered) },
      'completed',
    )
  const refund = () =>
    settle(
      `Are you sure you want to refund ${counted(failed.length, 'order')}?`,
      true,
      sumOf(failed),
      { rejected: failed.map((row) => ({ id: row.order._id, reason: reasonFor(row, outcomeOf(row)) })) },
      'refunded',
      <ul className="mt-3 flex max-h-60 flex-col gap-2 overflow-y-auto text-body">
        {failed.map((row) => (
          <li key={row.order._id}>
            <span className="text-muted">{row.order.agent} reads:</span> {reasonFor(row, outcomeOf(row))} {refundedTo(row.order)}
          </li>
        ))}
      </ul>,
    )
  const release = () =>
    settle(
      `Are you sure you want to release ${counted(rest.length, 'order')}?`,
      true,
      sumOf(rest),
      { released: idsOf(rest) },
      'released',
      <p className="mt-3 text-body text-muted">
        Check first that the portal does not have them: from then on anybody can send them, and the data could arrive twice.
      </p>,
    )
  const choose = (id: string, choice: Choice) => {
    const marks = new Map(chosen).set(id, choice)
    setChosen(marks)
    keep(text, marks)
  }
  const next = delivered.length > 0 ? 'complete' : failed.length > 0 ? 'refund' : 'release'

  return (
    <>
      {refusals.length > 0 && <Refusals batch={batch} refusals={refusals} onClose={() => setRefusals([])} />}
      <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)] lg:gap-5">
        <div className="flex min-w-0 flex-col gap-4">
          <ExportCard batch={batch} held={locked} />
          {locked.length > 0 && (
            <Card title="Paste results" state={<Step done={text.trim() !== ''} step={2} />}>
              <div className="flex flex-col gap-3 px-4 py-3">
                <TextareaField
                  label="Results from the portal"
                  hideLabel
                  rows={4}
                  value={text}
                  placeholder={`${locked[0]?.order.receiver ?? '0241234567'} 1GB SUCCESSFUL`}
                  onChange={(event) => changeText(event.currentTarget.value)}
                  hint="One order a line, as the portal shows it."
                />
                <Counts delivered={delivered.length} failed={failed.length} rest={rest.length} />
                {(matched.silent > 0 || silentIsDelivered) && (
                  <label className="flex min-h-11 items-center gap-3 text-body">
                    <input
                      type="checkbox"
                      checked={silentIsDelivered}
                      onChange={(event) => setSilentIsDelivered(event.currentTarget.checked)}
                      className="size-5 shrink-0 accent-brand"
                    />
                    Lines without a word were delivered
                  </label>
                )}
                {matched.unknown.slice(0, MOST_ASKED).map((words) => (
                  <NoticeBox key={phraseOf(words)} tone="pending" title={`“${words}”: what does that mean?`}>
                    <p>We count these orders once you say. Your answer holds for all of this text.</p>
                    <div className="mt-2 flex flex-wrap gap-2">
                      {ANSWERS.map(([answer, label]) => (
                        <Button key={answer} variant="secondary" onClick={() => setAnswers(new Map(answers).set(phraseOf(words), answer))}>
                          {label}
                        </Button>
                      ))}
                    </div>
                  </NoticeBox>
                ))}
                {matched.strange.length > 0 && (
                  <NoticeBox tone="pending" title={`${counted(matched.strange.length, 'line')} not counted`}>
                    <p>Not in this batch, or not clear which order is meant:</p>
                    <ul className="mt-1 text-small break-words">
                      {matched.strange.slice(0, 5).map((line, at) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: the same line may stand twice.
                        <li key={at}>{line}</li>
                      ))}
                    </ul>
                  </NoticeBox>
                )}
                <UploadButton
                  batch={batch.rows}
                  onText={(lines) => changeText(text.trim() === '' ? lines : `${text.trimEnd()}\n${lines}`)}
                />
              </div>
            </Card>
          )}
        </div>
        <Card title="Mark results" state={<Money cedis={batch.lockedAmount} className="text-small text-muted" />}>
          <ResultTable batch={batch} outcomeOf={outcomeOf} onChoose={choose} />
        </Card>
      </div>
      {locked.length > 0 && (
        <ActBar
          note={
            next === 'complete' ? `${delivered.length} delivered` : next === 'refund' ? `${failed.length} failed` : `${rest.length} to mark`
          }
          detail={[
            next === 'complete' && failed.length > 0 && `${failed.length} failed`,
            next !== 'release' && rest.length > 0 && `${rest.length} stay`,
          ]
            .filter(Boolean)
            .join(', ')}
        >
          {rest.length > 0 && mayRelease && (
            <Button
              variant="secondary"
              disabled={busy}
              onClick={() => void release()}
              className={next === 'release' ? '' : 'max-lg:hidden'}
            >
              {next === 'release' ? `Release ${rest.length}` : `Release the ${rest.length}`}
            </Button>
          )}
          {failed.length > 0 && (
            <Button variant="danger" disabled={busy} onClick={() => void refund()} className={next === 'complete' ? 'max-lg:hidden' : ''}>
              Refund {failed.length}…
            </Button>
          )}
          {delivered.length > 0 && (
            <Button busy={busy} stub={sumOf(delivered)} onClick={() => void complete()}>
              Complete {delivered.length}
            </Button>
          )}
        </ActBar>
      )}
    </>
  )
}

function idsOf(rows: readonly BatchRow[]): string[] {
  return rows.map(({ order }) => order._id)
}

function sumOf(rows: readonly BatchRow[]): string {
  return moneyText(rows.reduce((sum, { order }) => sum + Math.round(order.totalAmount * 100), 0) / 100)
}

/** The words that the buyer reads, with what the portal said. */
function reasonFor({ order }: BatchRow, choice: Choice): string {
  const said = choice.what === 'failed' ? choice.reason.trim() : ''
  const what = `${order.network} could not load ${order.offer} to ${spacedPhone(order.receiver)}`
  return (said === '' ? `${what}.` : `${what}: ${said.replace(/[.\s]+$/, '')}.`).slice(0, 200)
}

function Step({ step, done, children }: { step: number; done: boolean; children?: ReactNode }) {
  return (
    <span className="flex items-center gap-2 text-small text-muted">
      {children}
      <StateChip tone={done ? 'done' : 'plain'} icon={done ? <Check aria-hidden="true" /> : undefined}>
        {step}
      </StateChip>
    </span>
  )
}

function Counts({ delivered, failed, rest }: { delivered: number; failed: number; rest: number }) {
  return (
    <p role="status" className="flex flex-wrap gap-2">
      <StateChip tone="done" icon={<Check aria-hidden="true" />}>
        {delivered} delivered
      </StateChip>
      {failed > 0 && (
        <StateChip tone="danger" icon={<X aria-hidden="true" />}>
          {failed} failed
        </StateChip>
      )}
      <StateChip icon={<Clock aria-hidden="true" />}>{rest} not mentioned</StateChip>
    </p>
  )
}

function ExportCard({ batch, held }: { batch: Batch; held: readonly BatchRow[] }) {
  const [changing, setChanging] = useState(false)
  const [busy, setBusy] = useState(false)
  const { slug } = useShop()
  const { format, network, number } = batch
  const orders = held.map(({ order }) => order)
  const lines = composeBatchList(orders, format)
  const exported = async (act: () => Promise<string | null>) => {
    setBusy(true)
    try {
      const told = await act()
      if (told === null) return toast.danger('We couldn’t copy. Your browser doesn’t allow it here.')
      toast.info(told)
      await noteExported(number)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const copy = async () => {
    const plain = composeBatchList(orders, { ...format, withHeader: false })
    return (await copyText(plain.map((cells) => cells.join(' ')).join('\n')))
      ? `Copied ${counted(orders.length, 'line')} of ${network}`
      : null
  }
  return (
    <Card
      title="Export"
      state={
        <Step step={1} done={batch.exportedAt !== null}>
          {batch.exportedAt && <span>done {clockTime(batch.exportedAt)}</span>}
        </Step>
      }
    >
      <div className="flex flex-col gap-3 px-4 py-3">
        <div className="flex items-center gap-2">
          <p className="min-w-0 flex-1 text-body leading-snug">
            <b className="font-semibold">{network} portal</b>
            <span className="block text-small text-muted">
              {format.columns.map((column) => COLUMN_WORDS[column]).join(', ')} · {format.file.toUpperCase()}
            </span>
          </p>
          <Button variant="quiet" onClick={() => setChanging(true)}>
            Change
          </Button>
        </div>
        <div className="grid grid-cols-2 gap-2">
          <Button
            variant="secondary"
            busy={busy}
            disabled={held.length === 0}
            icon={<Download className="size-4.5" aria-hidden="true" />}
            onClick={() => void exported(async () => `Saved ${await batchFile(batch, slug)}`)}
          >
            {format.file.toUpperCase()}
          </Button>
          <Button
            variant="secondary"
            disabled={busy || held.length === 0}
            icon={<Copy className="size-4.5" aria-hidden="true" />}
            onClick={() => void exported(copy)}
          >
            Copy list
          </Button>
        </div>
        <pre className="hidden overflow-x-auto rounded-box border border-line px-3 py-2 text-small leading-relaxed lg:block">
          {lines
            .slice(0, 5)
            .map((cells) => cells.join(','))
            .join('\n')}
          {lines.length > 5 && `\n… ${lines.length - 5} more`}
        </pre>
      </div>
      {changing && <FormatDialog batch={batch} onClose={() => setChanging(false)} />}
    </Card>
  )
}

function UploadButton({ batch, onText }: { batch: readonly BatchRow[]; onText: (lines: string) => void }) {
  const [chosen, setChosen] = useState<{ name: string; sheets: readonly Sheet[] } | null>(null)
  const read = async (file: File) => {
    try {
      setChosen({ name: file.name, sheets: await readSheetFile(file) })
    } catch (error) {
      toast.danger(error instanceof Error ? error.message : 'We couldn’t read that file.')
    }
  }
  return (
    <>
      <FileButton
        label="Result file"
        accept=".csv,.txt,.tsv,.xlsx,.xlsm"
        icon={<Upload className="size-4.5" aria-hidden="true" />}
        onFile={read}
      >
        Upload a result file
      </FileButton>
      {chosen && (
        <Suspense fallback={null}>
          <ResultImport
            {...chosen}
            batch={batch}
            onClose={() => setChosen(null)}
            onTake={(lines) => {
              setChosen(null)
              onText(lines)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

type TableProps = { batch: Batch; outcomeOf: (row: BatchRow) => Choice; onChoose: (id: string, choice: Choice) => void }

function ResultTable({ batch, outcomeOf, onChoose }: TableProps) {
  return (
    <table aria-label={`Orders of Batch ${batch.number}`} className="w-full border-collapse text-left text-body">
      <thead className="sr-only lg:not-sr-only">
        <tr className="border-b border-line text-small text-muted">
          <th scope="col" className="hidden px-2 py-2 pl-4 font-semibold lg:table-cell">
            ID
          </th>
          <th scope="col" className="px-2 py-2 font-semibold max-lg:pl-4">
            Receiver
          </th>
          <th scope="col" className="px-2 py-2 font-semibold">
            Offer
          </th>
          <th scope="col" className="hidden px-2 py-2 font-semibold lg:table-cell">
            Agent
          </th>
          <th scope="col" className="hidden px-2 py-2 text-right font-semibold lg:table-cell">
            Amount
          </th>
          <th scope="col" className="px-2 py-2 pr-4 text-right font-semibold">
            Result
          </th>
        </tr>
      </thead>
      <tbody>
        {batch.rows.map((row) => (
          <tr key={row.order._id} className="border-b border-line last:border-0">
            <td className="tabular hidden px-2 py-1.5 pl-4 text-muted lg:table-cell">
              <Link href={`/admin/orders/${row.order.number}`} className="hover:underline">
                {row.order.number}
              </Link>
            </td>
            <td className="tabular px-2 py-1.5 font-semibold whitespace-nowrap max-lg:pl-4">{spacedPhone(row.order.receiver)}</td>
            <td className="px-2 py-1.5">{row.order.offer}</td>
            <td className="hidden max-w-40 truncate px-2 py-1.5 lg:table-cell">{row.order.agent}</td>
            <td className="hidden px-2 py-1.5 text-right lg:table-cell">
              <Money cedis={row.order.totalAmount} />
            </td>
            <td className="px-2 py-1.5 pr-4 text-right">
              <Result row={row} choice={outcomeOf(row)} onChoose={(choice) => onChoose(row.order._id, choice)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const ENDED = { completed: 'Completed', rejected: 'Refunded', released: 'Released' } as const

/** How an order ended, or the result that it will have: the chip is the list that changes it. */
function Result({ row, choice, onChoose }: { row: BatchRow; choice: Choice; onChoose: (choice: Choice) => void }) {
  if (row.status === 'completed') return <Chip what="delivered">{ENDED.completed}</Chip>
  if (row.status === 'rejected') return <Chip what="failed">{ENDED.rejected}</Chip>
  if (row.status === 'released') return <StateChip icon={<Undo2 aria-hidden="true" />}>{ENDED.released}</StateChip>
  const reason = choice.what === 'failed' && choice.reason !== '' ? `: ${choice.reason}` : ''
  const word = choice.what === 'delivered' ? 'Delivered' : choice.what === 'failed' ? `Failed${reason}` : 'Not mentioned'
  return (
    <label className="relative inline-flex min-h-11 max-w-44 items-center lg:min-h-8">
      <Chip what={choice.what}>
        <span className="max-w-36 truncate py-0.5">{word}</span>
      </Chip>
      <span className="sr-only">Result of order {row.order.number}</span>
      <select
        value={choice.what}
        onChange={(event) => {
          const what = event.currentTarget.value as Choice['what']
          onChoose(what === 'failed' ? { what, reason: '' } : { what })
        }}
        className="absolute inset-0 cursor-pointer opacity-0"
      >
        <option value="delivered">Delivered</option>
        <option value="failed">Failed</option>
        <option value="none">Not mentioned</option>
      </select>
    </label>
  )
}

function Chip({ what, children }: { what: Choice['what']; children: ReactNode }) {
  const tone = { delivered: 'done', failed: 'danger', none: 'plain' } as const
  const icon = { delivered: <Check aria-hidden="true" />, failed: <X aria-hidden="true" />, none: <Clock aria-hidden="true" /> }
  return (
    <StateChip tone={tone[what]} icon={icon[what]}>
      {children}
    </StateChip>
  )
}

function Refusals({
  batch,
  refusals,
  onClose,
}: {
  batch: Batch
  refusals: readonly { id: string; message: string }[]
  onClose: () => void
}) {
  const numberOf = (id: string) => batch.rows.find(({ order }) => order._id === id)?.order.number ?? ''
  return (
    <NoticeBox
      tone="danger"
      className="mb-4"
      title={`${counted(refusals.length, 'order')} could not be settled.`}
      action={
        <button type="button" onClick={onClose} className="min-h-11 rounded-box px-3 font-semibold underline underline-offset-4">
          Dismiss
        </button>
      }
    >
      <ul>
        {refusals.map(({ id, message }) => (
          <li key={id}>
            Order {numberOf(id)}: {message}
          </li>
        ))}
      </ul>
    </NoticeBox>
  )
}

function refundedTo({ guest, totalAmount }: Order): string {
  const sum = moneyText(totalAmount)
  return guest ? `We send ${sum} back the way you paid.` : `We refunded ${sum} to your wallet.`
}

const MOST_ASKED = 10
const ANSWERS: readonly [Answer, string][] = [
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
  ['open', 'Still open'],
  ['silent', 'Says nothing'],
]
