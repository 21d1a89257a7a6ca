import type { CustomerRefundRow } from './refunds-of-customers.sql.ts'

export const NOT_ENOUGH = 'You have spent some of it, so it can’t go back any more.'

/** Why the refund of an order stays in the wallet, in words for the customer; null when it may go back the way it was paid. */
export function findReasonToKeep(
  { inWalletPesewas, balancePesewas, roomPesewas, holdReason, enabled }: CustomerRefundRow,
  { available }: { available: boolean },
): string | null {
  if (!enabled || !available) return 'We don’t send refunds back to cards and phones now. It is in your wallet.'
  if (holdReason !== null || roomPesewas < inWalletPesewas) {
    return 'The bank or the card provider is returning this payment already, so we can’t send it too. Please ask us if in doubt.'
  }
  return balancePesewas < inWalletPesewas ? NOT_ENOUGH : null
}
