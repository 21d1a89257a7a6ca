import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { IDEMPOTENCY_KEY_HEADER, IF_ON_THE_WAY_HEADER } from '../../../../shared/limits.ts'
import { toCedis, toPesewas } from '../../../../shared/money.ts'
import { checkoutEndpoints, type createOrderRequest } from '../../../../shared/orders.ts'
import { PIN_PROOF_HEADER } from '../../../../shared/pin-rules.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { claimPaidOrder } from '../../card/payments/claim-paid-order.ts'
import { isWalletOrderOf, type OrderRow } from '../../orders/orders/orders.sql.ts'
import { presentOrder } from '../../orders/orders/present.ts'
import { limitTakenCards } from '../../orders/purchases/limit-taken-cards.ts'
import { type Purchase, placeOrders, placeOrdersWithSession, type WantedPurchase } from '../../orders/purchases/place-orders.ts'
import { toPurchaseLines } from '../../orders/purchases/purchases.sql.ts'
import { cartPath } from '../../orders/purchases/refuse-lines.ts'
import type { CheckoutLimiter } from './open-checkout-limiter.ts'

const REPLAYED_HEADER = 'idempotency-replayed'

type NewOrder = z.output<typeof createOrderRequest>['newOrder']

type How = { asks: boolean; pinProof: string | undefined }

type Options = { gateway: CardGateway; limiter: CheckoutLimiter; cards: RateLimiter; onOrders: () => void }

export function checkoutRoutes(app: Api, { gateway, limiter, cards, onOrders }: Options) {
  mount(
    app,
    checkoutEndpoints,
    {
      'POST /order/checkout': async ({ headers, body, request, reply }) => {
        const purchase = await buy(
          request,
          { limiter, cards },
          {
            key: `checkout:${headers[IDEMPOTENCY_KEY_HEADER]}`,
            lines: toPurchaseLines(body.items),
            pathOf: cartPath,
            pinProof: headers[PIN_PROOF_HEADER],
            askAt: headers[IF_ON_THE_WAY_HEADER] && ((index) => `items.${index}.phoneNumber`),
          },
        )
        onOrders()
        if (purchase.replayed) void reply.header(REPLAYED_HEADER, 'true')
        return {
          orders: purchase.orders.map((row) => presentOrder(row, 'buyer')),
          balance: toCedis(purchase.balancePesewas),
          balanceVersion: purchase.balanceVersion,
        }
      },

      'POST /order/create': async ({ ctx, headers, body, reply }) => {
        const actor = requireActor(ctx)
        limiter.note(actor.sessionHash, actor.id)
        const end = limiter.begin(actor.id)
        try {
          const asks = headers[IF_ON_THE_WAY_HEADER] === 'ask'
          return {
            order: presentOrder(await createOrder(ctx, body.newOrder, reply, { asks, pinProof: headers[PIN_PROOF_HEADER] }), 'buyer'),
          }
        } finally {
          end()
        }
      },
    },
    { 'POST /order/create': { share: 'purchases' }, 'POST /order/checkout': { share: 'purchases', config: { findsActor: true } } },
  )

  async function createOrder(ctx: Ctx, newOrder: NewOrder, reply: FastifyReply, { asks, pinProof }: How): Promise<OrderRow> {
    const { id, network, offer, receiver, totalAmount, productId, reference } = newOrder
    const line = { product: productId ?? null, network, offer, receiver, expectedPricePesewas: toPesewas(totalAmount), clientId: id }
    const { id: userId } = requireActor(ctx)
    const named = String(reference ?? '')
    // A request with a card reference must not charge the wallet.
    if (named !== '' && !(await isWalletOrderOf(ctx.db, userId, id, named))) {
      const order = await claimPaidOrder(ctx, gateway, named, line)
      if (order) {
        onOrders()
        return order
      }
    }
    await limiter.take(userId)
    const purchase = await placeOrders(ctx, {
      key: `order:${id}`,
      lines: [named === '' ? line : { ...line, clientReference: named }],
      pathOf: (refused) => (refused.code === 'PRICE_CHANGED' ? 'newOrder.totalAmount' : 'newOrder.offer'),
      pinProof,
      askAt: asks ? () => 'newOrder.receiver' : undefined,
    })
    onOrders()
    if (purchase.replayed) void reply.header(REPLAYED_HEADER, 'true')
    return purchase.orders[0] as OrderRow
  }
}

async function buy(
  request: FastifyRequest,
  { limiter, cards }: Pick<Options, 'limiter' | 'cards'>,
  wanted: WantedPurchase,
): Promise<Purchase> {
  const token = request.token as string
  const sessionHash = hashToken(token)
  let userId = limiter.userOf(sessionHash)
  // Only for a session's first purchase here: otherwise each new session would allow a user two more at once.
  if (userId === undefined) {
    await request.identify()
    userId = requireActor({ actor: request.actor }).id
    limiter.note(sessionHash, userId)
  }
  const end = limiter.begin(userId)
  try {
    await limiter.take(userId)
    return await limitTakenCards(cards, { userId, lines: wanted.lines }, async () => {
      const bought = await placeOrdersWithSession(request.ctx, token, wanted)
      if (bought) return bought
      await request.identify()
      return placeOrders({ ...request.ctx, actor: request.actor }, wanted)
    })
  } finally {
    end()
  }
}
