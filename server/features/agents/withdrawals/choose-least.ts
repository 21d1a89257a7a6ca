import type { Rules } from './rules.sql.ts'

/** Paystack refuses a transfer of less, as its simulator does (sandbox/card/transfer-calls.ts). */
const LEAST_TRANSFER_PESEWAS = 100

/** The least that can be withdrawn, in pesewas: what is left of it after the fee is a sum that can be sent. */
export function chooseLeast({ minimumPesewas, feePesewas, byHand }: Rules, providerPays: boolean): number {
  return Math.max(minimumPesewas, feePesewas + (providerPays && !byHand ? LEAST_TRANSFER_PESEWAS : 1))
}
