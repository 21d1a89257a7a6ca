import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { BulkGroup } from '../../../../../shared/bulk.ts'
import type { BulkNetwork } from '../../../../../shared/bulk-line.ts'
import { MAX_BULK_LINES } from '../../../../../shared/bulk-rules.ts'
import { toCedis, toPesewas } from '../../../../../shared/money.ts'
import { messageOf } from '../../../../lib/http.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { ThumbBar } from '../../../../ui/agent/thumb-bar.tsx'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Field } from '../../../../ui/field.tsx'
import { Money } from '../../../../ui/money.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Page } from '../../../../ui/page.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { deleteGroup, groupQuery, jobQuery, saveGroup } from './api.ts'
import { type BulkDraft, bulkDraft, useCheckLines, withText } from './bulk-draft.ts'
import { BulkHead } from './bulk-head.tsx'
import { PastePad } from './paste-pad.tsx'
import { Schedules } from './schedules.tsx'
import { startGroup } from './start-group.ts'
import { toGroupLines, writeGroup } from './to-group-lines.ts'
import { toReadings } from './to-readings.ts'

const NEW = 'new'

/** A saved group: its name, its lines, and when it is sent by itself. A new one begins with a sent list, or with the list being written. */
export function GroupPage({ id }: { id: string }) {
  const listId = id === NEW ? new URLSearchParams(window.location.search).get('list') : null
  const group = useQuery({ ...groupQuery(id), enabled: id !== NEW })
  const list = useQuery({ ...jobQuery(listId ?? ''), enabled: listId !== null })
  const { error, refetch } = id === NEW ? list : group
  const start = useStart(id, listId, group.data, list.data)
  return (
    <Page>
      <BulkHead title={id === NEW ? bulkTexts.newGroupTitle : bulkTexts.groupTitle}>
        <Link href="/agent/bulk" className="inline-flex min-h-11 items-center gap-1 font-semibold text-brand-text">
          <ChevronLeft className="size-4.5" aria-hidden="true" />
          {bulkTexts.backToList}
        </Link>
      </BulkHead>
      {start !== undefined ? (
        <GroupForm key={`${id} ${group.data?.group.updatedAt ?? ''}`} group={group.data?.group ?? null} start={start} />
      ) : error ? (
        <LoadError what={bulkTexts.yourGroups} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading>
          <Skeleton className="h-96" />
        </Loading>
      )}
    </Page>
  )
}

type Loaded<Query extends (id: string) => { queryFn?: unknown }> = Awaited<
  ReturnType<Extract<NonNullable<ReturnType<Query>['queryFn']>, (...args: never[]) => unknown>>
>

type Start = Pick<BulkDraft, 'text' | 'decisions'>

/** The lines to begin with, and what is known or was decided of them; undefined until they are there. */
function useStart(
  id: string,
  listId: string | null,
  group: Loaded<typeof groupQuery> | undefined,
  list: Loaded<typeof jobQuery> | undefined,
): Start | undefined {
  const [draft] = useState(() => bulkDraft.get())
  return useMemo(() => {
    if (id !== NEW) return group && writeGroup(group.lines)
    if (listId === null) return draft
    return (
      list &&
      writeGroup(list.lines.flatMap(({ name, order }) => (order ? [{ ...order, name, network: order.network as BulkNetwork }] : [])))
    )
  }, [id, listId, draft, group, list])
}

function GroupForm({ group, start }: { group: BulkGroup | null; start: Start }) {
  const [, navigate] = useLocation()
  const [name, setName] = useState(group?.name ?? '')
  const [{ text, decisions }, setList] = useState(start)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const check = useCheckLines()
  const lines = useMemo(() => check?.(text, decisions) ?? [], [check, text, decisions])
  const readings = useMemo(() => toReadings(text, lines, check !== undefined), [text, lines, check])
  const kept = useMemo(() => toGroupLines(lines), [lines])
  const cedis = toCedis(lines.reduce((sum, { item }) => sum + toPesewas(item?.cedis ?? 0), 0))
  const isChanged = name.trim() !== (group?.name ?? '') || text !== start.text
  const isTooLong = lines.length > MAX_BULK_LINES

  const act = async (deed: () => Promise<void>) => {
    setBusy(true)
    setProblem(null)
    try {
      await deed()
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const save = () => {
    if (name.trim() === '') return setProblem(bulkTexts.nameFirst)
    if (lines.length === 0) return setProblem(bulkTexts.linesFirst)
    if (kept.length < lines.length) return setProblem(bulkTexts.mendFirst(lines.length - kept.length))
    void act(async () => {
      const saved = await saveGroup(group?._id ?? null, { name: name.trim(), lines: kept })
      toast.success(bulkTexts.groupSaved(saved.name))
      navigate(`/agent/bulk/groups/${saved._id}`, { replace: true })
    })
  }
  const remove = async ({ _id, name: saved }: BulkGroup) => {
    const question = bulkTexts.deleteGroupQuestion(saved)
    if (!(await confirmAction({ title: bulkTexts.deleteGroup, question, yes: bulkTexts.yes }))) return
    await act(async () => {
      await deleteGroup(_id)
      toast.success(bulkTexts.groupDeleted(saved))
      navigate('/agent/bulk', { replace: true })
    })
  }
  const open = (of: BulkGroup) =>
    void act(async () => {
      if (await startGroup(of)) navigate('/agent/bulk/check')
    })

  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_22.5rem] lg:items-start lg:gap-8">
      <div className="min-w-0">
        <Field
          label={bulkTexts.groupName}
          hint={bulkTexts.groupNameHint}
          value={name}
          maxLength={60}
          autoComplete="off"
          className="mb-3"
          onChange={(event) => {
            setProblem(null)
            setName(event.currentTarget.value)
          }}
        />
        <PastePad
          value={text}
          onValue={(written) => {
            setProblem(null)
            setList((list) => withText(list, written))
          }}
          readings={readings}
          disabled={busy}
        />
      </div>
      <div className="contents lg:sticky lg:top-20 lg:block">
        {isTooLong && (
          <NoticeBox tone="pending" className="mt-3 lg:mt-0">
            {bulkTexts.tooMany(MAX_BULK_LINES)}
          </NoticeBox>
        )}
        {group && <Schedules group={group} cedis={cedis} />}
        <ThumbBar
          note={
            problem ? (
              // Beside the button: below the list nobody would see it on a phone.
              <span role="alert" className="text-danger">
                {problem}
              </span>
            ) : (
              <span>
                <b className="text-ink">{bulkTexts.lines(lines.length)}</b> · {bulkTexts.costsNow} <Money cedis={cedis} />
              </span>
            )
          }
        >
          {group && !isChanged ? (
            <Button block size="large" busy={busy} stub={<Money cedis={cedis} />} onClick={() => open(group)}>
              {bulkTexts.check(lines.length)}
            </Button>
          ) : (
            <Button block size="large" busy={busy} disabled={isTooLong || !check} onClick={save}>
              {bulkTexts.saveGroup}
            </Button>
          )}
        </ThumbBar>
        {group && (
          <Button
            variant="quiet"
            className="mt-2"
            disabled={busy}
            icon={<Trash2 className="size-4.5" aria-hidden="true" />}
            onClick={() => void remove(group)}
          >
            {bulkTexts.deleteGroup}
          </Button>
        )}
      </div>
    </div>
  )
}
