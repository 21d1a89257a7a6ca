import type * as WhatsappSqlModule from '../../server/features/channels/whatsapp/whatsapp.sql.ts'
import type * as TransactionPinSqlModule from '../../server/features/people/transaction-pin/transaction-pin.sql.ts'
import { type Guard, guard, inModule, replace } from './guard.ts'

/** U. Buying in a chat. */
export const whatsappGuards: Guard[] = [
  guard('U2', 2, 'that a message is known by its id, and answered by one process at a time', {
    replaced: [
      replace<typeof WhatsappSqlModule>('../../server/features/channels/whatsapp/whatsapp.sql.ts', {
        isReceived: () => async () => false,
        insertReceived: () => async () => true,
        takeClaim:
          () =>
          async (_db, { id, by }) => ({ id, by, session: null }),
        updateClaimSession: () => async () => true,
      }),
    ],
    fromDatabase: async (db) => {
      await db.query('alter table whatsapp_messages drop constraint whatsapp_messages_reply_to_key')
    },
  }),
  guard('U2', 1, 'that a wrong PIN is counted, over all processes', {
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
]
