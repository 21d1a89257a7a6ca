import * as z from 'zod'
import type { PayoutNetwork } from '../../../shared/withdrawal-rules.ts'
import { type Answer, fetchJson } from '../fetch-json.ts'
import type { PayoutStatus, Payouts, RecipientOutcome, SendOutcome } from './payouts.ts'

const TIMEOUT_MS = 15_000

/** Codes of `GET /bank?currency=GHS&type=mobile_money`. */
const BANK_CODES: Record<PayoutNetwork, string> = { MTN: 'MTN', Telecel: 'VOD', AirtelTigo: 'ATL' }

const refused = z.object({ status: z.literal(false), message: z.string(), code: z.string().optional() })
const named = z.object({ status: z.literal(true), data: z.object({ recipient_code: z.string().min(1).max(100) }) })
const sent = z.object({ status: z.literal(true), data: z.object({ reference: z.string(), status: z.string() }) })
const verified = z.object({
  status: z.literal(true),
  data: z.object({
    reference: z.string(),
    status: z.string(),
    amount: z.number().int().nonnegative(),
    currency: z.string(),
    domain: z.string(),
    // Only in newer replies (Paystack, "Verify Transfer").
    fee_charged: z.number().int().nonnegative().nullish().catch(null),
    gateway_response: z.string().nullish().catch(null),
  }),
})

/**
 * Paystack's transfers to mobile money, following its API reference. A reference has lower-case letters and digits, at least 16.
 */
export function createPaystackPayouts(settings: { baseUrl: string; secretKey: string }): Payouts {
  const headers = { authorization: `Bearer ${settings.secretKey}` }
  const post = (path: string, body: unknown) =>
    fetchJson(`${settings.baseUrl}${path}`, { method: 'POST', headers, timeoutMs: TIMEOUT_MS, body })

  return {
    available: true,

    async nameRecipient({ network, phone, name }): Promise<RecipientOutcome> {
      const body = { type: 'mobile_money', name, account_number: phone, bank_code: BANK_CODES[network], currency: 'GHS' }
      const answer = await post('/transferrecipient', body)
      if (answer.outcome === 'unknown') return answer
      const ok = named.safeParse(answer.body)
      if (ok.success) return { outcome: 'accepted', recipientCode: ok.data.data.recipient_code }
      const no = refused.safeParse(answer.body)
      // A wrong key or too many calls say nothing about the number.
      if (no.success && (answer.status === 400 || answer.status === 422)) return { outcome: 'rejected', reason: no.data.message }
      return { outcome: 'unknown', reason: no.success ? no.data.message : strange(answer) }
    },

    async send({ reference, amountPesewas, recipientCode, reason }): Promise<SendOutcome> {
      const body = { source: 'balance', amount: amountPesewas, recipient: recipientCode, reference, reason, currency: 'GHS' }
      const answer = await post('/transfer', body)
      if (answer.outcome === 'unknown') {
        return answer.neverSent ? { outcome: 'refused-for-now', reason: answer.reason } : answer
      }
      const ok = sent.safeParse(answer.body)
      // Whether it was paid is asked, also when this answer says so.
      if (ok.success)
        return ok.data.data.reference === reference ? { outcome: 'accepted' } : { outcome: 'unknown', reason: strange(answer) }
      const no = refused.safeParse(answer.body)
      if (!no.success || answer.status >= 500) return { outcome: 'unknown', reason: no.success ? no.data.message : strange(answer) }
      // The reference is ours alone, so a payout with it was received before: ask what became of it.
      if (isRepeated(no.data)) return { outcome: 'unknown', reason: no.data.message }
      if (no.data.code === 'invalid_transfer_recipient') return { outcome: 'rejected', reason: no.data.message }
      return { outcome: 'refused-for-now', reason: no.data.message }
    },

    async queryStatus(reference): Promise<PayoutStatus> {
      const answer = await fetchJson(`${settings.baseUrl}/transfer/verify/${encodeURIComponent(reference)}`, {
        headers,
        timeoutMs: TIMEOUT_MS,
      })
      if (answer.outcome === 'unknown') return { outcome: 'unknown', reason: answer.reason }
      const ok = verified.safeParse(answer.body)
      if (ok.success) {
        return ok.data.data.reference === reference
          ? readTransfer(ok.data.data)
          : { outcome: 'unknown', reason: 'the answer was about another reference' }
      }
      const no = refused.safeParse(answer.body)
      if (no.success && [400, 404].includes(answer.status) && isNotFound(no.data)) return { outcome: 'not-found', reason: no.data.message }
      return { outcome: 'unknown', reason: no.success ? no.data.message : strange(answer) }
    },
  }
}

/** Statuses of Paystack's "How transfers work". Those it may add later are not final. */
function readTransfer(data: z.output<typeof verified>['data']): PayoutStatus {
  const reason = data.gateway_response ?? data.status
  switch (data.status) {
    case 'success':
      return {
        outcome: 'paid',
        amountPesewas: data.amount,
        feePesewas: data.fee_charged ?? null,
        currency: data.currency,
        isTest: data.domain !== 'live',
      }
    case 'failed':
    case 'abandoned':
    case 'blocked':
    case 'rejected':
      return { outcome: 'failed', reason }
    case 'reversed':
      return { outcome: 'reversed', reason }
    default:
      return { outcome: 'under-way', reason, needs: data.status === 'otp' ? 'otp' : null }
  }
}

function isRepeated({ code, message }: z.output<typeof refused>): boolean {
  return code === 'duplicate_reference' || (/reference/i.test(message) && /(exist|duplicate|already|used)/i.test(message))
}

function isNotFound({ code, message }: z.output<typeof refused>): boolean {
  return code === 'transfer_not_found' || code === 'not_found' || /transfer.*not found/i.test(message)
}

function strange(answer: Extract<Answer, { outcome: 'answered' }>): string {
  return `an answer with status ${answer.status} that makes no sense`
}
