import type * as TransactionPinSqlModule from '../../server/features/people/transaction-pin/transaction-pin.sql.ts'
import { type Guard, guard, inModule } from './guard.ts'

/** Z. The transaction PIN. */
export const transactionPinsGuards: Guard[] = [
  guard('Z1', 1, 'that a try is counted before it is looked at', {
    replaced: [
      inModule<typeof TransactionPinSqlModule>('../../server/features/people/transaction-pin/transaction-pin.sql.ts').wrap(
        'takePinTry',
        async (_takePinTry, db, userId) => {
          const { rows } = await db.query(
            'select pin, 1 as tries, null::timestamptz as "lockedUntil" from transaction_pins where user_id = $1',
            [userId],
          )
          return rows[0] ?? null
        },
      ),
    ],
  }),
  guard('Z2', 4, 'that a purchase uses its proof up', {
    fromDatabase: async (db) => {
      await db.query(`create or replace function take_pin_proof(p_user uuid, p_hash bytea, p_now timestamptz) returns boolean language sql as $$
        select exists (select from pin_proofs where hash = p_hash and user_id = p_user and expires_at > p_now) $$`)
    },
  }),
]
