import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { toCedis, toPesewas } from '../../../shared/money.ts'
import {
  checkoutReply,
  checkoutRequest,
  createOrderRequest,
  IDEMPOTENCY_KEY_HEADER,
  idempotencyKey,
  orderReply,
} from '../../../shared/orders.ts'
import type { CardDesk } from '../../integrations/payments/card-gateway.ts'
import { requireActor } from '../../platform/context.ts'
import { hashToken } from '../../platform/hash-token.ts'
import type { Api } from '../../platform/http/api.ts'
import type { OrderRow } from '../orders/orders.sql.ts'
import { presentOrder } from '../orders/present.ts'
import { claimPaidOrder } from '../payments/claim-paid-order.ts'
import { type Purchase, placeOrders, placeOrdersWithSession, type WantedPurchase } from '../purchases/place-orders.ts'
import { cartPath } from '../purchases/refuse-lines.ts'
import type { CheckoutPace } from './open-checkout-pace.ts'

const REPLAYED_HEADER = 'idempotency-replayed'

type CreateOrder = z.output<typeof createOrderRequest>

type Options = { desk: CardDesk; pace: CheckoutPace; onOrders: () => void }

export function checkoutRoutes(app: Api, { desk, pace, onOrders }: Options) {
  app.post(
    '/order/checkout',
    {
      config: { access: 'signed-in', findsActor: true },
      schema: {
        tags: ['orders'],
        summary: 'Buy a whole cart from the wallet',
        headers: z.object({ [IDEMPOTENCY_KEY_HEADER]: idempotencyKey }),
        body: checkoutRequest,
        response: { 200: checkoutReply },
      },
    },
    async (request, reply) => {
      const purchase = await buy(request, pace, {
        key: `checkout:${request.headers[IDEMPOTENCY_KEY_HEADER]}`,
        lines: request.body.items.map((item) => ({
          product: item.productId,
          network: null,
          offer: item.offer,
          receiver: item.phoneNumber,
          seen: toPesewas(item.amount),
          clientId: null,
        })),
        pathOf: cartPath,
      })
      onOrders()
      if (purchase.replayed) void reply.header(REPLAYED_HEADER, 'true')
      return {
        orders: purchase.orders.map((row) => presentOrder(row, 'buyer')),
        balance: toCedis(purchase.balancePesewas),
        balanceVersion: purchase.balanceVersion,
      }
    },
  )

  app.post(
    '/order/create',
    {
      config: { access: 'signed-in' },
      schema: {
        tags: ['orders'],
        summary: 'Buy one bundle from the wallet, or with the card payment that `reference` names',
        body: createOrderRequest,
        response: { 200: orderReply },
      },
    },
    async (request, reply) => {
      const actor = requireActor(request.ctx)
      pace.note(actor.sessionHash, actor.id, request.ctx.now)
      const end = pace.beginOfUser(actor.id)
      try {
        return { order: presentOrder(await createOrder(request, reply), 'buyer') }
      } finally {
        end()
      }
    },
  )

  async function createOrder(request: FastifyRequest<{ Body: CreateOrder }>, reply: FastifyReply): Promise<OrderRow> {
    const { id, network, offer, receiver, totalAmount, productId, reference } = request.body.newOrder
    const line = { product: productId ?? null, network, offer, receiver, seen: toPesewas(totalAmount), clientId: id }
    // Whoever names a card payment wants no money from their wallet.
    if (reference !== undefined && reference !== '') {
      const order = await claimPaidOrder(request.ctx, desk, String(reference), line)
      onOrders()
      return order
    }
    pace.takeOfUser(requireActor(request.ctx).id, request.ctx.now)
    const purchase = await placeOrders(request.ctx, {
      key: `order:${id}`,
      lines: [line],
      pathOf: (refused) => (refused.code === 'PRICE_CHANGED' ? 'newOrder.totalAmount' : 'newOrder.offer'),
    })
    onOrders()
    if (purchase.replayed) void reply.header(REPLAYED_HEADER, 'true')
    return purchase.orders[0] as OrderRow
  }
}

async function buy(request: FastifyRequest, pace: CheckoutPace, wanted: WantedPurchase): Promise<Purchase> {
  const token = request.token as string
  const sessionHash = hashToken(token)
  const note = (userId: string) => pace.note(sessionHash, userId, request.ctx.now)
  // Only a session's first purchase here: else whoever signs in many times has as many times two under way.
  if (!pace.knows(sessionHash)) {
    await request.identify()
    note(requireActor({ actor: request.actor }).id)
  }
  const end = pace.beginOfSession(sessionHash)
  try {
    pace.takeOfSession(sessionHash, request.ctx.now)
    const bought = await placeOrdersWithSession(request.ctx, token, wanted, note)
    if (bought) return bought
    await request.identify()
    const ctx = { ...request.ctx, actor: request.actor }
    note(requireActor(ctx).id)
    return await placeOrders(ctx, wanted)
  } finally {
    end()
  }
}
