import { REFUND_CODES, REFUNDS_PENDING } from '../../ledger/accounts.ts'
import { postTransfer } from '../../ledger/ledger.ts'
import type { Tx } from '../../platform/db.ts'
import { type RefundRow, updateRefund } from './refunds-to-source.sql.ts'

/** What does not go back the way it came waits for the guest's code. Call it with the refund locked; once per refund. */
export async function postRefundCode(
  tx: Tx,
  refund: RefundRow,
  { now, actorId, note }: { now: Date; actorId: string | null; note: string | null },
): Promise<void> {
  await postTransfer(tx, {
    key: `refund-code:${refund.id}`,
    kind: 'refund-code',
    memo: `Refund of card payment ${refund.paymentReference} waits for the guest's code`,
    actorId,
    lines: [
      { accountId: REFUNDS_PENDING, amountPesewas: -refund.amountPesewas },
      { accountId: REFUND_CODES, amountPesewas: refund.amountPesewas },
    ],
    now,
  })
  await updateRefund(tx, refund, { status: 'code', askAt: null, providerNote: note, ...(actorId && { decidedBy: actorId }) })
}
