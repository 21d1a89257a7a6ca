import * as z from 'zod'
import { fetchJson } from '../fetch-json.ts'
import type { ListedRefund, RefundOutcome, RefundsToSource } from './payouts.ts'

const TIMEOUT_MS = 15_000
const MOST_REFUNDS = 50

const id = z.union([z.number().int().positive(), z.string().min(1).max(100)]).transform(String)
const wholePesewas = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.number().int().nonnegative())
const refused = z.object({ status: z.literal(false), message: z.string(), code: z.string().optional() })
const requested = z.object({ status: z.literal(true), data: z.object({ id: id.nullish().catch(null) }) })
const listed = z.object({
  status: z.literal(true),
  data: z.array(
    z.object({ id, amount: wholePesewas, currency: z.string(), status: z.string(), merchant_note: z.string().nullish().catch(null) }),
  ),
})

/** Paystack's refunds (`POST /refund`, `GET /refund`): a card or phone that paid gets its money back from the shop's balance there. */
export function createPaystackRefunds(settings: { baseUrl: string; secretKey: string }): RefundsToSource {
  const headers = { authorization: `Bearer ${settings.secretKey}` }
  return {
    available: true,

    async request({ reference, amountPesewas, note }): Promise<RefundOutcome> {
      const answer = await fetchJson(`${settings.baseUrl}/refund`, {
        method: 'POST',
        headers,
        timeoutMs: TIMEOUT_MS,
        body: { transaction: reference, amount: amountPesewas, currency: 'GHS', merchant_note: note },
      })
      if (answer.outcome === 'unknown') return answer
      const ok = requested.safeParse(answer.body)
      if (ok.success) return { outcome: 'accepted', id: ok.data.data.id ?? null }
      const no = refused.safeParse(answer.body)
      if (no.success && [400, 404, 422].includes(answer.status)) return { outcome: 'rejected', reason: no.data.message }
      return { outcome: 'unknown', reason: no.success ? no.data.message : `an answer with status ${answer.status} that makes no sense` }
    },

    async list(reference): Promise<ListedRefund[] | null> {
      const query = new URLSearchParams({ transaction: reference, perPage: String(MOST_REFUNDS) })
      const answer = await fetchJson(`${settings.baseUrl}/refund?${query}`, { headers, timeoutMs: TIMEOUT_MS })
      if (answer.outcome === 'unknown') return null
      const ok = listed.safeParse(answer.body)
      return ok.success
        ? ok.data.data.map(({ merchant_note, amount, ...refund }) => ({ ...refund, amountPesewas: amount, note: merchant_note ?? null }))
        : null
    },
  }
}
