import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronLeft, ListChecks } from 'lucide-react'
import { Link } from 'wouter'
import type { BulkJob } from '../../../../../shared/bulk.ts'
import { formatShortTime } from '../../../../../shared/dates.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Page } from '../../../../ui/page.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { jobsQuery } from './api.ts'
import { BulkHead } from './bulk-head.tsx'

/** The lists that were paid for, newest first. */
export function PastLists() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(jobsQuery)
  const jobs = data?.pages.flatMap((page) => page.jobs)
  return (
    <Page>
      <BulkHead title={bulkTexts.pastOrders}>
        <Link href="/agent/bulk" className="inline-flex min-h-11 items-center gap-1 font-semibold text-brand-text">
          <ChevronLeft className="size-4.5" aria-hidden="true" />
          {bulkTexts.backToList}
        </Link>
      </BulkHead>
      {!jobs && error ? (
        <LoadError what={bulkTexts.yourLists} error={error} onRetry={() => void refetch()} />
      ) : !jobs ? (
        <Loading>
          <Skeleton className="h-96" />
        </Loading>
      ) : jobs.length === 0 ? (
        <EmptyState
          icon={<ListChecks />}
          title={bulkTexts.nothingSent}
          action={<ButtonLink href="/agent/bulk">{bulkTexts.toTheList}</ButtonLink>}
        >
          {bulkTexts.nothingSentText}
        </EmptyState>
      ) : (
        <>
          <ul className="grid gap-2 lg:grid-cols-2">
            {jobs.map((job) => (
              <li key={job._id}>
                <JobTicket job={job} />
              </li>
            ))}
          </ul>
          {hasNextPage && (
            <Button block variant="secondary" className="mt-3" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {bulkTexts.older}
            </Button>
          )}
        </>
      )}
    </Page>
  )
}

function JobTicket({ job }: { job: BulkJob }) {
  return (
    <Link href={`/agent/bulk/sent/${job._id}`} className="ticket ticket-row min-h-18 w-full flex-wrap">
      <span className="flex min-w-0 grow basis-[7rem] flex-col justify-center px-3 py-2.5">
        <span className="font-bold break-words">{job.name}</span>
        <span className="text-small text-muted">
          {bulkTexts.lines(job.lines)} · {formatShortTime(new Date(job.createdAt), shopNow())}
          {job.placedBy === 'schedule' && ` · ${bulkTexts.bySchedule}`}
          {job.placedBy === 'api' && ` · ${bulkTexts.byApi}`}
        </span>
        <span className="flex flex-wrap gap-x-2 text-small font-semibold">
          {job.pending > 0 && <span className="text-pending">{bulkTexts.pending(job.pending)}</span>}
          <span className="text-done">{bulkTexts.completed(job.completed)}</span>
          {job.rejected > 0 && <span className="text-danger">{bulkTexts.rejected(job.rejected)}</span>}
        </span>
      </span>
      <span className="perf-down" aria-hidden="true" />
      <span className="ml-auto flex shrink-0 flex-col items-end justify-center px-3 py-2.5">
        <Money cedis={job.total} />
        {job.refunded > 0 && (
          <span className="text-small text-muted">
            {bulkTexts.back} <Money cedis={job.refunded} />
          </span>
        )}
      </span>
    </Link>
  )
}
