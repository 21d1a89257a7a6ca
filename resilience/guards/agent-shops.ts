import { type Guard, guard, withoutRowLocks, wrapFunction } from './guard.ts'
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
]
