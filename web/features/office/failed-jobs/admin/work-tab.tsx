import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { JobsReply } from '../../../../../shared/jobs.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { MessagesToday, SupplierHealth } from '../../../delivery/supplier/admin/supplier-health.tsx'
import { failedIn, JOBS_EVERY_MS, jobsQuery } from './api.ts'
import { FailedJobs } from './failed-jobs.tsx'
import { QueueList } from './queue-list.tsx'

/** The shop's background work: queues, failed jobs, suppliers and messages. Refreshed every few seconds. */
export default function WorkTab() {
  const [page, setPage] = useState(1)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...jobsQuery(page),
    placeholderData: keepPreviousData,
    refetchInterval: JOBS_EVERY_MS,
    staleTime: 0,
  })
  if (error && !data) return <LoadError what="The shop's work" error={error} onRetry={() => void refetch()} />
  if (!data) return <WorkLoading />
  return (
    <div className="flex max-w-5xl flex-col gap-8">
      <RefreshProblem error={error} onRetry={() => void refetch()} />
      <News jobs={data} />
      <FailedJobs jobs={data.failed} total={failedIn(data)} page={page} onPage={setPage} stale={isPlaceholderData} />
      <section aria-label="Suppliers and messages">
        <h2 className="pb-3 text-title">Suppliers and messages</h2>
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {data.suppliers.map((supplier) => (
            <SupplierHealth key={supplier.name} supplier={supplier} />
          ))}
          <MessagesToday {...data.sms} />
        </div>
        {data.suppliers.length === 0 && <p className="mt-3 text-muted">No supplier is set up, so you process every order by hand.</p>}
      </section>
      <QueueList queues={data.queues} ordersToRelay={data.ordersToRelay} />
    </div>
  )
}

/** Announces the figures to screen readers. */
function News({ jobs }: { jobs: JobsReply }) {
  const resting = jobs.suppliers.filter(({ openUntil }) => openUntil !== null).length
  return (
    <p role="status" className="sr-only">
      {counted(failedIn(jobs), 'job')} stuck, {counted(resting, 'supplier')} paused.
    </p>
  )
}

function WorkLoading() {
  return (
    <Loading label="Loading the shop's work…">
      <div className="flex max-w-5xl flex-col gap-8">
        <Skeleton className="h-28" />
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          <Skeleton className="h-36" />
          <Skeleton className="h-36" />
          <Skeleton className="h-36" />
        </div>
        <Skeleton className="h-80" />
      </div>
    </Loading>
  )
}
