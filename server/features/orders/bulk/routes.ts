import { bulkEndpoints } from '../../../../shared/bulk.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../../../shared/limits.ts'
import { toCedis } from '../../../../shared/money.ts'
import { PIN_PROOF_HEADER } from '../../../../shared/pin-rules.ts'
import { requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { deleteGroup } from './delete-group.ts'
import { selectGroups } from './groups.sql.ts'
import { deleteSchedule, pauseSchedule, resumeSchedule, skipScheduleRun } from './pause-schedule.ts'
import { placeBulk, toBulk } from './place-bulk.ts'
import { presentGroup, presentJob, presentLine, presentPreview, presentSchedule, toFile } from './present.ts'
import { previewBulk, readAllLines, readGroup, readJob, readJobs, readLines } from './queries.ts'
import { recordGroup } from './record-group.ts'
import { scheduleGroup } from './schedule-group.ts'
import { selectSchedules } from './schedules.sql.ts'

/** 5,000 lines of some 400 bytes. */
export const BODY_BYTES = 3 * 1024 * 1024

export function bulkRoutes(app: Api, { shop, onOrders }: { shop: { readonly slug: string }; onOrders: () => void }) {
  mount(
    app,
    bulkEndpoints,
    {
      'POST /bulk/preview': async ({ ctx, body }) => presentPreview(await previewBulk(ctx, body)),

      'POST /bulk': async ({ ctx, headers, body }) => {
        const bulk = { ...toBulk(ctx, body), key: `bulk:${headers[IDEMPOTENCY_KEY_HEADER]}`, pinProof: headers[PIN_PROOF_HEADER] }
        const { jobId, balancePesewas, balanceVersion } = await placeBulk(ctx, bulk)
        onOrders()
        return { job: presentJob(await readJob(ctx, jobId)), balance: toCedis(balancePesewas), balanceVersion }
      },

      'GET /bulk': async ({ ctx, query }) => {
        const { jobs, next } = await readJobs(ctx, query.cursor)
        return { jobs: jobs.map(presentJob), next }
      },

      'GET /bulk/:id': async ({ ctx, params, query }) => {
        const job = await readJob(ctx, params.id)
        const { lines, next } = await readLines(ctx, job.id, query)
        return { job: presentJob(job), lines: lines.map(presentLine), next }
      },

      'GET /bulk/:id/file': async ({ ctx, params, reply }) => {
        const job = await readJob(ctx, params.id)
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${shop.slug}-list-${job.seq}.csv"`)
          .send(toFile(readAllLines(ctx.db, job.id)))
      },

      'GET /bulk-groups': async ({ ctx }) => (await selectGroups(ctx.db, requireActor(ctx).id)).map(presentGroup),
      'GET /bulk-groups/:id': async ({ ctx, params }) => {
        const group = await readGroup(ctx, params.id)
        return { group: presentGroup(group), lines: group.lines }
      },
      'POST /bulk-groups': async ({ ctx, body }) => ({ group: presentGroup(await recordGroup(ctx, null, body)) }),
      'PUT /bulk-groups/:id': async ({ ctx, params, headers, body }) => ({
        group: presentGroup(await recordGroup(ctx, params.id, body, headers[PIN_PROOF_HEADER])),
      }),
      'DELETE /bulk-groups/:id': async ({ ctx, params }) => {
        await deleteGroup(ctx, params.id)
        return { message: 'Deleted.' }
      },

      'GET /bulk-schedules': async ({ ctx }) => (await selectSchedules(ctx.db, requireActor(ctx).id)).map(presentSchedule),
      'POST /bulk-schedules': async ({ ctx, headers, body }) => ({
        schedule: presentSchedule(await scheduleGroup(ctx, null, body, headers[PIN_PROOF_HEADER])),
      }),
      'PUT /bulk-schedules/:id': async ({ ctx, params, headers, body }) => ({
        schedule: presentSchedule(await scheduleGroup(ctx, params.id, body, headers[PIN_PROOF_HEADER])),
      }),
      'POST /bulk-schedules/:id/pause': async ({ ctx, params }) => ({ schedule: presentSchedule(await pauseSchedule(ctx, params.id)) }),
      'POST /bulk-schedules/:id/resume': async ({ ctx, params, headers }) => ({
        schedule: presentSchedule(await resumeSchedule(ctx, params.id, headers[PIN_PROOF_HEADER])),
      }),
      'POST /bulk-schedules/:id/skip': async ({ ctx, params }) => ({ schedule: presentSchedule(await skipScheduleRun(ctx, params.id)) }),
      'DELETE /bulk-schedules/:id': async ({ ctx, params }) => {
        await deleteSchedule(ctx, params.id)
        return { message: 'Deleted.' }
      },
    },
    {
      'DELETE /bulk-schedules/:id': { share: 'changes' },
      'POST /bulk-schedules/:id/skip': { share: 'changes' },
      'POST /bulk-schedules/:id/resume': { share: 'changes' },
      'POST /bulk-schedules/:id/pause': { share: 'changes' },
      'PUT /bulk-schedules/:id': { share: 'changes' },
      'POST /bulk-schedules': { share: 'changes' },
      'DELETE /bulk-groups/:id': { share: 'changes' },
      'POST /bulk/preview': { bodyLimit: BODY_BYTES, share: 'list' },
      'POST /bulk': { bodyLimit: BODY_BYTES, share: 'list' },
      'POST /bulk-groups': { share: 'changes', bodyLimit: BODY_BYTES },
      'PUT /bulk-groups/:id': { share: 'changes', bodyLimit: BODY_BYTES },
    },
  )
}
