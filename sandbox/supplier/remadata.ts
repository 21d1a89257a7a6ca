import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Answer } from '../faults.ts'
import { answerCall, type Refuse, type SupplierCallDeps } from './answer-calls.ts'
import type { Delivery } from './deliveries.ts'
import type { Cause } from './faults.ts'
import { costOf, type SupplierProtocol } from './protocol.ts'

const PATH = '/api'
const PESEWAS_PER_GB: Record<string, number> = { mtn: 405, telecel: 390, airteltigo: 390 }
const BUNDLES_MB = [1_000, 2_000, 3_000, 5_000, 10_000, 20_000]

const REFUSALS: Record<Cause, { status: number; message: string }> = {
  invalid: { status: 422, message: 'The phone field is invalid' },
  'no-money': { status: 402, message: 'Insufficient wallet balance' },
  'not-approved': { status: 403, message: 'Your account is not approved for this service' },
  'too-often': { status: 429, message: 'Too many requests' },
  duplicate: { status: 409, message: 'Duplicate order reference' },
  refused: { status: 400, message: 'The receiver cannot be served' },
  'not-sold': { status: 400, message: 'This bundle is not available' },
  'bad-key': { status: 401, message: 'Invalid API key' },
  'not-found': { status: 404, message: 'Order not found' },
}

const order = z.object({
  ref: z.string().min(1).max(64),
  phone: z.string().regex(/^233\d{9}$/),
  volumeInMB: z.int().min(1),
  networkType: z.enum(['mtn', 'telecel', 'airteltigo']),
})

/**
 * RemaData's API: header `X-API-KEY`, phone numbers in the form 233…, and status queries only by its own reference.
 * Its documentation says nothing about used references, so by default it delivers again. It sends no webhook events.
 */
export const remadata: SupplierProtocol = {
  name: 'remadata',
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
    app.post(`${PATH}/buy-data`, async (request, reply) => {
      const given = z.object({ ref: z.string(), phone: z.string() }).safeParse(request.body).data
      const target = { reference: given?.ref, phone: nationalOf(given?.phone ?? '') }
      return answerCall(deps, refuse, { request, reply, call: 'order', target, isAuthorized: hasKey(request, deps) }, async () =>
        takeOrder(deps, request.body),
      )
    })
    app.get<{ Params: { id: string } }>(`${PATH}/order-status/:id`, async (request, reply) => {
      const delivery = deliveries.findById(request.params.id)
      const target = { reference: delivery?.reference ?? request.params.id, phone: delivery?.phone }
      return answerCall(deps, refuse, { request, reply, call: 'status', target, isAuthorized: hasKey(request, deps) }, async () =>
        delivery ? success(present(delivery)) : refuse('not-found', 'gen-2'),
      )
    })
    app.get(`${PATH}/wallet-balance`, async (request, reply) =>
      answerCall(deps, refuse, { request, reply, call: 'balance', target: {}, isAuthorized: hasKey(request, deps) }, async () =>
        success({ balance: (deliveries.settings.balancePesewas / 100).toFixed(2), currency: 'GHS' }),
      ),
    )
    app.get<{ Querystring: { network?: string } }>(`${PATH}/bundles`, async (request, reply) => {
      const networks = Object.keys(PESEWAS_PER_GB).filter((name) => [undefined, name].includes(request.query.network))
      const price = (volumeInMB: number, name: string) => (costOf(volumeInMB, PESEWAS_PER_GB[name] as number) / 100).toFixed(2)
      const bundles = networks.flatMap((networkType) =>
        BUNDLES_MB.map((volumeInMB) => ({ networkType, volumeInMB, price: price(volumeInMB, networkType) })),
      )
      return hasKey(request, deps) ? success(bundles).body : reply.code(401).send(refuse('bad-key', 'gen-2').body)
    })
  },

  writeWebhook: () => null,
}

async function takeOrder({ deliveries, delivering }: SupplierCallDeps, body: unknown): Promise<Answer> {
  const checked = order.safeParse(body)
  if (!checked.success) {
    return refuse('invalid', 'gen-2', { message: `The ${checked.error.issues[0]?.path.join('.') || 'body'} field is invalid` })
  }
  const { ref: reference, phone, volumeInMB: volumeMb, networkType: network } = checked.data
  if (deliveries.settings.refusesDuplicates && deliveries.find(reference)) {
    deliveries.noteRefusedDuplicate()
    await deliveries.save()
    return refuse('duplicate', 'gen-2')
  }
  const costPesewas = costOf(volumeMb, PESEWAS_PER_GB[network] as number)
  if (deliveries.settings.balancePesewas < costPesewas) return refuse('no-money', 'gen-2')
  const delivery = delivering.begin({ reference, phone: nationalOf(phone), network, volumeMb, costPesewas, webhook: null })
  await deliveries.save()
  return success(present(delivery), 'Order placed successfully')
}

function present({ id, reference, phone, network, volumeMb, costPesewas, state, word, createdAt }: Delivery) {
  const status = word ?? { accepted: 'pending', processing: 'processing', delivered: 'completed' }[state as string] ?? state
  const amount = (costPesewas / 100).toFixed(2)
  return {
    reference: id,
    ref: reference,
    phone: `233${phone.slice(1)}`,
    networkType: network,
    volumeInMB: volumeMb,
    amount,
    status,
    createdAt,
  }
}

function success(data: unknown, message = 'OK'): Answer {
  return { status: 200, body: { status: 'success', message, data } }
}

const refuse: Refuse = (cause, _style, { status, code, message } = {}) => ({
  status: status ?? REFUSALS[cause].status,
  body: { status: 'error', message: message ?? REFUSALS[cause].message, ...(code === undefined ? {} : { code }) },
})

function hasKey(request: FastifyRequest, { key }: SupplierCallDeps) {
  return request.headers['x-api-key'] === key
}

function nationalOf(phone: string) {
  return phone.startsWith('233') ? `0${phone.slice(3)}` : phone
}
