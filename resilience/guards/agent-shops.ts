import type * as EarningsSqlModule from '../../server/features/agents/withdrawals/earnings.sql.ts'
import type * as RefundsSqlModule from '../../server/features/card/payments/refunds-to-source.sql.ts'
import type * as RefundCodesSqlModule from '../../server/features/card/refunds/refund-codes.sql.ts'
import type * as NumberCodesSqlModule from '../../server/features/people/numbers/number-codes.sql.ts'
import type * as LedgerModule from '../../server/ledger/ledger.ts'
import { type Guard, guard, inModule, withoutLocks, withoutRowLocks, wrapFunction } from './guard.ts'
import { decidedTwice } from './shared-guards.ts'

/** S. Agents' shops. */
export const agentShopsGuards: Guard[] = [
  guard('S1', 10, 'that a sale waits for whoever changes the catalogue', {
    fromDatabase: (db) => withoutRowLocks(db, 'place_shop_orders'),
  }),
  guard('S2', 1, 'that a guest is owed a refund once', {
    fromDatabase: (db) =>
      wrapFunction(db, 'owe_refund', (original) => `begin perform ${original()}; perform ${original({ p_order: 'null' })}; end`),
  }),
  guard('S3', 5, 'the trigger that lets an order be decided once, the key of its entries', {
    fromDatabase: async (db) => {
      await decidedTwice(db)
      await withoutRowLocks(db, 'release_profit')
    },
  }),
  guard('S4', 10, 'that a closed shop sells nothing', {
    fromDatabase: async (db) =>
      void (await db.query(`create or replace function shop_closed(p_shop uuid) returns text language sql as 'select null::text'`)),
  }),
  guard('S5', 10, 'that a refund whose outcome nobody knows is asked about and never sent again', {
    apart: true,
    fromDatabase: async (db) => void (await db.query('drop trigger refunds_guarded on refunds')),
    replaced: [
      inModule<typeof RefundsSqlModule>('../../server/features/card/payments/refunds-to-source.sql.ts').wrap(
        'updateRefund',
        (updateRefund, db, refund, change) => updateRefund(db, refund, change.status === 'unknown' ? { ...change, status: 'due' } : change),
      ),
    ],
  }),
  guard('S6', 10, 'the lock on a refund as its code is used, and that its entry has a key of its own', {
    fromDatabase: async (db) => void (await db.query('drop trigger refunds_guarded on refunds')),
    replaced: [
      inModule<typeof RefundCodesSqlModule>('../../server/features/card/refunds/refund-codes.sql.ts').wrap(
        'lockRefundByCode',
        (lockRefundByCode, tx, hash) => lockRefundByCode(withoutLocks(tx), hash),
      ),
      inModule<typeof LedgerModule>('../../server/ledger/ledger.ts').wrap('postTransfer', (postTransfer, tx, transfer) =>
        postTransfer(tx, { ...transfer, key: `${transfer.key}+${crypto.randomUUID()}` }),
      ),
    ],
  }),
  guard('S7', 10, 'that a sale waits for the end of a sub-agent and for whoever changes the catalogue', {
    fromDatabase: (db) => withoutRowLocks(db, 'place_shop_orders'),
  }),
  guard('S8', 10, 'that tries at a code are counted one after the other, and the limit of a code in the database', {
    fromDatabase: async (db) => void (await db.query('alter table payout_codes drop constraint payout_codes_wrong_check')),
    replaced: [
      inModule<typeof EarningsSqlModule>('../../server/features/agents/withdrawals/earnings.sql.ts').wrap(
        'lockEarningsOf',
        (lockEarningsOf, tx, userId) => lockEarningsOf(withoutLocks(tx), userId),
      ),
      inModule<typeof NumberCodesSqlModule>('../../server/features/people/numbers/number-codes.sql.ts').wrap(
        'lockLiveCodes',
        (lockLiveCodes, tx, place, limits) => lockLiveCodes(withoutLocks(tx), place, limits),
      ),
    ],
  }),
]
