import { formatPesewas } from '../../../shared/money.ts'
import { REFUND_CODES, REFUNDS_PENDING } from '../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../ledger/ledger.ts'
import type { Tx } from '../../platform/db.ts'
import { type RefundRow, updateRefund } from './refunds-to-source.sql.ts'

type Decided = { now: Date; actorId: string | null; note: string | null }

/**
 * What does not go back the way it came: a guest's waits for their code, a customer's is in their wallet again. Call it with the refund
 * locked; once per refund.
 */
export async function postRefundNotSent(tx: Tx, refund: RefundRow, { now, actorId, note }: Decided): Promise<void> {
  const { id, userId, amountPesewas, paymentReference } = refund
  const decided = { askAt: null, providerNote: note, ...(actorId && { decidedBy: actorId }) }
  if (userId === null) {
    await postTransfer(tx, {
      key: `refund-code:${id}`,
      kind: 'refund-code',
      memo: `Refund of card payment ${paymentReference} waits for the guest's code`,
      actorId,
      lines: [
        { accountId: REFUNDS_PENDING, amountPesewas: -amountPesewas },
        { accountId: REFUND_CODES, amountPesewas },
      ],
      now,
    })
    await updateRefund(tx, refund, { status: 'code', ...decided })
    return
  }
  const { accountId } = await lockWalletOf(tx, userId, now)
  await postTransfer(tx, {
    key: `refund-returned:${id}`,
    kind: 'refund-returned',
    memo: `GHS ${formatPesewas(amountPesewas)} could not go back to your card or phone, so it is in your wallet again`,
    actorId,
    lines: [
      { accountId: REFUNDS_PENDING, amountPesewas: -amountPesewas },
      { accountId, amountPesewas },
    ],
    now,
  })
  await updateRefund(tx, refund, { status: 'wallet', ...decided, endedAt: now })
}
