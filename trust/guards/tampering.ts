import { editFunction, type Guard } from './guard.ts'
import { NO_ADMINS, noKey } from './shared-guards.ts'

/** C, D. Tampering and keys. */
export const tamperingGuards: Guard[] = [
  {
    experiment: 'C1',
    runs: 2,
    removed: 'the question who is an admin',
    fromProgram: [NO_ADMINS, ['server/platform/context.ts', "if (actor.level !== 'Admin') throw new Forbidden()", '']],
  },
  {
    experiment: 'C2',
    runs: 1,
    removed: 'the comparison with the price that the buyer saw',
    fromDatabase: (db) => editFunction(db, 'place_wallet_orders', [['if price <> item.seen then', 'if false then']]),
  },
  {
    experiment: 'C3',
    runs: 3,
    removed: 'that the day of an order is the server’s',
    fromDatabase: (db) =>
      editFunction(db, 'place_wallet_orders', [
        ['p_payment, new_reference(), p_now)', "p_payment, new_reference(), p_now - interval '6 years')"],
      ]),
  },
  {
    experiment: 'C4',
    runs: 3,
    removed: 'the level by which a price is chosen',
    fromDatabase: (db) =>
      editFunction(db, 'place_wallet_orders', [
        ["case when buyer.level = 'Customer' then k.price_customer_pesewas else k.price_agent_pesewas end as price", 'item.seen as price'],
      ]),
  },
  {
    experiment: 'C5',
    runs: 1,
    removed: 'that an upgrade must have been paid',
    fromProgram: [
      [
        'server/features/users/change-level.ts',
        "if (user?.level === 'Agent') return user",
        "await updateLevel(ctx.db as never, userId, 'Agent')\n  if (user) return user",
      ],
    ],
  },
  {
    experiment: 'C6',
    runs: 20,
    removed: 'the refusal of the whole cart for one bad item',
    fromDatabase: (db) => editFunction(db, 'place_wallet_orders', [["if refused <> '[]' then", 'if false then']]),
  },
  {
    experiment: 'C7',
    runs: 4,
    removed: 'the comparison with the price that the buyer saw',
    fromDatabase: (db) => editFunction(db, 'place_wallet_orders', [['if price <> item.seen then', 'if false then']]),
  },
  { experiment: 'D1', runs: 3, removed: 'the check of the idempotency key', fromDatabase: noKey },
  {
    experiment: 'D2',
    runs: 3,
    removed: 'the comparison of what a key stands for',
    fromDatabase: (db) => editFunction(db, 'place_wallet_orders', [['if known.request_hash <> p_request_hash then', 'if false then']]),
  },
  {
    experiment: 'D3',
    runs: 3,
    removed: 'that a key is its user’s own',
    fromDatabase: (db) => editFunction(db, 'place_wallet_orders', [['where user_id = p_user and key = p_key', 'where key = p_key']]),
  },
  {
    experiment: 'D4',
    runs: 2,
    removed: 'the form of a key',
    fromProgram: [['shared/orders.ts', 'z.regex(/^[A-Za-z0-9_-]{20,128}$/', 'z.regex(/^.*$/']],
  },
  {
    experiment: 'D5',
    runs: 2,
    removed: 'that an order’s own id is used once',
    fromDatabase: async (db) => void (await db.query('drop index if exists orders_client_id')),
  },
  { experiment: 'D6', runs: 2, removed: 'the keeping of what was answered', fromDatabase: noKey },
]
