import { startOfDay } from '../../../../shared/dates.ts'
import { IF_ON_THE_WAY_HEADER } from '../../../../shared/limits.ts'
import { toPesewas } from '../../../../shared/money.ts'
import { paymentEndpoints, paymentWebhookEndpoints } from '../../../../shared/payments.ts'
import { PIN_PROOF_HEADER } from '../../../../shared/pin-rules.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { requireActor } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/db.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import { refuseUnsigned } from '../../../platform/http/refuse-unsigned.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { toBulk } from '../../orders/bulk/place-bulk.ts'
import { BODY_BYTES } from '../../orders/bulk/routes.ts'
import { selectOrdersOfPayments } from '../../orders/orders/orders.sql.ts'
import { confirmPayment } from './confirm-payment.ts'
import { selectDisputes, selectUnmatched } from './disputes.sql.ts'
import { selectHeldPayments, selectOwnPayments } from './payments.sql.ts'
import {
  presentConfirmation,
  presentDispute,
  presentHeldPayment,
  presentOwnPayment,
  presentTopUpRules,
  presentUnmatched,
} from './present.ts'
import { receiveWebhook } from './receive-webhook.ts'
import { releaseHold } from './release-hold.ts'
import { startListPayment } from './start-list-payment.ts'
import { startPayment } from './start-payment.ts'
import { selectTopUpStanding, selectTopUpsOnHold } from './top-ups.sql.ts'

const SIGNATURE_HEADER = 'x-paystack-signature'
const SIGNATURE = /^[0-9a-f]{128}$/i

type Options = {
  gateway: CardGateway
  onWebhook: () => void
  wrongSignatures: RateLimiter
  /** Up to how many pesewas of mobile money the shop credits without a person at present. */
  creditsByItself: (db: Queryable, now: Date) => Promise<number>
}

export function paymentRoutes(app: Api, { gateway, onWebhook, wrongSignatures, creditsByItself }: Options) {
  mount(
    app,
    paymentEndpoints,
    {
      'POST /payment': ({ ctx, headers, body }) =>
        startPayment(ctx, gateway, body, { asks: headers[IF_ON_THE_WAY_HEADER] !== undefined, pinProof: headers[PIN_PROOF_HEADER] }),

      'POST /payment/list': ({ ctx, headers, body: { topUp, ...list } }) => {
        const wanted = { ...toBulk(ctx, list), pinProof: headers[PIN_PROOF_HEADER] }
        return startListPayment(ctx, gateway, wanted, topUp === undefined ? null : toPesewas(topUp))
      },

      'GET /payment/top-up': async ({ ctx }) => {
        const { id: userId } = requireActor(ctx)
        const [standing, onHold, byItself] = await Promise.all([
          selectTopUpStanding(ctx.db, { userId, day: startOfDay(ctx.now), now: ctx.now }),
          selectTopUpsOnHold(ctx.db, userId),
          creditsByItself(ctx.db, ctx.now),
        ])
        return presentTopUpRules(standing, onHold, byItself)
      },

      'POST /payment/:reference/confirm': async ({ ctx, params }) =>
        presentConfirmation(await confirmPayment(ctx, gateway, params.reference)),

      'GET /payment': async ({ ctx, query }) => {
        const { payments, total } = await selectHeldPayments(ctx.db, toPage(query))
        return { rows: payments.map(presentHeldPayment), total }
      },

      'GET /payment/mine': async ({ ctx, query: { open, ...list } }) => {
        const userId = requireActor(ctx).id
        const { payments, total } = await selectOwnPayments(ctx.db, { ...toPage(list), userId, open: open === '1' })
        return { rows: payments.map(presentOwnPayment), total }
      },

      'GET /payment/disputes': async ({ ctx, query }) => {
        const { disputes, total } = await selectDisputes(ctx.db, toPage(query))
        const orders = await selectOrdersOfPayments(
          ctx.db,
          disputes.map(({ reference }) => reference),
        )
        return { rows: disputes.map((dispute) => presentDispute(dispute, orders)), total }
      },

      'GET /payment/unmatched': async ({ ctx, query }) => {
        const { payments, total } = await selectUnmatched(ctx.db, toPage(query))
        return { rows: payments.map(presentUnmatched), total }
      },

      'POST /payment/:reference/release': async ({ ctx, params, body }) => {
        await releaseHold(ctx, params.reference, body)
        return { released: true as const }
      },
    },
    {
      'POST /payment/:reference/confirm': { share: 'changes' },
      'POST /payment': { share: 'card payment' },
      'POST /payment/list': { bodyLimit: BODY_BYTES, share: 'card payment' },
    },
  )

  app.register(async (scope: Api) => {
    // The signature covers the raw bytes, so this route must not parse the body.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    refuseUnsigned(scope, { header: SIGNATURE_HEADER, form: SIGNATURE, limiter: wrongSignatures })
    mount(
      scope,
      paymentWebhookEndpoints,
      {
        'POST /payment/webhook': async ({ ctx, request }) => {
          const signature = request.headers[SIGNATURE_HEADER]?.toString()
          const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
          await receiveWebhook(ctx, gateway, rawBody, signature)
          onWebhook()
          return { received: true }
        },
      },
      // The provider's own are never too many; `refuseUnsigned` counts the others.
      { 'POST /payment/webhook': { config: { requests: 'unlimited' } } },
    )
  })
}
