import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FailedJob, JobsReply } from '../../../../../shared/jobs.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf, RefusedError } from '../../../../lib/http.ts'
import { toast } from '../../../../ui/toast.ts'

export const JOBS_PAGE_SIZE = 10
/** How often this screen refreshes. */
export const JOBS_EVERY_MS = 5_000

export function jobsQuery(page: number) {
  return queryOptions({
    queryKey: ['jobs', page],
    queryFn: ({ signal }) => call('GET /admin/jobs', { query: { page, pageSize: JOBS_PAGE_SIZE }, signal }),
  })
}

export function failedIn({ queues }: JobsReply): number {
  return queues.reduce((sum, { failed }) => sum + failed, 0)
}

/** Retries stuck jobs one by one, and tells which are being retried. */
export function useRetryJobs() {
  const client = useQueryClient()
  const [retrying, setRetrying] = useState<ReadonlySet<string>>(new Set())

  const retry = async (jobs: readonly FailedJob[]): Promise<void> => {
    const ids = jobs.map(({ _id }) => _id)
    setRetrying((others) => new Set([...others, ...ids]))
    let done = 0
    try {
      for (const id of ids) {
        await retryOne(id)
        done += 1
      }
      toast.success(done === 1 ? 'Trying the job again' : `${counted(done, 'job')} are tried again`)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      await client.invalidateQueries({ queryKey: ['jobs'] })
      void client.invalidateQueries({ queryKey: ['admin-actions'] })
      setRetrying((others) => new Set([...others].filter((id) => !ids.includes(id))))
    }
  }
  return { retrying, retry }
}

/** Dismisses a stuck job for good, and says how its order stands. */
export function useDismissJob() {
  const client = useQueryClient()
  return async (id: string, reason: string): Promise<void> => {
    try {
      const { message } = await call('POST /admin/jobs/:id/dismiss', { params: { id }, body: { reason } })
      toast.success(message)
    } catch (error) {
      throw alreadyGone(error)
    } finally {
      await client.invalidateQueries({ queryKey: ['jobs'] })
      void client.invalidateQueries({ queryKey: ['admin-actions'] })
    }
  }
}

async function retryOne(id: string): Promise<void> {
  try {
    await call('POST /admin/jobs/:id/retry', { params: { id } })
  } catch (error) {
    throw alreadyGone(error)
  }
}

function alreadyGone(error: unknown): unknown {
  const isGone = error instanceof RefusedError && error.status === 404
  return isGone ? new Error('Somebody has already retried or dismissed that job.') : error
}
