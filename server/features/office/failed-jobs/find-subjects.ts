import type { Queryable } from '../../../platform/db.ts'
import type { FailedJob } from '../../../platform/job-queue.ts'
import { type JobMessage, type JobOrder, selectJobMessages, selectJobOrders } from './job-subjects.sql.ts'

export type Subjects = { order?: JobOrder | undefined; message?: JobMessage | undefined }

/** Each job's order and message, by job id. A message about one order links to that order. */
export async function findSubjects(db: Queryable, jobs: Pick<FailedJob, 'id' | 'data'>[]): Promise<Map<string, Subjects>> {
  const idOf = ({ data }: Pick<FailedJob, 'data'>, name: 'orderId' | 'messageId') =>
    (data as Record<string, unknown>)[name] as string | undefined
  const ids = (name: 'orderId' | 'messageId') => jobs.flatMap((job) => idOf(job, name) ?? [])
  const messages = await selectJobMessages(db, ids('messageId'))
  const orders = await selectJobOrders(db, [...ids('orderId'), ...[...messages.values()].flatMap(({ orderId }) => orderId ?? [])])
  return new Map(
    jobs.map((job) => {
      const message = messages.get(idOf(job, 'messageId') ?? '')
      return [job.id, { message, order: orders.get(idOf(job, 'orderId') ?? message?.orderId ?? '') }]
    }),
  )
}
