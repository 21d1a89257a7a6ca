import { afaEndpoints } from '../../../../shared/afa.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { NotFound } from '../../../platform/errors.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { selectOrder, selectOrderByReference } from '../orders/orders.sql.ts'
import { findOrderId } from '../orders/queries.ts'
import { guestBrowserOf } from '../orders/refuse-other-browser.ts'
import { selectRegistration, selectRegistrations } from './afa.sql.ts'
import { openAfa } from './open-afa.ts'
import { presentAfaRow, presentOwnAfa } from './present.ts'
import { type AfaRules, recordAfa, recordGuestAfa } from './record-afa.ts'
import { recordAfaForm } from './record-afa-form.ts'
import { sendAfa } from './send-afa.ts'

export function afaRoutes(app: Api, { rules, shop, limiter }: { rules: AfaRules; shop: { readonly slug: string }; limiter: RateLimiter }) {
  const { secretsKey } = rules
  const present = async (ctx: Ctx, orderId: string | undefined) => {
    const row = orderId === undefined ? null : await selectRegistration(ctx.db, orderId)
    if (!row) throw new NotFound('order')
    return { registration: presentOwnAfa(row, rules) }
  }
  const readGuest = async (ctx: Ctx, reference: string) => {
    const order = await selectOrderByReference(ctx.db, reference)
    return present(ctx, order?.guestPhone == null ? undefined : order.id)
  }

  mount(
    app,
    afaEndpoints,
    {
      'POST /afa': async ({ ctx, body: { consent: _, ...details } }) => ({ form: await recordAfaForm(ctx, rules, details) }),
      'GET /order/:id/afa': async ({ ctx, params }) => {
        const order = await selectOrder(ctx.db, await findOrderId(ctx, params.id))
        return present(ctx, order?.userId === requireActor(ctx).id ? order.id : undefined)
      },
      'POST /order/:id/afa': async ({ ctx, params, body: { consent: _, ...details } }) => {
        const orderId = await findOrderId(ctx, params.id)
        await recordAfa(ctx, { ...rules, limiter }, orderId, details)
        return present(ctx, orderId)
      },
      'GET /shops/order/:reference/afa': ({ ctx, params }) => readGuest(ctx, params.reference),
      'POST /shops/order/:reference/afa': async ({ ctx, params, body: { consent: _, ...details }, request }) => {
        await recordGuestAfa(ctx, { ...rules, limiter }, { reference: params.reference, browser: guestBrowserOf(request), details })
        return readGuest(ctx, params.reference)
      },
      'GET /admin/afa': async ({ ctx, query: { state, ...list } }) => {
        const { rows, total } = await selectRegistrations(ctx.db, { ...toPage(list), state })
        return { rows: rows.map((row) => presentAfaRow(row, secretsKey)), total }
      },
      'POST /admin/afa/:id/reveal': async ({ ctx, params, body }) => ({
        details: await openAfa(ctx, secretsKey, { orderId: await findOrderId(ctx, params.id), reason: body.reason }),
      }),
      'POST /admin/afa/export': async ({ ctx, body, reply }) => {
        const { batch, csv } = await sendAfa(ctx, secretsKey, body.batch ?? null)
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${shop.slug}-afa-${batch}.csv"`)
          .send(csv)
      },
    },
    {
      'POST /order/:id/afa': { share: 'changes' },
      'POST /afa': { share: 'afa forms' },
      'POST /shops/order/:reference/afa': { share: 'afa details' },
    },
  )
}
