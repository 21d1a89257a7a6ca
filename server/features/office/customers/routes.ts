import { customerEndpoints } from '../../../../shared/customers.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { Forbidden } from '../../../platform/errors.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { presentOrder } from '../../orders/orders/present.ts'
import { presentMovement } from '../../wallet/wallet/present.ts'
import { deleteNote } from './delete-note.ts'
import { endSessions } from './end-sessions.ts'
import { presentCustomer, presentCustomerLine, presentCustomerRecharge, presentCustomerReport, type Viewer } from './present.ts'
import {
  findCustomers,
  listCustomerOrders,
  listCustomerRecharges,
  listCustomerReports,
  listMovements,
  readCustomer,
  seesWallets,
} from './queries.ts'
import { recordNote } from './record-note.ts'
import { undoCredit } from './undo-credit.ts'

export function customerRoutes(app: Api) {
  const viewerOf = (ctx: Ctx): Viewer => {
    const actor = requireActor(ctx)
    return { id: actor.id, seesWallets: seesWallets(actor) }
  }
  const read = async (ctx: Ctx, id: string) => ({ customer: presentCustomer(await readCustomer(ctx.db, id, ctx.now), viewerOf(ctx)) })

  mount(app, customerEndpoints, {
    'GET /admin/customers': async ({ ctx, query }) => {
      const { customers, total, next } = await findCustomers(ctx.db, { search: query.search ?? '', before: query.before })
      return { customers: customers.map((row) => presentCustomerLine(row, viewerOf(ctx))), total, next }
    },

    'GET /admin/customers/:id': ({ ctx, params }) => read(ctx, params.id),

    'GET /admin/customers/:id/statement': async ({ ctx, params, query }) => {
      if (!viewerOf(ctx).seesWallets) throw new Forbidden()
      const { rows, next } = await listMovements(ctx.db, params.id, query.before)
      return { lines: rows.map(presentMovement), next }
    },

    'GET /admin/customers/:id/orders': async ({ ctx, params, query }) => {
      const { rows, next } = await listCustomerOrders(ctx.db, params.id, query.before)
      return { orders: rows.map((row) => presentOrder(row, 'admin')), next }
    },

    'GET /admin/customers/:id/recharges': async ({ ctx, params, query }) => {
      const { rows, next } = await listCustomerRecharges(ctx.db, params.id, query.before)
      return { recharges: rows.map((row) => presentCustomerRecharge(row, viewerOf(ctx))), next }
    },

    'GET /admin/customers/:id/reports': async ({ ctx, params, query }) => {
      const { rows, next } = await listCustomerReports(ctx.db, params.id, query.before)
      return { reports: rows.map(presentCustomerReport), next }
    },

    'POST /admin/customers/:id/credit/undo': async ({ ctx, params, body }) => {
      await undoCredit(ctx, { userId: params.id, entryId: body.entry })
      return read(ctx, params.id)
    },

    'POST /admin/customers/:id/sessions/end': async ({ ctx, params, body }) => {
      await endSessions(ctx, { userId: params.id, sessionId: body.session ?? null })
      return read(ctx, params.id)
    },

    'POST /admin/customers/:id/notes': async ({ ctx, params, body }) => {
      await recordNote(ctx, { userId: params.id, text: body.text })
      return read(ctx, params.id)
    },

    'DELETE /admin/customers/:id/notes/:note': async ({ ctx, params }) => {
      await deleteNote(ctx, { userId: params.id, noteId: params.note })
      return read(ctx, params.id)
    },
  })
}
