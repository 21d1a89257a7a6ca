import { editFunction, type Guard } from './guard.ts'
import { decidedTwice, NO_ADMINS, noKey, UNTIL_DECIDED } from './shared-guards.ts'

/** What settles a card payment for orders: its money comes into the wallet first. */
const NO_CREDIT = 'await creditWallet(tx, ctx, payment, wallet, paid.amountPesewas)\n  const lines'

/** C, D. Tampering and keys. */
export const tamperingGuards: Guard[] = [
  {
    experiment: 'C1',
    runs: 2,
    removed: 'the question who is an admin',
    fromProgram: [NO_ADMINS, ['server/platform/lock-actor.ts', "if (actor.level !== 'Admin') throw new Forbidden()", '']],
  },
  {
    experiment: 'C2',
    runs: 1,
    removed: 'the comparison with the price that the buyer saw',
    fromDatabase: (db) => editFunction(db, 'price_lines', [['when found.price <> line.seen then', 'when false then']]),
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
      editFunction(db, 'price_lines', [
        ["case p_level when 'Customer' then k.price_customer_pesewas else k.price_agent_pesewas end as price", 'line.seen as price'],
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
    fromDatabase: (db) => editFunction(db, 'price_lines', [['when found.price <> line.seen then', 'when false then']]),
  },
  {
    experiment: 'C8',
    runs: 2,
    removed: 'the comparison with the price that the buyer saw',
    fromDatabase: (db) => editFunction(db, 'price_lines', [['when found.price <> line.seen then', 'when false then']]),
  },
  {
    experiment: 'C8',
    runs: 2,
    removed: 'that a card’s money is put into the wallet before anything is bought',
    fromProgram: [['server/features/payments/settle-payment.ts', NO_CREDIT, NO_CREDIT.slice(NO_CREDIT.indexOf('\n'))]],
  },
  {
    experiment: 'C9',
    runs: 2,
    removed: 'the look at whether a product is on the shelf',
    fromDatabase: (db) => editFunction(db, 'price_lines', [["or found.status <> 'available'", '']]),
  },
  {
    experiment: 'C10',
    runs: 1,
    removed: 'the form of an amount (any number is one)',
    fromProgram: [
      ['shared/money.ts', 'Math.abs(pesewas) <= MAX_AMOUNT_PESEWAS && pesewas / 100 === value', 'pesewas <= Number.POSITIVE_INFINITY'],
    ],
  },
  {
    experiment: 'C11',
    runs: 2,
    removed: 'the question whether it is still to be decided, and the triggers behind it',
    fromDatabase: decidedTwice,
    fromProgram: UNTIL_DECIDED,
  },
  {
    experiment: 'C14',
    runs: 1,
    removed: 'the least and the most of a recharge',
    fromDatabase: async (db) => void (await db.query('alter table recharges drop constraint recharges_amount_pesewas_check')),
    fromProgram: [
      ['shared/recharges.ts', 'value >= MIN_RECHARGE', 'value > 0'],
      ['shared/recharges.ts', 'value <= MAX_RECHARGE', 'value > 0'],
    ],
  },
  {
    experiment: 'C15',
    runs: 2,
    removed: 'that a key is its user’s own',
    fromDatabase: (db) => editFunction(db, 'place_wallet_orders', [['where user_id = p_user and key = p_key', 'where key = p_key']]),
  },
  {
    experiment: 'C15',
    runs: 2,
    removed: 'the end of a session that is signed out of',
    fromProgram: [['server/features/auth/logout.ts', 'await deleteSession(ctx.db, sessionHash)', 'void deleteSession']],
  },
  {
    experiment: 'C16',
    runs: 1,
    removed: 'the form of a phone number',
    fromDatabase: async (db) => void (await db.query('alter table orders drop constraint orders_receiver_check')),
    fromProgram: [
      ['shared/phones.ts', 'z.regex(/^[0-9]{10}$/', 'z.regex(/^.*$/s'],
      ['shared/phones.ts', 'z.refine(isMobilePhone', 'z.refine(() => true'],
    ],
  },
  {
    experiment: 'C17',
    runs: 2,
    removed: 'that a key alone tells one purchase from another (the same cart again is taken for a repetition)',
    fromDatabase: (db) =>
      editFunction(db, 'place_wallet_orders', [
        ['where user_id = p_user and key = p_key', 'where user_id = p_user and (key = p_key or request_hash = p_request_hash)'],
      ]),
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
  {
    experiment: 'D7',
    runs: 2,
    inCopy: true,
    removed: 'that a purchase which was never answered is asked about under its own key',
    fromProgram: [
      ['web/features/checkout/pay-from-wallet.ts', '?? begin(attempt))', '?? begin({ ...attempt, key: crypto.randomUUID() }))'],
    ],
  },
  {
    experiment: 'D9',
    runs: 2,
    removed: 'the row for each order that waits (the relay goes on from the highest number that it has seen)',
    fromDatabase: async (db) => {
      await db.query('create table relayed_to as select coalesce(max(seq), 0) as seq from orders')
      await db.query('grant select, update on relayed_to to public')
    },
    fromProgram: [
      [
        'server/features/order-relay/order-relay.sql.ts',
        'ctid = any (array(select ctid from order_outbox limit $1 for update skip locked)) returning order_id\n     )',
        `order_id in (select id from orders, relayed_to where orders.seq > relayed_to.seq order by orders.seq limit $1) returning order_id
     ), moved as (update relayed_to set seq = greatest(seq, (select max(o.seq) from taken join orders o on o.id = taken.order_id)))`,
      ],
    ],
  },
  {
    experiment: 'D10',
    runs: 200,
    removed: 'that an order is taken by one relay alone, has one job alone and is sent by one job alone',
    fromDatabase: async (db) => void (await db.query('drop trigger supplier_deliveries_guarded on supplier_deliveries')),
    fromProgram: [
      [
        'server/features/order-relay/order-relay.sql.ts',
        'delete from order_outbox where ctid = any (array(select ctid from order_outbox limit $1 for update skip locked)) returning order_id\n     )',
        `select order_id, pg_sleep(0.002) from order_outbox limit $1
     ), gone as (delete from order_outbox where order_id in (select order_id from taken))`,
      ],
      ['server/features/order-relay/relay-new-orders.ts', 'sendJob(orderId)', '({ data: { orderId } })'],
      ['server/features/supplier/send-delivery.ts', "return status === 'waiting' ||", 'return true ||'],
    ],
  },
  {
    experiment: 'D11',
    runs: 1,
    removed: 'the parking of what has failed too often',
    fromProgram: [['server/platform/job-queue.ts', 'deadLetter: FAILED_QUEUE,', '']],
  },
  {
    experiment: 'D11',
    runs: 1,
    removed: 'the word to the operator that a job was parked',
    fromProgram: [['server/platform/job-queue.ts', "else raiseAlarm(log, 'job-failed', facts)", '']],
  },
]
