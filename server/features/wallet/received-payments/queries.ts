import type { Queryable } from '../../../platform/db.ts'
import { selectOwnersOf } from '../../people/numbers/confirmed-numbers.sql.ts'
import { type Claimant, selectClaimants } from './claims.sql.ts'
import { eightDigits, matchPayments, numbersOf, type PaymentMatch } from './match-payments.ts'
import { type ReceivedPaymentRow, selectCandidates, selectKnownPayers, selectWaitingPayments } from './received-payments.sql.ts'

/** `isKnown`: the payer was credited to this customer before, by this network. */
export type Claim = Claimant & { isKnown: boolean }
export type PaymentMatchRow = PaymentMatch<ReceivedPaymentRow> & { claims: Claim[] }

/** Every payment that waits, with the request that it is for and what speaks for and against it. */
export async function readMatches(db: Queryable, now: Date): Promise<PaymentMatchRow[]> {
  const payments = await selectWaitingPayments(db)
  if (payments.length === 0) return []
  const phones = distinct(payments.flatMap(numbersOf))
  const [requests, payers, owners, claimants] = await Promise.all([
    selectCandidates(db, {
      references: [...new Set(payments.flatMap(({ reference }) => [...eightDigits(reference)]))],
      phones,
      amounts: [...new Set(payments.map(({ amountPesewas }) => amountPesewas))],
      now,
    }),
    selectKnownPayers(db, distinct(payments.map(({ payerName }) => payerName))),
    selectOwnersOf(db, phones),
    selectClaimants(
      db,
      payments.map(({ transactionId }) => transactionId),
      now,
    ),
  ])
  const isKnown = ({ userId }: Claimant, { network, payerName, byAgent }: ReceivedPaymentRow) =>
    !byAgent &&
    payers.some((one) => one.userId === userId && one.network === network && one.payerName.toLowerCase() === payerName?.toLowerCase())
  return matchPayments(payments, requests, payers, owners).map((match) => ({
    ...match,
    claims: claimants
      .filter(({ transactionId }) => transactionId === match.payment.transactionId)
      .map((claimant) => ({ ...claimant, isKnown: isKnown(claimant, match.payment) })),
  }))
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))]
}
