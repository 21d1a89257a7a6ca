import { BYTE_ORDER_MARK, csvLine } from '../../../../shared/csv.ts'
import { dayCloseEndpoints } from '../../../../shared/day-close.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { closeDay } from './close-day.ts'
import { listLines } from './list-lines.ts'
import { readDayClose, readSignedClose } from './queries.ts'

export function dayCloseRoutes(app: Api, shop: { slug: string }) {
  mount(app, dayCloseEndpoints, {
    'GET /admin/day-close': ({ ctx, query }) => readDayClose(ctx.db, query, ctx.now),
    'GET /admin/day-close/:id': async ({ ctx, params }) => ({ close: await readSignedClose(ctx.db, Number(params.id)) }),
    'POST /admin/day-close': async ({ ctx, body }) => ({ close: await readSignedClose(ctx.db, await closeDay(ctx, body)) }),
    'GET /export/day-close': async ({ ctx, query, reply }) => {
      const close = query.id === undefined ? null : await readSignedClose(ctx.db, Number(query.id))
      const sheet = close?.sheet ?? (await readDayClose(ctx.db, query, ctx.now)).sheet
      const text = BYTE_ORDER_MARK + listLines(sheet, close).map(csvLine).join('')
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${shop.slug}-day-close-${sheet.until.slice(0, 10)}.csv"`)
        .send(text)
    },
  })
}
