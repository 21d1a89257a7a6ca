import { batchEndpoints } from '../../../../shared/batches.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import { selectBatches } from './batches.sql.ts'
import { changeBatchFormat } from './change-batch-format.ts'
import { createBatch } from './create-batch.ts'
import { noteBatchExport } from './note-batch-export.ts'
import { presentBatch, presentBatchSummary } from './present.ts'
import { readBatch } from './queries.ts'
import { settleBatch } from './settle-batch.ts'

export function batchRoutes(app: Api) {
  mount(app, batchEndpoints, {
    'GET /admin/batches': async ({ ctx, query: { open, network = null, ...list } }) => {
      const { batches, total } = await selectBatches(ctx.db, { ...toPage(list), open: open !== undefined, network })
      return { rows: batches.map(presentBatchSummary), total }
    },

    'POST /admin/batches': async ({ ctx, body }) => {
      const { number, refused } = await createBatch(ctx, body)
      return { batch: await read(ctx, number), refused }
    },

    'GET /admin/batches/:number': async ({ ctx, params }) => ({ batch: await read(ctx, params.number) }),

    'PUT /admin/batches/:number/exported': async ({ ctx, params }) => {
      await noteBatchExport(ctx, Number(params.number))
      return { batch: await read(ctx, params.number) }
    },

    'PUT /admin/batches/:number/settle': async ({ ctx, params, body }) => {
      const refused = await settleBatch(ctx, Number(params.number), body)
      return { batch: await read(ctx, params.number), refused }
    },

    'PUT /admin/batches/:number/format': async ({ ctx, params, body }) => {
      await changeBatchFormat(ctx, Number(params.number), body)
      return { batch: await read(ctx, params.number) }
    },
  })
}

async function read(ctx: Ctx, number: string | number) {
  return presentBatch(await readBatch(ctx.db, Number(number)))
}
