import * as z from 'zod/mini'
import { dismissJobReply, dismissJobRequest, jobsReply, retryJobReply } from '../../../shared/jobs.ts'
import { listQuery, TOTAL_COUNT_HEADER } from '../../../shared/lists.ts'
import { idParam } from '../../../shared/params.ts'
import type { Suppliers } from '../../integrations/supplier/suppliers.ts'
import type { Api } from '../../platform/http/api.ts'
import { toPage } from '../../platform/http/lists.ts'
import { dismissJob } from './dismiss-job.ts'
import { readJobs } from './queries.ts'
import { retryJob } from './retry-job.ts'

const tags = ['admin']

export function jobRoutes(app: Api, suppliers: Suppliers) {
  app.get(
    '/admin/jobs',
    {
      config: { access: 'admin' },
      schema: { tags, summary: "The shop's own work: what waits and what is parked", querystring: listQuery, response: { 200: jobsReply } },
    },
    async (request, reply) => {
      const { total, ...jobs } = await readJobs(request.ctx, suppliers, toPage(request.query))
      void reply.header(TOTAL_COUNT_HEADER, total)
      return jobs
    },
  )

  app.post(
    '/admin/jobs/:id/retry',
    {
      config: { access: 'admin' },
      schema: { tags, summary: 'Try a parked job again', params: idParam('job'), body: z.unknown(), response: { 200: retryJobReply } },
    },
    async (request) => {
      await retryJob(request.ctx, request.params.id)
      return { message: 'The job will be tried again.' }
    },
  )

  app.post(
    '/admin/jobs/:id/dismiss',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Leave a parked job undone for good, with a reason',
        params: idParam('job'),
        body: dismissJobRequest,
        response: { 200: dismissJobReply },
      },
    },
    async (request) => ({ message: await dismissJob(request.ctx, request.params.id, request.body) }),
  )
}
