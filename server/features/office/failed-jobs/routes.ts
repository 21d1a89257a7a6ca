import { failedJobEndpoints } from '../../../../shared/jobs.ts'
import { TOTAL_COUNT_HEADER } from '../../../../shared/limits.ts'
import type { Suppliers } from '../../../integrations/supplier/suppliers.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import { dismissJob } from './dismiss-job.ts'
import { readJobs } from './queries.ts'
import { retryJob } from './retry-job.ts'

export function jobRoutes(app: Api, suppliers: Suppliers) {
  mount(app, failedJobEndpoints, {
    'GET /admin/jobs': async ({ ctx, query, reply }) => {
      const { total, ...jobs } = await readJobs(ctx, suppliers, toPage(query))
      void reply.header(TOTAL_COUNT_HEADER, total)
      return jobs
    },

    'POST /admin/jobs/:id/retry': async ({ ctx, params }) => {
      await retryJob(ctx, params.id)
      return { message: 'The job will be tried again.' }
    },

    'POST /admin/jobs/:id/dismiss': async ({ ctx, params, body }) => ({ message: await dismissJob(ctx, params.id, body) }),
  })
}
