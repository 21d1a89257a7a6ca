import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Answer } from '../faults.ts'
import { answerCall, type Refuse, type SupplierCallDeps } from './answer-calls.ts'
import type { Delivery } from './deliveries.ts'
import type { Cause, DeliveryState, Style } from './faults.ts'
import { costOf, type SupplierProtocol } from './protocol.ts'

const PATH = '/live/api/context/business/transaction'
const PESEWAS_PER_GB: Record<string, number> = { mtn: 410, at: 395, 'big-time': 395 }
const MIN_MB = 1_000

const STATE_WORDS: Record<DeliveryState, string> = {
  accepted: 'Accepted',
  processing: 'In Progress',
  delivered: 'delivered',
  failed: 'failed',
  cancelled: 'cancelled',
  refunded: 'refunded',
}

/** Sources agree on 1003, 1007 and 406; client libraries have seen the others. */
const REFUSALS: Record<Exclude<Cause, 'invalid' | 'bad-key'>, { code: string; message: string }> = {
  'no-money': { code: '1003', message: 'Insufficient balance to complete this transaction' },
  'not-approved': { code: '406', message: 'Your account is not approved for this service' },
  'too-often': { code: '1007', message: 'Request limit exceeded. Please try again in a minute' },
  duplicate: { code: '1004', message: 'Duplicate reference: this reference has already been used' },
  refused: { code: '1005', message: 'The receiver cannot be served' },
  'not-sold': { code: '1005', message: 'This package is not available' },
  'not-found': { code: '1006', message: 'Transaction not found' },
}

/** Hubnet's Mobile Data API: header `token`, three generations of replies, unsigned webhook events, five calls a minute. */
export const hubnet: SupplierProtocol = {
  name: 'hubnet',
  path: PATH,
  usual: {
    balancePesewas: 10_000_00,
    callsPerMinute: 5,
    refusesDuplicates: true,
    deliversAfterMs: 5_000,
    style: 'gen-2',
    webhookUrl: null,
  },

  registerCalls(app, deps) {
    registerOrder(app, deps)
    app.get(`${PATH}/check_balance`, async (request, reply) =>
      answerCall(deps, refuse, { request, reply, call: 'balance', target: {}, isAuthorized: hasKey(request, deps) }, async (style) =>
        sayBalance(deps, style),
      ),
    )
    app.route({
      method: ['GET', 'POST'],
      url: `${PATH}/check-transaction-status`,
      handler: async (request, reply) => {
        const asked = z.object({ reference: z.string() }).safeParse(request.method === 'GET' ? request.query : request.body)
        const reference = asked.data?.reference ?? ''
        const delivery = deps.deliveries.find(reference)
        const target = { reference, phone: delivery?.phone }
        const isAuthorized = hasKey(request, deps)
        return answerCall(deps, refuse, { request, reply, call: 'status', target, isAuthorized }, async () => sayStatus(delivery))
      },
    })
  },

  writeWebhook(delivery) {
    const { reference, phone: msisdn, volumeMb, network, state, reason } = delivery
    const isFailed = state === 'failed' || state === 'cancelled' || state === 'refunded'
    const status = wordOf(delivery)
    const message = reason || `Your order is ${status}`
    const code = isFailed ? '1' : '0000'
    const event = `transfer.${isFailed ? 'failed' : state === 'delivered' ? 'delivered' : 'processing'}`
    return {
      whole: { event, status: !isFailed, message, code, data: { reference, msisdn, volume: String(volumeMb), network, status } },
      flat: { reference, status, code, reason: message, message, transaction_id: delivery.id },
    }
  },
}

function registerOrder(app: FastifyInstance, deps: SupplierCallDeps) {
  app.post<{ Params: { network: string } }>(`${PATH}/:network(^[a-z-]+)-new-transaction`, async (request, reply) => {
    const { network } = request.params
    const given = z.record(z.string(), z.unknown()).safeParse(request.body).data ?? {}
    const target = { reference: textOf(given.reference), phone: textOf(given.phone) }
    return answerCall(deps, refuse, { request, reply, call: 'order', target, isAuthorized: hasKey(request, deps) }, (style) =>
      takeOrder(deps, style, network, given),
    )
  })
}

async function takeOrder(
  { deliveries, delivering }: SupplierCallDeps,
  style: Style,
  network: string,
  given: Record<string, unknown>,
): Promise<Answer> {
  const { phone, volume, reference, webhook, referrer } = given
  const volumeMb = Number(textOf(volume))
  if (typeof phone !== 'string' || !/^0\d{9}$/.test(phone)) return invalid('The phone number must be 10 digits and start with 0')
  if (!Number.isSafeInteger(volumeMb) || volumeMb < MIN_MB) return invalid(`The volume must be at least ${MIN_MB}`)
  if (typeof reference !== 'string' || !/^[\x21-\x7e]{6,25}$/.test(reference)) return invalid('The reference must have 6 to 25 characters')
  if (referrer !== undefined && !/^0\d{9}$/.test(textOf(referrer))) return invalid('The referrer must be 10 digits and start with 0')
  if (webhook !== undefined && !isWebhook(webhook)) return invalid('The webhook must be a valid URL')

  const pesewasPerGb = PESEWAS_PER_GB[network]
  if (pesewasPerGb === undefined) return refuse('not-approved', style)
  if (deliveries.settings.refusesDuplicates && deliveries.find(reference)) {
    deliveries.noteRefusedDuplicate()
    await deliveries.save()
    return refuse('duplicate', style)
  }
  const costPesewas = costOf(volumeMb, pesewasPerGb)
  if (deliveries.settings.balancePesewas < costPesewas) return refuse('no-money', style)
  const delivery = delivering.begin({ reference, phone, network, volumeMb, costPesewas, webhook: isWebhook(webhook) ? webhook : null })
  await deliveries.save()
  return { status: 200, body: accepted(delivery, style, deliveries.settings.balancePesewas) }
}

function accepted({ id, reference, costPesewas }: Delivery, style: Style, balancePesewas: number) {
  const said = 'Transaction initiated successfully'
  const ids = { transaction_id: id, payment_id: `PAY${id}`, reference }
  const first = { status: true, reason: said, ...ids, ip_address: '127.0.0.1', batch_id: null, amount: costPesewas / 100 }
  const data = { status: true, message: said, current_balance: balancePesewas / 100 }
  switch (style) {
    case 'gen-1':
      return { ...first, code: said, message: '0000', data: { ...data, code: said } }
    case 'gen-1-code':
      return { ...first, code: '0000', message: said, data: { ...data, code: said } }
    case 'gen-1-data':
      return { ...first, code: said, message: said, data: { ...data, code: '0000' } }
    case 'sentence':
      return { status: true, message: 'Your order has been received and is being processed.', ...ids, data: {} }
    case 'old-ishare':
      return { data: { response_code: '200', response_msg: said, ...ids } }
    case 'gen-2':
      return { event: 'charge.success', status: 'success', message: said, data: { ...ids, status: 'pending' } }
  }
}

/** A failed validation is a bare sentence, without any envelope. */
function invalid(message: string, status = 400): Answer {
  return { status, body: message }
}

const refuse: Refuse = (cause, style, { status, code, message } = {}) => {
  if (cause === 'invalid') return invalid(message ?? 'The phone number provided is not valid', status)
  if (cause === 'bad-key') {
    return {
      status: status ?? 401,
      body: { status: false, reason: 'Unauthorized', code: code ?? '401', message: message ?? 'Invalid token' },
    }
  }
  const usual = REFUSALS[cause]
  const told = { code: code ?? usual.code, message: message ?? usual.message }
  const isNewest = style === 'gen-2' || style === 'sentence'
  const body = isNewest && cause !== 'not-found' ? { event: 'charge.rejected', status: 'failed', ...told } : { status: false, ...told }
  return { status: status ?? 200, body: { ...body, ...(isNewest ? {} : { reason: told.message, data: {} }) } }
}

function sayStatus(delivery: Delivery | undefined): Answer {
  if (!delivery) return refuse('not-found', 'gen-2')
  const { reference, reason } = delivery
  const word = wordOf(delivery)
  return { status: 200, body: { status: true, message: '0000', data: { status: word, message: reason || `Order is ${word}`, reference } } }
}

function sayBalance({ deliveries }: SupplierCallDeps, style: Style): Answer {
  const balance = deliveries.settings.balancePesewas / 100
  if (style !== 'gen-2' && style !== 'sentence') return { status: 200, body: { status: true, balance, currency: 'GHS' } }
  const data = {
    response_msg: 'Balance retrieved',
    expire_time: null,
    wallet_balance: balance,
    last_top_up_date: null,
    "today's_sales": 0,
    total_sales: deliveries.list().reduce((total, { costPesewas }) => total + costPesewas, 0) / 100,
  }
  const asked = { ip_address: '127.0.0.1', request_id: '1' }
  return { status: 200, body: { event: 'query.success', status: 'success', message: 'Query successful', ...asked, data } }
}

function wordOf({ state, word }: Delivery) {
  return word ?? STATE_WORDS[state]
}

function hasKey(request: FastifyRequest, { key }: SupplierCallDeps) {
  return request.headers.token === `Bearer ${key}`
}

/** The real one only accepts https, which a sandbox does not have. */
function isWebhook(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
