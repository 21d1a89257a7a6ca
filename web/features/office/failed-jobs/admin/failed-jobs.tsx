import { CircleCheck, RotateCcw, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import type { FailedJob } from '../../../../../shared/jobs.ts'
import { waitingFor } from '../../../../lib/admin/waiting-for.ts'
import { capitalised, counted } from '../../../../lib/admin/words.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Pagination } from '../../../../ui/pagination.tsx'
import { JOBS_PAGE_SIZE, useRetryJobs } from './api.ts'
import { DismissJobDialog } from './dismiss-job-dialog.tsx'
import { JobOrder } from './job-order.tsx'
import { jobWords, retryConsequence } from './job-words.ts'

type Props = { jobs: readonly FailedJob[]; total: number; page: number; onPage: (page: number) => void; stale: boolean }

/** Jobs that failed as often as they may, and wait for a person. */
export function FailedJobs({ jobs, total, page, onPage, stale }: Props) {
  const { retrying, retry } = useRetryJobs()
  const [dismissing, setDismissing] = useState<FailedJob | null>(null)
  const pageCount = Math.max(1, Math.ceil(total / JOBS_PAGE_SIZE))
  const beyond = !stale && page > pageCount
  useEffect(() => {
    if (beyond) onPage(pageCount)
  }, [beyond, pageCount, onPage])

  const askOne = async (job: FailedJob) => {
    const consequence = retryConsequence(job)
    const yes =
      consequence === null ||
      (await confirmAction({
        question: `Are you sure you want to try this again: ${lowerFirst(jobWords(job))}?`,
        title: 'Try again',
        details: (
          <>
            {job.order && <JobOrder order={job.order} />}
            <p className={classNames('text-body text-muted', job.order && 'mt-3')}>{consequence}</p>
          </>
        ),
      }))
    if (yes) await retry([job])
  }

  const askAll = async () => {
    const consequences = [...new Set(jobs.flatMap((job) => retryConsequence(job) ?? []))]
    const kinds = [...Map.groupBy(jobs, jobWords)]
    const yes = await confirmAction({
      question: `Are you sure you want to try ${counted(jobs.length, 'job')} again?`,
      title: 'Try again',
      details: (
        <>
          <ul className="flex max-h-56 flex-col gap-1 overflow-y-auto text-body">
            {kinds.map(([kind, those]) => (
              <li key={kind} className="flex justify-between gap-4">
                <span className="text-muted">{kind}</span>
                <span className="tabular font-medium">{those.length}</span>
              </li>
            ))}
          </ul>
          {consequences.length > 0 && (
            <p className="mt-3 text-body text-muted">They do now what they would have done if they hadn’t failed.</p>
          )}
        </>
      ),
    })
    if (yes) await retry(jobs)
  }

  return (
    <section aria-label="Stuck jobs">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 pb-3">
        <h2 className="text-title">
          Stuck jobs{' '}
          {total > 0 && <span className="tabular ml-1 rounded-full bg-danger-soft px-2.5 py-0.5 text-body text-danger">{total}</span>}
        </h2>
        {jobs.length > 1 && (
          <Button variant="secondary" size="compact" disabled={retrying.size > 0} onClick={() => void askAll()}>
            {total > jobs.length ? `Try these ${jobs.length} again` : `Try all ${jobs.length} again`}
          </Button>
        )}
      </div>
      {jobs.length === 0 && total === 0 ? (
        <div className="flex items-center gap-3 rounded-box border border-dashed border-line px-4 py-5">
          <CircleCheck className="size-6 shrink-0 text-done" aria-hidden="true" />
          <p>
            <span className="font-semibold">Nothing is stuck.</span>{' '}
            <span className="text-muted">The shop retries failed work by itself. What keeps failing waits here for you.</span>
          </p>
        </div>
      ) : (
        <ul className={classNames('flex flex-col gap-3 transition-opacity', stale && 'opacity-60')}>
          {jobs.map((job) => (
            <li key={job._id} className="rounded-box border border-line bg-surface p-4">
              <FailedJobCard job={job} busy={retrying.has(job._id)} onRetry={() => void askOne(job)} onDismiss={() => setDismissing(job)} />
            </li>
          ))}
        </ul>
      )}
      <div className="flex justify-end pt-3 empty:hidden">
        <Pagination page={page} pageCount={pageCount} onPage={onPage} label="Pages of stuck jobs" />
      </div>
      {dismissing && <DismissJobDialog job={dismissing} onClose={() => setDismissing(null)} />}
    </section>
  )
}

type CardProps = { job: FailedJob; busy: boolean; onRetry: () => void; onDismiss: () => void }

function FailedJobCard({ job, busy, onRetry, onDismiss }: CardProps) {
  return (
    <div className="flex flex-col gap-3 sm:flex-row sm:items-start sm:justify-between sm:gap-6">
      <div className="flex min-w-0 flex-1 flex-col gap-2.5">
        <div>
          <h3 className="text-large">{jobWords(job)}</h3>
          <p className="text-small text-muted">
            <span className="font-medium text-ink">Given up {waitingFor(job.failedAt, shopNow())} ago</span>, after{' '}
            {counted(job.attempts, 'attempt', 'attempts')} · <span className="tabular">{formatDateTime(new Date(job.failedAt))}</span>
          </p>
        </div>
        {job.order && <JobOrder order={job.order} linked />}
        <p className="rounded-box bg-sunken px-3 py-2 text-body break-words">
          <span className="block text-small font-semibold text-muted">Last error</span>
          {capitalised(job.reason) || 'The shop stopped halfway each time, so there is no error message.'}
        </p>
        {job.keep !== null && <p className="text-body text-muted">{job.keep}</p>}
      </div>
      <div className="flex shrink-0 flex-col gap-2">
        <Button
          variant="secondary"
          busy={busy}
          busyLabel="Trying…"
          icon={<RotateCcw className="size-4.5" aria-hidden="true" />}
          onClick={onRetry}
        >
          Try again
        </Button>
        {job.keep === null && (
          <Button variant="quiet" disabled={busy} icon={<X className="size-4.5" aria-hidden="true" />} onClick={onDismiss}>
            Dismiss
          </Button>
        )}
      </div>
    </div>
  )
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
