import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Answer } from '../faults.ts'
import { answerCall, type Refuse, type SupplierCallDeps } from './answer-calls.ts'
import type { Delivery } from './deliveries.ts'
import type { Cause } from './faults.ts'
import type { SupplierProtocol } from './protocol.ts'

/** The ids of Ghana's operators; the first is Reloadly's own, the others are made up. */
export const SIMULATED_OPERATORS = { MTN: 150, Telecel: 9_151, AirtelTigo: 9_152 } as const
export const SIMULATED_CLIENT = 'sandbox-client'

const TOKEN_SECONDS = 86_400
const LEAST_PESEWAS = 100
const MOST_PESEWAS = 500_00
/** What the shop gets off the face value, in percent. */
const DISCOUNT_PERCENT = 2

const REFUSALS: Record<Cause, { status: number; code: string; message: string }> = {
  invalid: { status: 400, code: 'INVALID_RECIPIENT_PHONE', message: 'Recipient phone number is not valid' },
  'no-money': { status: 400, code: 'INSUFFICIENT_BALANCE', message: 'Insufficient funds in the wallet to complete this transaction' },
  'not-approved': { status: 403, code: 'INACTIVE_ACCOUNT', message: 'Your account is not active' },
  'too-often': { status: 429, code: 'TOO_MANY_REQUESTS', message: 'Too many requests' },
  duplicate: { status: 400, code: 'CUSTOM_IDENTIFIER_ALREADY_USED', message: 'The custom identifier provided has already been used' },
  refused: { status: 400, code: 'PHONE_BANNED_BY_OPERATOR', message: 'The operator does not serve this number' },
  'not-sold': { status: 400, code: 'INVALID_LOCAL_AMOUNT_FOR_OPERATOR', message: 'The amount is not sold by this operator' },
  'bad-key': { status: 401, code: 'INVALID_TOKEN', message: 'Full authentication is required to access this resource' },
  'not-found': { status: 404, code: 'TRANSACTION_NOT_FOUND', message: 'Transaction not found for given id' },
}

const topUp = z.object({
  operatorId: z.int(),
  amount: z.number().positive(),
  useLocalAmount: z.literal(true),
  customIdentifier: z.string().min(1).max(150),
  recipientPhone: z.object({ countryCode: z.literal('GH'), number: z.string().regex(/^233\d{9}$/) }),
})

/**
 * Reloadly's Airtime API: OAuth tokens, amounts in local currency, a reference of the shop's that works once and by which orders are found.
 * Its account here is kept in cedis.
 */
export const reloadly: SupplierProtocol = {
  name: 'reloadly',
  path: '',
  usual: {
    balancePesewas: 10_000_00,
    callsPerMinute: null,
    refusesDuplicates: true,
    deliversAfterMs: 3_000,
    style: 'gen-2',
    webhookUrl: null,
  },

  registerCalls(app, deps) {
    const { deliveries } = deps
    const tokens = new Set<string>()
    const isAuthorized = ({ headers }: FastifyRequest) => tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? '')

    app.post('/oauth/token', async (request, reply) => {
      const given = z.object({ client_id: z.string(), client_secret: z.string(), grant_type: z.literal('client_credentials') })
      const { data } = given.safeParse(request.body)
      if (data?.client_id !== SIMULATED_CLIENT || data.client_secret !== deps.key)
        return reply.code(401).send({ message: 'Access Denied', errorCode: 'INVALID_CREDENTIALS' })
      const token = randomBytes(20).toString('hex')
      tokens.add(token)
      return { access_token: token, scope: 'send-topups read-topups-history', expires_in: TOKEN_SECONDS, token_type: 'Bearer' }
    })
    app.post('/topups', async (request, reply) => {
      const given = z
        .object({ customIdentifier: z.string(), recipientPhone: z.object({ number: z.string() }) })
        .safeParse(request.body).data
      const target = { reference: given?.customIdentifier, phone: nationalOf(given?.recipientPhone.number ?? '') }
      return answerCall(deps, refuse, { request, reply, call: 'order', target, isAuthorized: isAuthorized(request) }, async () =>
        takeOrder(deps, request.body),
      )
    })
    app.get<{ Params: { id: string } }>('/topups/:id/status', async (request, reply) => {
      const delivery = deliveries.list().find((one) => String(numberOf(one)) === request.params.id)
      const target = { reference: delivery?.reference ?? request.params.id, phone: delivery?.phone }
      return answerCall(deps, refuse, { request, reply, call: 'status', target, isAuthorized: isAuthorized(request) }, async () => {
        if (!delivery) return refuse('not-found', 'gen-2')
        const status = wordOf(delivery)
        return { status: 200, body: { code: null, message: delivery.reason || null, status, transaction: present(delivery) } }
      })
    })
    app.get<{ Querystring: { customIdentifier?: string } }>('/topups/reports/transactions', async (request, reply) => {
      const reference = request.query.customIdentifier
      const found = deliveries.list().filter((one) => reference === undefined || one.reference === reference)
      const target = { reference, phone: found[0]?.phone }
      const page = (content: unknown[]): Answer => ({ status: 200, body: { content, totalElements: content.length, last: true } })
      // What is “not found” here is an empty page, whatever the cause was called.
      const orEmpty: Refuse = (cause, ...rest) => (cause === 'not-found' ? page([]) : refuse(cause, ...rest))
      return answerCall(deps, orEmpty, { request, reply, call: 'status', target, isAuthorized: isAuthorized(request) }, async () =>
        page(found.slice(0, 200).map(present)),
      )
    })
    app.get('/accounts/balance', async (request, reply) =>
      answerCall(deps, refuse, { request, reply, call: 'balance', target: {}, isAuthorized: isAuthorized(request) }, async () => ({
        status: 200,
        body: {
          balance: deliveries.settings.balancePesewas / 100,
          currencyCode: 'GHS',
          currencyName: 'Ghanaian Cedi',
          updatedAt: new Date().toISOString(),
        },
      })),
    )
    app.get('/operators/countries/GH', async (request, reply) => {
      if (!isAuthorized(request)) return reply.code(401).send(refuse('bad-key', 'gen-2').body)
      return Object.entries(SIMULATED_OPERATORS).map(([name, id]) => ({
        id,
        operatorId: id,
        name: `${name} Ghana`,
        denominationType: 'RANGE',
        supportsLocalAmounts: true,
        localMinAmount: LEAST_PESEWAS / 100,
        localMaxAmount: MOST_PESEWAS / 100,
        localDiscount: DISCOUNT_PERCENT,
        destinationCurrencyCode: 'GHS',
      }))
    })
  },

  writeWebhook: () => null,
}

async function takeOrder({ deliveries, delivering }: SupplierCallDeps, body: unknown): Promise<Answer> {
  const checked = topUp.safeParse(body)
  if (!checked.success) {
    const field = checked.error.issues[0]?.path.join('.') || 'body'
    return refuse('invalid', 'gen-2', field.startsWith('recipientPhone') ? {} : { code: 'INVALID_INPUT', message: `Invalid ${field}` })
  }
  const { operatorId, amount, customIdentifier: reference, recipientPhone } = checked.data
  const network = Object.entries(SIMULATED_OPERATORS).find(([, id]) => id === operatorId)?.[0]
  if (network === undefined) return refuse('not-sold', 'gen-2', { status: 404, code: 'OPERATOR_NOT_FOUND', message: 'Operator not found' })
  const airtimePesewas = Math.round(amount * 100)
  if (airtimePesewas < LEAST_PESEWAS || airtimePesewas > MOST_PESEWAS) return refuse('not-sold', 'gen-2')
  if (deliveries.settings.refusesDuplicates && deliveries.find(reference)) {
    deliveries.noteRefusedDuplicate()
    await deliveries.save()
    return refuse('duplicate', 'gen-2')
  }
  const costPesewas = Math.ceil((airtimePesewas * (100 - DISCOUNT_PERCENT)) / 100)
  if (deliveries.settings.balancePesewas < costPesewas) return refuse('no-money', 'gen-2')
  const phone = nationalOf(recipientPhone.number)
  const delivery = delivering.begin({ reference, phone, network, volumeMb: 0, airtimePesewas, costPesewas, webhook: null })
  await deliveries.save()
  const balance = deliveries.settings.balancePesewas
  const balanceInfo = {
    oldBalance: (balance + costPesewas) / 100,
    newBalance: balance / 100,
    cost: costPesewas / 100,
    currencyCode: 'GHS',
  }
  return { status: 200, body: { ...present(delivery), balanceInfo } }
}

function present(delivery: Delivery) {
  const { reference, phone, network, airtimePesewas = 0, costPesewas, createdAt } = delivery
  return {
    transactionId: numberOf(delivery),
    status: wordOf(delivery),
    operatorTransactionId: null,
    customIdentifier: reference,
    recipientPhone: `233${phone.slice(1)}`,
    countryCode: 'GH',
    operatorId: SIMULATED_OPERATORS[network as keyof typeof SIMULATED_OPERATORS],
    operatorName: `${network} Ghana`,
    discount: (airtimePesewas - costPesewas) / 100,
    discountCurrencyCode: 'GHS',
    requestedAmount: airtimePesewas / 100,
    requestedAmountCurrencyCode: 'GHS',
    deliveredAmount: airtimePesewas / 100,
    deliveredAmountCurrencyCode: 'GHS',
    transactionDate: createdAt.slice(0, 19).replace('T', ' '),
  }
}

/** Its ids are numbers. */
function numberOf({ id }: Delivery): number {
  return Number.parseInt(id.slice(0, 12), 16)
}

function wordOf({ state, word }: Delivery): string {
  const words = { accepted: 'PROCESSING', delivered: 'SUCCESSFUL', cancelled: 'FAILED' } as Record<string, string>
  return word ?? words[state] ?? state.toUpperCase()
}

const refuse: Refuse = (cause, _style, { status, code, message } = {}) => ({
  status: status ?? REFUSALS[cause].status,
  body: {
    timeStamp: new Date().toISOString().slice(0, 19).replace('T', ' '),
    message: message ?? REFUSALS[cause].message,
    path: '/topups',
    errorCode: code ?? REFUSALS[cause].code,
    infoLink: null,
    details: [],
  },
})

function nationalOf(phone: string) {
  return phone.startsWith('233') ? `0${phone.slice(3)}` : phone
}
