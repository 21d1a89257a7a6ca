import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Answer } from '../faults.ts'
import { answerCall, type Refuse, type SupplierCallDeps } from './answer-calls.ts'
import type { Delivery } from './deliveries.ts'
import type { Cause } from './faults.ts'
import { costOf, type SupplierProtocol } from './protocol.ts'

const PATH = '/api/developer'
const MB_PER_GB = 1_000
const PESEWAS_PER_GB: Record<string, number> = { YELLO: 420, TELECEL: 400, AT_PREMIUM: 400, at: 400 }
const CAPACITIES = ['1', '2', '3', '4', '5', '6', '8', '10', '15', '20', '25', '30', '40', '50', '100']

const REFUSALS: Record<Cause, { status: number; message: string }> = {
  invalid: { status: 400, message: 'Invalid phone number' },
  'no-money': { status: 400, message: 'Insufficient wallet balance' },
  'not-approved': { status: 403, message: 'API access is not enabled for this account' },
  'too-often': { status: 429, message: 'Too many requests' },
  duplicate: { status: 409, message: 'Duplicate order' },
  refused: { status: 400, message: 'This number cannot be served' },
  'not-sold': { status: 400, message: 'This package is out of stock' },
  'bad-key': { status: 401, message: 'Invalid API key' },
  'not-found': { status: 404, message: 'Order not found' },
}

const purchase = z.object({
  phoneNumber: z.string().regex(/^0\d{9}$/),
  network: z.enum(['YELLO', 'TELECEL', 'AT_PREMIUM', 'at']),
  capacity: z.string(),
  gateway: z.literal('wallet'),
  ref: z.string().optional(),
})

/**
 * DataMart Ghana's Developer API: header `X-API-Key`, volume in whole gigabytes as text, prices as text, and status queries only by its own
 * reference. It charges for every purchase, repeated or not, and sends no webhook events.
 */
export const datamart: SupplierProtocol = {
  name: 'datamart',
  path: PATH,
  usual: {
    balancePesewas: 10_000_00,
    callsPerMinute: null,
    refusesDuplicates: false,
    deliversAfterMs: 5_000,
    style: 'gen-2',
    webhookUrl: null,
  },

  registerCalls(app, deps) {
    const { deliveries } = deps
    app.post(`${PATH}/purchase`, async (request, reply) => {
      const given = z.object({ ref: z.string().optional(), phoneNumber: z.string().optional() }).safeParse(request.body).data
      const target = { reference: given?.ref, phone: given?.phoneNumber }
      return answerCall(deps, refuse, { request, reply, call: 'order', target, isAuthorized: hasKey(request, deps) }, async () =>
        takeOrder(deps, request.body),
      )
    })
    app.get<{ Params: { id: string } }>(`${PATH}/order-status/:id`, async (request, reply) => {
      const delivery = deliveries.findById(request.params.id)
      const target = { reference: delivery?.reference ?? request.params.id, phone: delivery?.phone }
      return answerCall(deps, refuse, { request, reply, call: 'status', target, isAuthorized: hasKey(request, deps) }, async () =>
        delivery ? success({ ...present(delivery), orderStatus: wordOf(delivery) }) : refuse('not-found', 'gen-2'),
      )
    })
    app.get(`${PATH}/balance`, async (request, reply) =>
      answerCall(deps, refuse, { request, reply, call: 'balance', target: {}, isAuthorized: hasKey(request, deps) }, async () => ({
        status: 200,
        body: {
          status: 'success',
          data: { balance: deliveries.settings.balancePesewas / 100, currency: 'GHS', timestamp: new Date().toISOString() },
          rateLimit: { limit: 100, remaining: 99, resetInSeconds: 3600 },
        },
      })),
    )
    app.get<{ Querystring: { network?: string } }>(`${PATH}/data-packages`, async (request, reply) => {
      if (!hasKey(request, deps)) return reply.code(401).send(refuse('bad-key', 'gen-2').body)
      const sold = (network: string) =>
        CAPACITIES.map((capacity) => {
          const mb = Number(capacity) * MB_PER_GB
          return { capacity, mb: String(mb), price: (costOf(mb, PESEWAS_PER_GB[network] ?? 0) / 100).toFixed(2), network, inStock: true }
        })
      const { network } = request.query
      const all = Object.fromEntries(Object.keys(PESEWAS_PER_GB).map((name) => [name, sold(name)]))
      return { status: 'success', data: network === undefined ? all : (all[network] ?? []) }
    })
  },

  writeWebhook: () => null,
}

async function takeOrder({ deliveries, delivering }: SupplierCallDeps, body: unknown): Promise<Answer> {
  const checked = purchase.safeParse(body)
  if (!checked.success) {
    return refuse('invalid', 'gen-2', { message: `Invalid ${checked.error.issues[0]?.path.join('.') || 'body'}` })
  }
  const { phoneNumber: phone, network, capacity, ref } = checked.data
  if (!CAPACITIES.includes(capacity)) return refuse('not-sold', 'gen-2', { message: 'Invalid capacity for this network' })
  const volumeMb = Number(capacity) * MB_PER_GB
  const costPesewas = costOf(volumeMb, PESEWAS_PER_GB[network] as number)
  const before = deliveries.settings.balancePesewas
  if (before < costPesewas) return refuse('no-money', 'gen-2')
  const delivery = delivering.begin({ reference: ref ?? '', phone, network, volumeMb, costPesewas, webhook: null })
  await deliveries.save()
  const after = deliveries.settings.balancePesewas
  const wallet = { balanceBefore: before / 100, balanceAfter: after / 100, remainingBalance: after / 100 }
  const data = { ...present(delivery), ...wallet, orderStatus: 'pending', processingMethod: 'manual' }
  return { status: 201, body: { status: 'success', message: 'Data bundle purchased successfully', data } }
}

function present({ id, phone, network, volumeMb, costPesewas, createdAt }: Delivery) {
  return {
    purchaseId: id.toLowerCase(),
    transactionReference: `TRX-${id}`,
    orderReference: id,
    phoneNumber: phone,
    network,
    capacity: String(volumeMb / MB_PER_GB),
    mb: String(volumeMb),
    price: costPesewas / 100,
    createdAt,
  }
}

function wordOf({ state, word }: Delivery): string {
  return word ?? { accepted: 'pending', processing: 'processing', delivered: 'completed', cancelled: 'failed' }[state as string] ?? state
}

function success(data: unknown): Answer {
  return { status: 200, body: { status: 'success', data } }
}

const refuse: Refuse = (cause, _style, { status, code, message } = {}) => ({
  status: status ?? REFUSALS[cause].status,
  body: { status: 'error', message: message ?? REFUSALS[cause].message, ...(code === undefined ? {} : { code }) },
})

function hasKey(request: FastifyRequest, { key }: SupplierCallDeps) {
  return request.headers['x-api-key'] === key
}
