import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import type { PaymentProgress } from '../../../shared/payments.ts'
import { type Answer, fetchJson } from '../fetch-json.ts'
import {
  type CardPayments,
  type DisputeWebhookEvent,
  type InitializeOutcome,
  type PaidList,
  REFUND_STATUSES,
  type Verification,
} from './card-payments.ts'

export type PaystackSettings = {
  baseUrl: string
  secretKey: string
  /** During a key change, events signed with the old key are accepted too. */
  previousSecretKey?: string | undefined
  publicKey: string
  callbackUrl: string
}

const TIMEOUT_MS = 10_000
/** How long before its payment a transaction may have been begun: the list is cut by the earlier time. */
const LONGEST_PAYING_MS = 3_600_000
const LISTED = 20
/** Payers in Ghana use a card or mobile money. */
const CHANNELS = ['card', 'mobile_money']

const initialized = z.object({ status: z.literal(true), data: z.object({ access_code: z.string().min(1), reference: z.string() }) })
const transactionData = z.object({
  status: z.string(),
  reference: z.string(),
  amount: z.number().int().nonnegative(),
  requested_amount: z.number().int().nonnegative().nullish(),
  // Known once the payment succeeded (Paystack, "Verify Transaction").
  fees: z.number().int().nonnegative().nullish().catch(null),
  currency: z.string(),
  domain: z.string(),
  gateway_response: z.string().nullish(),
  customer: z.object({ email: z.string().nullish() }).nullish().catch(null),
  created_at: z.iso
    .datetime({ offset: true })
    .transform((at) => new Date(at))
    .nullish()
    .catch(null),
})
const verified = z.object({ status: z.literal(true), data: transactionData })
const customerFound = z.object({ status: z.literal(true), data: z.object({ id: z.number().int().positive() }) })
const listed = z.object({
  status: z.literal(true),
  data: z.array(transactionData.extend({ paid_at: z.iso.datetime({ offset: true }).transform((at) => new Date(at)) })).max(20),
})
const refused = z.object({ status: z.literal(false), message: z.string(), code: z.string().optional() })
const text = z.string().nullish().catch(null)
const webhookEvent = z.object({
  event: z.string(),
  data: z
    .object({
      reference: z.string().optional(),
      transaction_reference: text,
      transaction: z.object({ reference: text }).nullish().catch(null),
    })
    .loose(),
})
const id = z.union([z.number().int().positive(), z.string().min(1).max(100)]).transform(String)
/** The provider sends a refund's amount as a number or as text. */
const wholePesewas = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.number().int().nonnegative())
const dispute = z.object({
  data: z.object({
    id,
    refund_amount: z.number().int().nonnegative().nullish(),
    currency: text,
    status: z.string(),
    resolution: text,
    category: text,
    dueAt: text,
    resolvedAt: text,
    transaction: z.object({ reference: z.string().min(1), amount: z.number().int().nonnegative().nullish(), status: text, currency: text }),
    customer: z.object({ email: text }).nullish().catch(null),
  }),
})
const refund = z.object({
  data: z.object({
    id: id.nullish().catch(null),
    refund_reference: id.nullish().catch(null),
    transaction_reference: z.string().min(1),
    amount: wholePesewas,
    currency: z.string(),
    status: z.enum(REFUND_STATUSES),
  }),
})

/**
 * Paystack's initialize, verify and signed webhook events, following its API reference (base `https://api.paystack.co`,
 * bearer secret key, amounts in pesewas, HMAC-SHA512 of the raw body).
 */
export function createPaystack(settings: PaystackSettings): CardPayments {
  const headers = { authorization: `Bearer ${settings.secretKey}` }
  const secrets = [settings.secretKey, settings.previousSecretKey].filter((secret) => secret !== undefined && secret !== '') as string[]

  return {
    publicKey: settings.publicKey,

    async initialize({ reference, amountPesewas, email, metadata }): Promise<InitializeOutcome> {
      const answer = await fetchJson(`${settings.baseUrl}/transaction/initialize`, {
        method: 'POST',
        headers,
        timeoutMs: TIMEOUT_MS,
        body: {
          reference,
          amount: amountPesewas,
          email,
          currency: 'GHS',
          channels: CHANNELS,
          callback_url: settings.callbackUrl,
          metadata,
        },
      })
      if (answer.outcome === 'unknown') return answer
      const ok = initialized.safeParse(answer.body)
      if (ok.success && ok.data.data.reference === reference) return { outcome: 'accepted', accessCode: ok.data.data.access_code }
      const no = refused.safeParse(answer.body)
      if (no.success && answer.status < 500) return { outcome: 'rejected', reason: no.data.message }
      return { outcome: 'unknown', reason: `an answer with status ${answer.status} that makes no sense` }
    },

    async verify(reference): Promise<Verification> {
      const answer = await fetchJson(`${settings.baseUrl}/transaction/verify/${encodeURIComponent(reference)}`, {
        headers,
        timeoutMs: TIMEOUT_MS,
      })
      if (answer.outcome === 'unknown') return answer
      const ok = verified.safeParse(answer.body)
      if (ok.success) return readTransaction(ok.data.data, reference)
      const no = refused.safeParse(answer.body)
      if (no.success && [400, 404].includes(answer.status) && isUnknownReference(no.data)) {
        return {
          outcome: 'not-paid',
          final: false,
          reason: 'the provider does not know this reference',
          progress: 'unfinished',
          isUnknownReference: true,
        }
      }
      return doubt(answer)
    },

    // The list takes a customer by number alone ("List Transactions", "Fetch Customer").
    async listPaid({ email, since }): Promise<PaidList> {
      const known = await fetchJson(`${settings.baseUrl}/customer/${encodeURIComponent(email)}`, { headers, timeoutMs: TIMEOUT_MS })
      if (known.outcome === 'unknown') return known
      const found = customerFound.safeParse(known.body)
      if (!found.success) {
        const no = refused.safeParse(known.body)
        if (no.success && [400, 404].includes(known.status) && isUnknownCustomer(no.data)) return { outcome: 'listed', payments: [] }
        return doubt(known)
      }
      const query = new URLSearchParams({
        customer: String(found.data.data.id),
        status: 'success',
        from: new Date(since.getTime() - LONGEST_PAYING_MS).toISOString(),
        perPage: String(LISTED),
      })
      const answer = await fetchJson(`${settings.baseUrl}/transaction?${query}`, { headers, timeoutMs: TIMEOUT_MS })
      if (answer.outcome === 'unknown') return answer
      const ok = listed.safeParse(answer.body)
      if (!ok.success) return doubt(answer)
      const payments = ok.data.data.flatMap((data) => {
        const paid = readTransaction(data, data.reference)
        return paid.outcome === 'paid' && data.paid_at >= since ? [{ reference: data.reference, paidAt: data.paid_at, paid }] : []
      })
      return { outcome: 'listed', payments }
    },

    readWebhook(rawBody, signature) {
      if (!isSigned(rawBody, signature, secrets)) return null
      const parsed = webhookEvent.safeParse(parseJson(rawBody))
      return parsed.success
        ? { event: parsed.data.event, reference: referenceOf(parsed.data.data) }
        : { event: 'unreadable', reference: null }
    },

    readDispute(body) {
      const parsed = dispute.safeParse(parseJson(Buffer.from(body)))
      if (!parsed.success) return null
      const { data } = parsed.data
      return {
        id: data.id,
        reference: data.transaction.reference,
        amountPesewas: data.refund_amount ?? data.transaction.amount ?? 0,
        currency: data.currency ?? data.transaction.currency ?? 'GHS',
        category: data.category ?? 'chargeback',
        status: data.status,
        resolution: data.resolution ?? null,
        outcome: outcomeOf(data),
        payerEmail: data.customer?.email ?? null,
        dueAt: readTime(data.dueAt),
        decidedAt: readTime(data.resolvedAt),
      }
    },

    readRefund(body) {
      const parsed = refund.safeParse(parseJson(Buffer.from(body)))
      if (!parsed.success) return null
      const { data } = parsed.data
      return {
        id: data.id ?? data.refund_reference ?? null,
        reference: data.transaction_reference,
        amountPesewas: data.amount,
        currency: data.currency,
        status: data.status,
      }
    },
  }
}

/** `status: true` only means that the call worked; `data.status` says whether money came. */
function readTransaction(data: z.output<typeof transactionData>, reference: string): Verification {
  if (data.reference !== reference) return { outcome: 'unknown', reason: 'the answer was about another reference' }
  switch (data.status) {
    case 'success': {
      // When the payer bears the fee, `amount` includes it; `requested_amount` is what we asked for.
      const amountPesewas = Math.min(data.amount, data.requested_amount ?? data.amount)
      return {
        outcome: 'paid',
        amountPesewas,
        feePesewas: typeof data.fees === 'number' ? Math.min(amountPesewas, Math.max(0, amountPesewas - (data.amount - data.fees))) : null,
        currency: data.currency,
        isTest: data.domain !== 'live',
        payerEmail: data.customer?.email ?? null,
        ...(data.created_at ? { begunAt: data.created_at } : {}),
      }
    }
    case 'reversed':
      return { outcome: 'reversed', reason: data.gateway_response ?? 'the payment was reversed' }
    default:
      return { outcome: 'not-paid', final: false, reason: data.gateway_response ?? data.status, progress: progressOf(data.status) }
  }
}

/** `abandoned` until the payer tries to pay; `pending`, `ongoing` and similar while under way. */
function progressOf(status: string): PaymentProgress {
  if (status === 'abandoned') return 'unfinished'
  return status === 'failed' ? 'declined' : 'under-way'
}

/** Disputes and refunds carry the payment's reference in another field. */
function referenceOf({ reference, transaction, transaction_reference: named }: z.output<typeof webhookEvent>['data']): string | null {
  return reference ?? transaction?.reference ?? named ?? null
}

function readTime(time: string | null | undefined): Date | null {
  const read = time ? new Date(time) : null
  return read && !Number.isNaN(read.getTime()) ? read : null
}

/**
 * `auto-accepted`: an unanswered dispute; `merchant-accepted`: we gave in; `declined`: we contested it. Paystack documents no appeal, nor what
 * a wholly reversed payment says after one: it stays lost (docs/security.md, "What was not tried").
 */
function outcomeOf({ status, resolution, transaction }: z.output<typeof dispute>['data']): DisputeWebhookEvent['outcome'] {
  if (status !== 'resolved') return 'open'
  if (transaction.status === 'reversed' || resolution?.endsWith('accepted')) return 'lost'
  return resolution === 'declined' ? 'won' : 'unclear'
}

function isUnknownReference({ code, message }: z.output<typeof refused>): boolean {
  return code === 'transaction_not_found' || code === 'not_found' || /not found/i.test(message)
}

function isUnknownCustomer({ code, message }: z.output<typeof refused>): boolean {
  return code === 'customer_not_found' || code === 'not_found' || /not found/i.test(message)
}

function doubt({ status, body }: Extract<Answer, { outcome: 'answered' }>): { outcome: 'unknown'; reason: string } {
  const no = refused.safeParse(body)
  return { outcome: 'unknown', reason: no.success ? no.data.message : `an answer with status ${status} that makes no sense` }
}

function isSigned(rawBody: Buffer, signature: string | undefined, secrets: string[]): boolean {
  if (signature === undefined || !/^[0-9a-f]{128}$/.test(signature)) return false
  const given = Buffer.from(signature, 'hex')
  return secrets.some((secret) => timingSafeEqual(createHmac('sha512', secret).update(rawBody).digest(), given))
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'))
  } catch {
    return null
  }
}
