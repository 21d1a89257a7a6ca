import {
  ADJUSTMENTS,
  CARD_PAYMENTS_RECEIVED,
  MOBILE_MONEY_RECEIVED,
  PROVIDER_FEES,
  WITHDRAWAL_FEES,
  WITHDRAWALS_PENDING,
} from '../../../ledger/accounts.ts'
import { postTransfer } from '../../../ledger/ledger.ts'
import type { Tx } from '../../../platform/db.ts'
import type { WithdrawalRow } from './withdrawals.sql.ts'

type Booked = Pick<WithdrawalRow, 'id' | 'amountPesewas' | 'feePesewas' | 'phone'>
type How = { now: Date; actorId: string | null }

/**
 * Takes the amount out of the earnings, once per withdrawal.
 * @throws InsufficientBalance
 */
export async function postRequested(tx: Tx, withdrawal: Booked, accountId: number, { now, actorId }: How) {
  await postTransfer(tx, {
    key: `withdrawal:${withdrawal.id}`,
    kind: 'withdrawal',
    memo: `Withdrawal to ${withdrawal.phone}`,
    actorId,
    lines: [
      { accountId, amountPesewas: -withdrawal.amountPesewas },
      { accountId: WITHDRAWALS_PENDING, amountPesewas: withdrawal.amountPesewas },
    ],
    now,
  })
}

/** The whole amount goes back to the earnings, the fee included. */
export async function postReturned(tx: Tx, withdrawal: Booked, accountId: number, { now, actorId }: How) {
  await postTransfer(tx, {
    key: `withdrawal-returned:${withdrawal.id}`,
    kind: 'withdrawal-returned',
    memo: `Withdrawal to ${withdrawal.phone} was not paid`,
    actorId,
    lines: [
      { accountId: WITHDRAWALS_PENDING, amountPesewas: -withdrawal.amountPesewas },
      { accountId, amountPesewas: withdrawal.amountPesewas },
    ],
    now,
  })
}

/**
 * It was paid, from the provider's balance or from a phone. The agent's fee stays with the shop; what the provider took on top of the
 * amount is the shop's cost.
 */
export async function postPaid(
  tx: Tx,
  withdrawal: Booked,
  { now, actorId, byHand, providerFeePesewas = 0 }: How & { byHand: boolean; providerFeePesewas?: number },
) {
  const { id, amountPesewas, feePesewas, phone } = withdrawal
  await postTransfer(tx, {
    key: `withdrawal-paid:${id}`,
    kind: 'withdrawal-paid',
    memo: `Withdrawal to ${phone} was paid`,
    actorId,
    lines: [
      { accountId: WITHDRAWALS_PENDING, amountPesewas: -amountPesewas },
      {
        accountId: byHand ? MOBILE_MONEY_RECEIVED : CARD_PAYMENTS_RECEIVED,
        amountPesewas: amountPesewas - feePesewas + providerFeePesewas,
      },
      ...(feePesewas > 0 ? [{ accountId: WITHDRAWAL_FEES, amountPesewas: feePesewas }] : []),
      ...(providerFeePesewas > 0 ? [{ accountId: PROVIDER_FEES, amountPesewas: -providerFeePesewas }] : []),
    ],
    now,
  })
}

/** What was paid has come back to the provider's balance: the agent has it in the earnings again, the fee included. */
export async function postReversed(tx: Tx, withdrawal: Booked, accountId: number, now: Date) {
  const { id, amountPesewas, feePesewas, phone } = withdrawal
  await postTransfer(tx, {
    key: `withdrawal-reversed:${id}`,
    kind: 'withdrawal-returned',
    memo: `Withdrawal to ${phone} came back`,
    actorId: null,
    lines: [
      { accountId: CARD_PAYMENTS_RECEIVED, amountPesewas: -(amountPesewas - feePesewas) },
      ...(feePesewas > 0 ? [{ accountId: WITHDRAWAL_FEES, amountPesewas: -feePesewas }] : []),
      { accountId, amountPesewas },
    ],
    now,
  })
}

/** The provider paid what had gone back to the agent: a loss until somebody asks the agent for it. */
export async function postPaidLate(tx: Tx, { id, amountPesewas, feePesewas, phone }: Booked, now: Date) {
  await postTransfer(tx, {
    key: `withdrawal-late:${id}`,
    kind: 'withdrawal-paid',
    memo: `Withdrawal to ${phone} was paid after its money had gone back`,
    actorId: null,
    lines: [
      { accountId: ADJUSTMENTS, amountPesewas: -(amountPesewas - feePesewas) },
      { accountId: CARD_PAYMENTS_RECEIVED, amountPesewas: amountPesewas - feePesewas },
    ],
    now,
  })
}
