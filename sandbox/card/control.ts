import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { registerFaultRoutes } from '../faults.ts'
import type { ServiceCall } from '../log-calls.ts'
import { read } from '../read.ts'
import { Refusal } from '../refusal.ts'
import { checkNewPayment } from './calls.ts'
import type { CardFaults } from './faults.ts'
import { cardFault } from './faults.ts'
import { PAYING_MOBILE_NUMBER, type Payer } from './payer.ts'
import { CARD_STATUSES, type CardPayment, type CardPayments, CHANNELS } from './payments.ts'
import { customer, successData } from './replies.ts'
import { DISPUTE_STEPS, REFUND_STEPS, RESOLUTIONS, type Returns } from './returns.ts'
import { type CardTransfers, TRANSFER_STATUSES } from './transfers.ts'

export type CardControlDeps = {
  payments: CardPayments
  transfers: CardTransfers
  faults: CardFaults
  payer: Payer
  returns: Returns
  publicKey: string
  calls: () => ServiceCall[]
}

const payRequest = z.object({
  channel: z.enum(CHANNELS).optional(),
  mobileNumber: z.string().optional(),
  amountPesewas: z.int().min(0).optional(),
  currency: z.string().optional(),
  afterMs: z.int().min(0).max(86_400_000).optional(),
})
const declineRequest = z.object({ reason: z.string().max(200).optional() })
const statusRequest = z.object({ status: z.enum(CARD_STATUSES) })
const transferRequest = z.object({ status: z.enum(TRANSFER_STATUSES), reason: z.string().max(200).optional() })
const transferSettings = z.object({
  balancePesewas: z.int().optional(),
  otp: z.boolean().optional(),
  paysAfterMs: z.int().min(0).nullable().optional(),
})
const amountPesewas = z.int().min(1).optional()
const disputeRequest = z.object({
  step: z.enum(DISPUTE_STEPS),
  id: z.int().positive().optional(),
  amountPesewas,
  resolution: z.enum(RESOLUTIONS).optional(),
})
const refundRequest = z.object({ step: z.enum(REFUND_STEPS), id: z.int().positive().optional(), amountPesewas })
/** As the provider's pop-up is opened with a public key. */
const beginRequest = z.looseObject({ key: z.string(), email: z.string(), amount: z.number(), currency: z.string(), ref: z.string() })
const phoneRequest = z.object({ mobileNumber: z.string() })
const payLaterRequest = z.object({ afterMs: z.int().min(0).max(86_400_000) })

type ByReference = { Params: { reference: string } }
type ByAccessCode = { Params: { accessCode: string } }

/** Control for people and tests: what payers do, which faults to inject, and the calls the provider received. */
export function registerCardControl(
  app: FastifyInstance,
  prefix: string,
  { payments, transfers, faults, payer, returns, calls }: CardControlDeps,
) {
  const options = { schema: { hide: true } }

  app.get(`${prefix}/payments`, options, async () => payments.list().map(presentPayment))
  app.get<ByReference>(`${prefix}/payments/:reference`, options, async (request) => {
    const payment = payments.find(request.params.reference)
    if (!payment) throw new Refusal(404, 'The card provider knows no payment with that reference.')
    return presentPayment(payment)
  })
  app.post<ByReference>(`${prefix}/payments/:reference/pay`, options, async (request) =>
    presentPayment(await payer.pay(request.params.reference, read(payRequest, request.body ?? {}))),
  )
  app.post<ByReference>(`${prefix}/payments/:reference/decline`, options, async (request) =>
    presentPayment(await payer.decline(request.params.reference, read(declineRequest, request.body ?? {}).reason)),
  )
  app.post<ByReference>(`${prefix}/payments/:reference/status`, options, async (request) =>
    presentPayment(await payer.setStatus(request.params.reference, read(statusRequest, request.body).status)),
  )
  app.post<ByReference>(`${prefix}/payments/:reference/webhook`, options, async (request) =>
    presentPayment(await payer.notifyAgain(request.params.reference)),
  )

  app.post<ByReference>(`${prefix}/payments/:reference/dispute`, options, async (request) =>
    presentPayment(await returns.dispute(request.params.reference, read(disputeRequest, request.body))),
  )
  app.post<ByReference>(`${prefix}/payments/:reference/refund`, options, async (request) =>
    presentPayment(await returns.refund(request.params.reference, read(refundRequest, request.body))),
  )

  app.get(`${prefix}/transfers`, options, async () => transfers.list().map(presentTransfer))
  app.post<ByReference>(`${prefix}/transfers/:reference/status`, options, async (request) => {
    const { status, reason } = read(transferRequest, request.body)
    return presentTransfer(await transfers.setStatus(request.params.reference, status, reason))
  })
  app.put(`${prefix}/transfers/settings`, options, async (request) => {
    const changes = read(transferSettings, request.body)
    await transfers.change(Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)))
    return transfers.settings
  })

  registerFaultRoutes(app, prefix, { faults, schema: cardFault, options })
  app.get(`${prefix}/calls`, options, async () => calls())
}

/** The pop-up's own calls, by its access code. A client that began no payment through the shop has the shop's public key instead. */
export function registerCardCheckout(app: FastifyInstance, prefix: string, { payments, payer, publicKey }: CardControlDeps) {
  const options = { schema: { hide: true } }
  app.post(prefix, options, async (request) => {
    const { key, ref, ...given } = read(beginRequest, request.body)
    if (key !== publicKey) throw new Refusal(401, 'The card provider does not know that public key.')
    const checked = checkNewPayment({ ...given, reference: ref })
    if ('body' in checked) throw new Refusal(400, (checked.body as { message: string }).message)
    const added = payments.add(checked)
    await payments.save()
    return presentCheckout(added)
  })
  const find = (accessCode: string) => {
    const payment = payments.findByAccessCode(accessCode)
    if (!payment) throw new Refusal(404, 'This payment is not known. Please start it again from the shop.')
    return payment
  }

  app.get<ByAccessCode>(`${prefix}/:accessCode`, options, async (request) => presentCheckout(find(request.params.accessCode)))
  app.post<ByAccessCode>(`${prefix}/:accessCode/pay`, options, async (request) =>
    presentCheckout(await payer.pay(find(request.params.accessCode).reference, { channel: 'card' })),
  )
  app.post<ByAccessCode>(`${prefix}/:accessCode/pay-later`, options, async (request) =>
    presentCheckout(await payer.pay(find(request.params.accessCode).reference, read(payLaterRequest, request.body))),
  )
  app.post<ByAccessCode>(`${prefix}/:accessCode/pay-by-phone`, options, async (request) =>
    presentCheckout(await payer.payByPhone(find(request.params.accessCode).reference, read(phoneRequest, request.body).mobileNumber)),
  )
  app.post<ByAccessCode>(`${prefix}/:accessCode/decline`, options, async (request) =>
    presentCheckout(await payer.decline(find(request.params.accessCode).reference, 'Your card was declined.')),
  )
}

function presentTransfer({ webhookEvents, ...transfer }: ReturnType<CardTransfers['list']>[number]) {
  return { ...transfer, webhookEvents: webhookEvents.map(({ id, state, attempts, lastResult }) => ({ id, state, attempts, lastResult })) }
}

/** A payment as `/sandbox` and tests see it. */
export function presentPayment({ webhookEvents, accessCode: _, paysAt, ...payment }: CardPayment) {
  return {
    ...payment,
    paysAt: paysAt === null ? null : new Date(paysAt).toISOString(),
    webhookEvents: webhookEvents.map(({ id, state, attempts, lastResult, dueAt }) => ({
      id,
      state,
      attempts,
      lastResult,
      dueAt: state === 'waiting' ? new Date(dueAt).toISOString() : null,
    })),
  }
}
export type PresentedPayment = ReturnType<typeof presentPayment>

function presentCheckout(payment: CardPayment) {
  return {
    id: payment.id,
    accessCode: payment.accessCode,
    reference: payment.reference,
    email: payment.email,
    amountPesewas: payment.requestedAmountPesewas,
    currency: payment.currency,
    channels: payment.channels,
    status: payment.status,
    message: payment.gatewayResponse,
    payingMobileNumber: PAYING_MOBILE_NUMBER,
    customer: customer(payment),
    success: payment.status === 'success' ? successData(payment) : null,
  }
}
