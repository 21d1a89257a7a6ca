import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { type Answer, isReplyFault, sendAnswer, sendFaulty } from '../faults.ts'
import { Refusal } from '../refusal.ts'
import type { CallFault, CardFaults } from './faults.ts'
import { CARD_STATUSES, type CardPayments, CHANNELS, makeReference, type NewPayment } from './payments.ts'
import { listRefunds, type RefundCalls, requestRefund } from './refund-calls.ts'
import { customer, errorBody, SERVER_FAULT, transactionData } from './replies.ts'
import { nameRecipient, startTransfer, verifyTransfer } from './transfer-calls.ts'
import type { CardTransfers } from './transfers.ts'

const MIN_PESEWAS = 10
const MAX_PESEWAS = 10_000_000
const KNOWN_CHANNELS = [...CHANNELS, 'bank', 'ussd', 'qr', 'bank_transfer', 'eft', 'apple_pay', 'capitec_pay', 'payattitude']

export type ProviderCallDeps = {
  payments: CardPayments
  transfers: CardTransfers
  refunds: RefundCalls
  faults: CardFaults
  secretKey: string
  /** The address of a transaction's payment page. */
  checkoutUrl: (accessCode: string) => string
  closing: AbortSignal
}

/** The provider's API as its documentation describes it, with faults injected. */
export function registerProviderCalls(app: FastifyInstance, deps: ProviderCallDeps) {
  app.post('/transaction/initialize', async (request, reply) => {
    if (!isAuthorized(request, deps.secretKey)) return reply.code(401).send(INVALID_KEY)
    const reference = z.object({ reference: z.string() }).safeParse(request.body).data?.reference
    const fault = deps.faults.takeForCall('initialize', reference)
    return answerWith(fault, request, reply, () => initialize(deps, request.body))
  })

  app.get<{ Params: { reference: string } }>('/transaction/verify/:reference', async (request, reply) => {
    if (!isAuthorized(request, deps.secretKey)) return reply.code(401).send(INVALID_KEY)
    const { reference } = request.params
    const fault = deps.faults.takeForCall('verify', reference)
    return answerWith(fault, request, reply, async () => verify(deps, reference))
  })

  app.get<{ Params: { email: string } }>('/customer/:email', async (request, reply) => {
    if (!isAuthorized(request, deps.secretKey)) return reply.code(401).send(INVALID_KEY)
    const fault = deps.faults.takeForCall('customer', undefined)
    return answerWith(fault, request, reply, async () => fetchCustomer(deps, request.params.email))
  })

  app.get('/transaction', async (request, reply) => {
    if (!isAuthorized(request, deps.secretKey)) return reply.code(401).send(INVALID_KEY)
    const fault = deps.faults.takeForCall('list', undefined)
    return answerWith(fault, request, reply, async () => listTransactions(deps, request.query))
  })

  const { transfers } = deps
  app.post('/transferrecipient', async (request, reply) => {
    if (!isAuthorized(request, deps.secretKey)) return reply.code(401).send(INVALID_KEY)
    const fault = deps.faults.takeForCall('recipient', undefined)
    return answerWith(fault, request, reply, () => nameRecipient(transfers, request.body))
  })

  app.post('/transfer', async (request, reply) => {
    if (!isAuthorized(request, deps.secretKey)) return reply.code(401).send(INVALID_KEY)
    const reference = z.object({ reference: z.string() }).safeParse(request.body).data?.reference
    const fault = deps.faults.takeForCall('transfer', reference)
    return answerWith(fault, request, reply, () => startTransfer(transfers, request.body))
  })

  app.get<{ Params: { reference: string } }>('/transfer/verify/:reference', async (request, reply) => {
    if (!isAuthorized(request, deps.secretKey)) return reply.code(401).send(INVALID_KEY)
    const { reference } = request.params
    const fault = deps.faults.takeForCall('verify-transfer', reference)
    return answerWith(fault, request, reply, () => verifyTransfer(transfers, reference))
  })

  app.post('/refund', async (request, reply) => {
    if (!isAuthorized(request, deps.secretKey)) return reply.code(401).send(INVALID_KEY)
    const reference = z.object({ transaction: z.string() }).safeParse(request.body).data?.transaction
    const fault = deps.faults.takeForCall('refund', reference)
    return answerWith(fault, request, reply, () => requestRefund(deps.refunds, request.body))
  })

  app.get<{ Querystring: { transaction?: string } }>('/refund', async (request, reply) => {
    if (!isAuthorized(request, deps.secretKey)) return reply.code(401).send(INVALID_KEY)
    const { transaction } = request.query
    const fault = deps.faults.takeForCall('list-refunds', transaction)
    return answerWith(fault, request, reply, () => listRefunds(deps.refunds, transaction))
  })

  /** The target of the `redirect` fault: it reports everything as paid. */
  app.get<{ Params: { reference: string } }>('/_elsewhere/:reference', async (request) => ({
    status: true,
    message: 'Verification successful',
    data: { status: 'success', reference: request.params.reference, amount: MAX_PESEWAS, currency: 'GHS', domain: 'test' },
  }))

  async function answerWith(fault: CallFault | null, request: FastifyRequest, reply: FastifyReply, act: () => Promise<Answer>) {
    if (fault === null) return sendAnswer(reply, await act())
    if (isReplyFault(fault)) return sendFaulty(fault, { request, reply, act, closing: deps.closing })
    if (fault.kind === 'error') {
      if (fault.acts) await act()
      return reply.code(500).send(SERVER_FAULT)
    }
    const reference = (request.params as { reference?: string }).reference ?? 'none'
    return reply.redirect(fault.location ?? `/_elsewhere/${reference}`, 302)
  }
}

const INVALID_KEY = errorBody('Invalid key', 'invalid_Key', 'Ensure that you provide the correct authorization key for the request')

function isAuthorized(request: FastifyRequest, secretKey: string) {
  return request.headers.authorization === `Bearer ${secretKey}`
}

async function initialize({ payments, checkoutUrl }: ProviderCallDeps, body: unknown): Promise<Answer> {
  const checked = checkNewPayment(body)
  if ('body' in checked) return checked
  if (payments.find(checked.reference)) {
    return badRequest(
      'Duplicate Transaction Reference',
      'duplicate_reference',
      'Ensure you are passing a transaction reference that is unique to this transaction',
    )
  }
  const payment = payments.add(checked)
  await payments.save()
  return {
    status: 200,
    body: {
      status: true,
      message: 'Authorization URL created',
      data: { authorization_url: checkoutUrl(payment.accessCode), access_code: payment.accessCode, reference: payment.reference },
    },
  }
}

async function verify({ payments }: ProviderCallDeps, reference: string): Promise<Answer> {
  const payment = payments.find(reference)
  if (!payment) {
    return badRequest(
      'Transaction reference not found.',
      'transaction_not_found',
      'Ensure that the reference belongs to the integration whose key you use',
    )
  }
  return { status: 200, body: { status: true, message: 'Verification successful', data: transactionData(payment) } }
}

/** The provider knows whoever began a transaction, by the address in small letters. */
function fetchCustomer({ payments }: ProviderCallDeps, email: string): Answer {
  const known = payments.list().find((payment) => payment.email.toLowerCase() === email.toLowerCase())
  if (!known) {
    return {
      status: 404,
      body: errorBody('Customer not found', 'customer_not_found', 'Ensure that the customer belongs to the integration whose key you use'),
    }
  }
  return { status: 200, body: { status: true, message: 'Customer retrieved', data: customer(known) } }
}

const listQuery = z.object({
  customer: z.coerce.number().int().optional(),
  status: z.enum(CARD_STATUSES).optional(),
  from: z.iso.datetime().optional(),
  perPage: z.coerce.number().int().min(1).max(100).default(50),
  page: z.coerce.number().int().min(1).default(1),
})

/** Newest first; `from` is about when a transaction was begun. */
function listTransactions({ payments }: ProviderCallDeps, query: unknown): Answer {
  const wanted = listQuery.safeParse(query).data
  if (!wanted) return badRequest('Invalid query', 'invalid_params', 'Check the query')
  const { customer: id, status, from, page, perPage } = wanted
  const found = payments
    .list()
    .filter((one) => id === undefined || customer(one).id === id)
    .filter((one) => status === undefined || one.status === status)
    .filter((one) => from === undefined || one.createdAt >= new Date(from).toISOString())
  const data = found.slice((page - 1) * perPage, page * perPage).map(transactionData)
  return { status: 200, body: { status: true, message: 'Transactions retrieved', data, meta: { total: found.length, page, perPage } } }
}

/** What a new transaction is, or the provider's refusal. */
export function checkNewPayment(body: unknown): NewPayment | Answer {
  const given = z.record(z.string(), z.unknown()).safeParse(body).data
  if (!given) return badRequest('Invalid request body', 'invalid_params', 'Send the parameters as a JSON object')
  const { email, amount, currency = 'GHS', reference = makeReference(), metadata, channels = [...CHANNELS] } = given

  if (email === undefined || email === '') return badRequest('Email is required', 'missing_params', 'Provide the email of the customer')
  if (!z.email().safeParse(email).success) return badRequest('Invalid Email Address Passed', 'invalid_email_address', 'Check the email')
  const pesewas = typeof amount === 'number' || (typeof amount === 'string' && /^\d+$/.test(amount)) ? Number(amount) : Number.NaN
  if (!Number.isSafeInteger(pesewas) || pesewas < MIN_PESEWAS) {
    return badRequest('Invalid Amount Sent', 'invalid_amount', 'Provide the amount as a whole number in the subunit of the currency')
  }
  if (pesewas > MAX_PESEWAS) return badRequest('Transaction amount exceeds limit', 'invalid_amount', 'Charge a lower amount')
  if (currency !== 'GHS') return badRequest('Currency not supported by merchant', 'unsupported_currency', 'Use a currency of your business')
  if (typeof reference !== 'string' || !/^[A-Za-z0-9.=-]{1,200}$/.test(reference)) {
    return badRequest('Invalid transaction reference', 'invalid_params', 'Only -, ., = and alphanumeric characters are allowed')
  }
  if (!z.array(z.enum(KNOWN_CHANNELS)).min(1).safeParse(channels).success) {
    return badRequest('Invalid channels sent', 'invalid_params', 'Name channels of your business')
  }
  if (typeof metadata === 'string' && metadata !== '' && !isJson(metadata)) {
    return badRequest('Invalid metadata', 'invalid_params', 'Provide metadata as an object or as stringified JSON')
  }
  return {
    email: email as string,
    requestedAmountPesewas: pesewas,
    currency,
    reference,
    metadata: metadata ?? '',
    channels: channels as string[],
  }
}

function badRequest(message: string, code: string, nextStep: string): Answer {
  return { status: 400, body: errorBody(message, code, nextStep) }
}

function isJson(text: string) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Errors of the simulator itself also use the provider's envelope. */
export function replyAsProvider(app: FastifyInstance) {
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = error instanceof Refusal ? error.statusCode : (error.statusCode ?? 500)
    const body = status >= 500 ? SERVER_FAULT : errorBody(error.message, 'invalid_params', 'Check the request')
    return reply.code(status).send(body)
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(errorBody('Resource not found', 'not_found', 'Check the address')))
}
