import type * as RecordModule from '../../server/features/wallet/received-payments/record-payments.ts'
import { type Guard, guard, inModule } from './guard.ts'

const UNPROVEN = inModule<typeof RecordModule>('../../server/features/wallet/received-payments/record-payments.ts').wrap(
  'recordLocked',
  async (recordLocked, tx, ctx, items, reader) => {
    const recorded = await recordLocked(tx, ctx, items, reader)
    await tx.query(`update received_payments set doubts = array_remove(doubts, 'unproven') where 'unproven' = any (doubts)`)
    return recorded
  },
)

/** X. Forwarded payments. */
export const forwardingGuards: Guard[] = [
  guard('X1', 1, 'that a payment waits until its balance follows from the one before', { replaced: [UNPROVEN] }),
  guard('X2', 1, 'that a payment waits until its balance follows from the one before', { replaced: [UNPROVEN] }),
]
