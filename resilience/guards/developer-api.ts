import type * as BulkSqlModule from '../../server/features/orders/bulk/bulk.sql.ts'
import type * as ReferralsSqlModule from '../../server/features/people/referrals/referrals.sql.ts'
import type * as PublicAddressModule from '../../server/integrations/webhooks/public-address.ts'
import type * as LedgerModule from '../../server/ledger/ledger.ts'
import { type Guard, guard, inModule, withoutLocks, wrapFunction } from './guard.ts'

/** V. Agents' programs. */
export const developerApiGuards: Guard[] = [
  guard('V1', 10, 'that a key which bought an order buys no list', {
    replaced: [inModule<typeof BulkSqlModule>('../../server/features/orders/bulk/bulk.sql.ts').wrap('hasBoughtOrders', async () => false)],
  }),
  guard('V2', 4, 'that the statement which buys looks at the key and its owner once more', {
    fromDatabase: (db) =>
      wrapFunction(
        db,
        'place_key_orders',
        () => `begin
          return place_wallet_orders((select user_id from api_keys where hash = p_hash), p_key, p_request_hash, p_items, p_now);
        end`,
      ),
  }),
  guard('V3', 1, 'that an event is written as the order is decided', {
    fromDatabase: async (db) => void (await db.query('drop trigger orders_api_event on orders')),
  }),
  guard('V4', 10, 'the lock on the referral, and that its entry has a key of its own', {
    apart: true,
    replaced: [
      inModule<typeof LedgerModule>('../../server/ledger/ledger.ts').wrap('postTransfer', (postTransfer, tx, transfer) =>
        postTransfer(tx, { ...transfer, key: `${transfer.key}+${crypto.randomUUID()}` }),
      ),
      inModule<typeof ReferralsSqlModule>('../../server/features/people/referrals/referrals.sql.ts').wrap(
        'lockDue',
        (lockDue, tx, id, now) => lockDue(withoutLocks(tx), id, now),
      ),
    ],
  }),
  guard('V5', 1, 'that every address of a name must be public (those of this machine pass)', {
    replaced: [
      inModule<typeof PublicAddressModule>('../../server/integrations/webhooks/public-address.ts').wrap(
        'isPublicAddress',
        (isPublic, address) => isPublic(address) || address.startsWith('127.'),
      ),
    ],
  }),
]
