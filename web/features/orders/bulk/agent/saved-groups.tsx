import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { BulkGroup, BulkSchedule } from '../../../../../shared/bulk.ts'
import { messageOf } from '../../../../lib/http.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { Button } from '../../../../ui/button.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { groupsQuery, schedulesQuery } from './api.ts'
import { startGroup } from './start-group.ts'
import { whenWords } from './when-words.ts'

/** The groups that an agent has saved: one press puts them into the list, their name leads to their lines and times. */
export function SavedGroups() {
  const { data: groups, error, refetch } = useQuery(groupsQuery)
  const { data: schedules } = useQuery(schedulesQuery)
  return (
    <section className="mt-4 lg:mt-6">
      <div className="flex min-h-11 items-center justify-between gap-3">
        <h2 className="text-large">{bulkTexts.savedGroups}</h2>
        <Link href="/agent/bulk/groups/new" className="inline-flex min-h-11 items-center gap-1 font-semibold text-brand-text">
          <Plus className="size-4.5" aria-hidden="true" />
          {bulkTexts.newGroup}
        </Link>
      </div>
      {!groups && error ? (
        <LoadError what={bulkTexts.yourGroups} error={error} onRetry={() => void refetch()} />
      ) : !groups ? (
        <Loading>
          <Skeleton className="h-16" />
        </Loading>
      ) : groups.length === 0 ? (
        <p className="text-small text-muted">{bulkTexts.noGroups}</p>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {groups.map((group) => (
            <li key={group._id}>
              <GroupTicket group={group} schedule={schedules?.find(({ groupId, nextAt }) => groupId === group._id && nextAt !== null)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function GroupTicket({ group, schedule }: { group: BulkGroup; schedule: BulkSchedule | undefined }) {
  const [, navigate] = useLocation()
  const [busy, setBusy] = useState(false)
  const check = async () => {
    setBusy(true)
    try {
      if (await startGroup(group)) navigate('/agent/bulk/check')
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="ticket ticket-row min-h-16 w-full">
      <Link href={`/agent/bulk/groups/${group._id}`} className="flex min-w-0 flex-1 flex-col justify-center px-3 py-2.5">
        <b className="truncate">{group.name}</b>
        <span className="text-small text-muted">
          {bulkTexts.lines(group.lines)}
          {schedule && ` · ${schedule.isPaused ? bulkTexts.isPaused : whenWords(schedule)}`}
        </span>
      </Link>
      <span className="perf-down" aria-hidden="true" />
      <Button variant="quiet" className="min-h-full rounded-none" busy={busy} busyLabel={bulkTexts.checkGroup} onClick={() => void check()}>
        {bulkTexts.checkGroup}
        <span className="sr-only"> {group.name}</span>
      </Button>
    </div>
  )
}
