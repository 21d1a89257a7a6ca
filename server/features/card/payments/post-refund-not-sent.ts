import { formatPesewas } from '../../../../shared/money.ts'
import { DISPUTE_LOSSES, REFUND_CODES, REFUNDS_PENDING } from '../../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../../ledger/ledger.ts'
import type { Tx } from '../../../platform/db.ts'
import { lockPayment } from './payments.sql.ts'
import { type RefundRow, updateRefund } from './refunds-to-source.sql.ts'

type Decided = { now: Date; actorId: string | null; note: string | null }

/**
 * What does not go back the way it came: a guest's waits for their code, a customer's is in their wallet again. What the bank has given
 * back meanwhile is taken from there. Call it with the payment and then the refund locked; once per refund.
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
    const coded = await updateRefund(tx, refund, { status: 'code', ...decided })
    // A part of it is for a person, as with any other code.
    if (!coded || (await selectLoss(tx, refund)) < amountPesewas) return
    await recover(tx, refund, { accountId: REFUND_CODES, amountPesewas, now })
    await updateRefund(tx, coded, { status: 'returned', endedAt: now })
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
  const lostPesewas = Math.min(await selectLoss(tx, refund), amountPesewas)
  if (lostPesewas > 0) await recover(tx, refund, { accountId, amountPesewas: lostPesewas, now })
}

async function selectLoss(tx: Tx, { paymentReference }: RefundRow): Promise<number> {
  return (await lockPayment(tx, paymentReference))?.lossPesewas ?? 0
}

/** Makes good with what came back what the bank had taken while the refund was under way. */
async function recover(
  tx: Tx,
  { id, paymentReference }: RefundRow,
  { accountId, amountPesewas, now }: { accountId: number; amountPesewas: number; now: Date },
): Promise<void> {
  await postTransfer(tx, {
    key: `dispute-recovered:${id}`,
    kind: 'dispute-recovered',
    memo: `Card payment ${paymentReference}: your bank has given GHS ${formatPesewas(amountPesewas)} back to you`,
    actorId: null,
    lines: [
      { accountId, amountPesewas: -amountPesewas },
      { accountId: DISPUTE_LOSSES, amountPesewas },
    ],
    now,
  })
  await tx.query('select change_loss($1, 0, -$2::bigint, $3)', [paymentReference, amountPesewas, now])
}
