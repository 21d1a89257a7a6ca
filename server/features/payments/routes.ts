import * as z from 'zod/mini'
import { listQuery, TOTAL_COUNT_HEADER } from '../../../shared/lists.ts'
import {
  confirmPaymentReply,
  heldPayment,
  heldPaymentQuery,
  ownPayment,
  ownPaymentQuery,
  paymentDispute,
  paymentParams,
  paymentReply,
  paymentRequest,
  releaseHoldRequest,
  unmatchedPayment,
} from '../../../shared/payments.ts'
import type { CardDesk } from '../../integrations/payments/card-gateway.ts'
import { requireActor } from '../../platform/context.ts'
import type { Api } from '../../platform/http/api.ts'
import { toPage } from '../../platform/http/lists.ts'
import { selectOrdersOfPayments } from '../orders/orders.sql.ts'
import { confirmPayment } from './confirm-payment.ts'
import { selectDisputes, selectUnmatched } from './disputes.sql.ts'
import { selectHeldPayments, selectOwnPayments } from './payments.sql.ts'
import { presentConfirmation, presentDispute, presentHeldPayment, presentOwnPayment, presentUnmatched } from './present.ts'
import { receiveWebhook } from './receive-webhook.ts'
import { releaseHold } from './release-hold.ts'
import { startPayment } from './start-payment.ts'

const tags = ['payments']

export function paymentRoutes(app: Api, { desk, onWebhook }: { desk: CardDesk; onWebhook: () => void }) {
  app.post(
    '/payment',
    {
      // Each is a call to the card provider, who limits the shop as a whole.
      config: { access: 'signed-in', tries: { of: 'card payment', by: 'user', size: 30, everyMs: 30_000 } },
      schema: {
        tags,
        summary: 'Get a card payment ready for a cart or the agent upgrade',
        body: paymentRequest,
        response: { 200: paymentReply },
      },
    },
    async (request) => startPayment(request.ctx, desk, request.body),
  )

  app.post(
    '/payment/:reference/confirm',
    {
      config: { access: 'signed-in' },
      schema: { tags, summary: 'Ask what has become of a card payment', params: paymentParams, response: { 200: confirmPaymentReply } },
    },
    async (request) => presentConfirmation(await confirmPayment(request.ctx, desk, request.params.reference)),
  )

  app.get(
    '/payment',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Card payments that could not be turned into what they were for',
        querystring: heldPaymentQuery,
        response: { 200: z.array(heldPayment) },
      },
    },
    async (request, reply) => {
      const { payments, total } = await selectHeldPayments(request.ctx.db, toPage(request.query))
      void reply.header(TOTAL_COUNT_HEADER, total)
      return payments.map(presentHeldPayment)
    },
  )

  app.get(
    '/payment/mine',
    {
      config: { access: 'signed-in' },
      schema: {
        tags,
        summary: 'Own card payments, newest first; open=1 lists those that still wait for approval',
        querystring: ownPaymentQuery,
        response: { 200: z.array(ownPayment) },
      },
    },
    async (request, reply) => {
      const userId = requireActor(request.ctx).id
      const { open, ...list } = request.query
      const { payments, total } = await selectOwnPayments(request.ctx.db, { ...toPage(list), userId, open: open === '1' })
      void reply.header(TOTAL_COUNT_HEADER, total)
      return payments.map(presentOwnPayment)
    },
  )

  app.get(
    '/payment/disputes',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Disputes and refunds at the card provider, the most urgent first',
        querystring: listQuery,
        response: { 200: z.array(paymentDispute) },
      },
    },
    async (request, reply) => {
      const { disputes, total } = await selectDisputes(request.ctx.db, toPage(request.query))
      const orders = await selectOrdersOfPayments(
        request.ctx.db,
        disputes.map(({ reference }) => reference),
      )
      void reply.header(TOTAL_COUNT_HEADER, total)
      return disputes.map((dispute) => presentDispute(dispute, orders))
    },
  )

  app.get(
    '/payment/unmatched',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Card payments under references that the shop never gave out',
        querystring: listQuery,
        response: { 200: z.array(unmatchedPayment) },
      },
    },
    async (request, reply) => {
      const { payments, total } = await selectUnmatched(request.ctx.db, toPage(request.query))
      void reply.header(TOTAL_COUNT_HEADER, total)
      return payments.map(presentUnmatched)
    },
  )

  app.post(
    '/payment/:reference/release',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Let the orders of a disputed card payment go on',
        params: paymentParams,
        body: releaseHoldRequest,
        response: { 200: z.object({ released: z.literal(true) }) },
      },
    },
    async (request) => {
      await releaseHold(request.ctx, request.params.reference, request.body)
      return { released: true as const }
    },
  )

  app.register(async (scope) => {
    // The signature is over the bytes as they came, so this one route must not have them parsed.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post(
      '/payment/webhook',
      { config: { access: 'anyone', rateLimit: false }, schema: { tags, summary: "The card provider's own notice", hide: true } },
      async (request) => {
        const signature = request.headers['x-paystack-signature']?.toString()
        const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        await receiveWebhook(request.ctx, desk, rawBody, signature)
        onWebhook()
        return { received: true }
      },
    )
  })
}
