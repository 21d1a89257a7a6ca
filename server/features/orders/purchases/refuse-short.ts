import { formatPesewas } from '../../../../shared/money.ts'
import { InsufficientBalance } from '../../../platform/errors.ts'
import type { DisputedWallet } from './purchases.sql.ts'

/** For a wallet that is too empty; of one that a bank keeps money out of, why. */
export function refuseShort(dispute: DisputedWallet | null | undefined): InsufficientBalance {
  if (!dispute) return new InsufficientBalance('Insufficient balance. Please top up your wallet.')
  const paid = dispute.payments === 1 ? 'a payment' : `${dispute.payments} payments`
  return new InsufficientBalance(
    `Your bank is looking into ${paid} of ¢${formatPesewas(dispute.paidPesewas)}. Until it has decided, ¢${formatPesewas(dispute.heldPesewas)} of your wallet can’t be spent. Talk to us on WhatsApp.`,
  )
}
