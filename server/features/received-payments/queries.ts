import type { Queryable } from '../../platform/db.ts'
import { eightDigits, matchPayments, type PaymentMatch } from './match-payments.ts'
import { type ReceivedPaymentRow, selectCandidates, selectKnownPayers, selectWaitingPayments } from './received-payments.sql.ts'

export type PaymentMatchRow = PaymentMatch<ReceivedPaymentRow>

/** Every payment that waits, with the request that it is for and what speaks for and against it. */
export async function readMatches(db: Queryable, now: Date): Promise<PaymentMatchRow[]> {
  const payments = await selectWaitingPayments(db)
  if (payments.length === 0) return []
  const [requests, payers] = await Promise.all([
    selectCandidates(db, {
      references: [...new Set(payments.flatMap(({ reference }) => [...eightDigits(reference)]))],
      phones: distinct(payments.flatMap(({ payerPhone, typedPhone }) => [payerPhone, typedPhone])),
      amounts: [...new Set(payments.map(({ amountPesewas }) => amountPesewas))],
      now,
    }),
    selectKnownPayers(db, distinct(payments.map(({ payerName }) => payerName))),
  ])
  return matchPayments(payments, requests, payers)
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))]
}
