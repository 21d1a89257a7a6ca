import type * as PgBossModule from 'pg-boss'
import * as z from 'zod/mini'
import type * as OrderRelaySqlModule from '../../server/features/order-relay/order-relay.sql.ts'
import type * as DeliveriesSqlModule from '../../server/features/orders/deliveries.sql.ts'
import type * as OrdersSqlModule from '../../server/features/orders/orders.sql.ts'
import type * as RechargesSqlModule from '../../server/features/recharges/recharges.sql.ts'
import type * as ChangeLevelModule from '../../server/features/users/change-level.ts'
import type * as LedgerModule from '../../server/ledger/ledger.ts'
import type * as AlarmsModule from '../../server/platform/alarms.ts'
import type { Db } from '../../server/platform/db.ts'
import type * as LockActorModule from '../../server/platform/lock-actor.ts'
import type * as QueuesModule from '../../server/platform/queues.ts'
import type * as MoneyModule from '../../shared/money.ts'
import type * as OrdersModule from '../../shared/orders.ts'
import type * as PhonesModule from '../../shared/phones.ts'
import type * as RechargesModule from '../../shared/recharges.ts'
import { NEW_KEYS } from './customer.ts'
import { beforeEach, type Guard, replace, withEndpoint, wrapFunction } from './guard.ts'
import { decidedTwice, NO_ADMINS, NO_SIGN_OUT, noKey } from './shared-guards.ts'

/** Whatever was seen, the line is sold at the current price. */
const anyPrice = (db: Db) =>
  wrapFunction(
    db,
    'price_lines',
    (original) => `begin
      return query select l.product_id, l.network, l.offer, l.image_hash, l.receiver, l.client_id, l.price_pesewas,
        case when l.refused ->> 'code' = 'PRICE_CHANGED' then null else l.refused end
      from ${original()} l;
    end`,
  )

/** A key of another user stands for that user's purchase. */
const keysOfAll = (db: Db) =>
  wrapFunction(
    db,
    'place_wallet_orders',
    (original) => `declare known record;
    begin
      select k.request_hash, k.outcome into known from idempotency_keys k where k.key = p_key and k.user_id <> p_user;
      if not found then return ${original()}; end if;
      if known.request_hash <> p_request_hash then return '{"outcome": "key-reused", "replayed": false}'; end if;
      return known.outcome || '{"replayed": true}';
    end`,
  )

/** C, D. Tampering and keys. */
export const tamperingGuards: Guard[] = [
  {
    experiment: 'C1',
    runs: 2,
    removed: 'the check that the caller is an admin',
    replaced: [
      NO_ADMINS,
      replace<typeof LockActorModule>('../../server/platform/lock-actor.ts', {
        requireAdmin: ({ lockActor }) => lockActor,
      }),
    ],
  },
  { experiment: 'C2', runs: 1, removed: 'the comparison with the price that the buyer saw', fromDatabase: anyPrice },
  {
    experiment: 'C3',
    runs: 3,
    removed: 'that the server sets the date of an order',
    fromDatabase: (db) => beforeEach(db, 'insert', 'orders', "new.created_at := new.created_at - interval '6 years';"),
  },
  {
    experiment: 'C4',
    runs: 3,
    removed: 'the level by which a price is chosen (the price that was sent is taken)',
    fromDatabase: (db) =>
      wrapFunction(
        db,
        'price_lines',
        (original) => `begin
          return query select l.product_id, l.network, l.offer, l.image_hash, l.receiver, l.client_id, (sent.line ->> 'seen')::bigint,
            case when l.refused ->> 'code' = 'PRICE_CHANGED' then null else l.refused end
          from ${original()} with ordinality
            as l (product_id, network, offer, image_hash, receiver, client_id, price_pesewas, refused, place)
          join jsonb_array_elements(p_lines) with ordinality sent (line, place) using (place) order by place;
        end`,
      ),
  },
  {
    experiment: 'C5',
    runs: 1,
    removed: 'that an upgrade must have been paid',
    replaced: [
      replace<typeof ChangeLevelModule>('../../server/features/users/change-level.ts', {
        changeLevel:
          ({ changeLevel }) =>
          async (ctx, wanted) => {
            const { updateLevel } = await import('../../server/features/users/users.sql.ts')
            if (wanted.level === 'Agent') await updateLevel(ctx.db as never, wanted.userId, 'Agent')
            return changeLevel(ctx, wanted)
          },
      }),
    ],
  },
  {
    experiment: 'C6',
    runs: 20,
    removed: 'the refusal of the whole cart for one bad item',
    fromDatabase: (db) =>
      wrapFunction(db, 'price_lines', (original) => `begin return query select * from ${original()} l where l.refused is null; end`),
  },
  { experiment: 'C7', runs: 4, removed: 'the comparison with the price that the buyer saw', fromDatabase: anyPrice },
  { experiment: 'C8', runs: 2, removed: 'the comparison with the price that the buyer saw', fromDatabase: anyPrice },
  {
    experiment: 'C8',
    runs: 2,
    removed: 'that the money of a card payment is credited to the wallet before anything is bought',
    replaced: [
      replace<typeof LedgerModule>('../../server/ledger/ledger.ts', {
        postTransfer:
          ({ postTransfer }) =>
          async (tx, transfer) =>
            transfer.kind === 'card-payment' ? (0 as never) : postTransfer(tx, transfer),
      }),
    ],
  },
  {
    experiment: 'C9',
    runs: 2,
    removed: 'the check that a product is available',
    fromDatabase: (db) =>
      wrapFunction(
        db,
        'price_lines',
        (original) => `begin
          return query select l.product_id, l.network, l.offer, l.image_hash, l.receiver, l.client_id, l.price_pesewas,
            case when l.price_pesewas is not null and l.refused ->> 'code' = 'NOT_AVAILABLE' then null else l.refused end
          from ${original()} l;
        end`,
      ),
  },
  {
    experiment: 'C10',
    runs: 1,
    removed: 'the form of an amount (any number is one)',
    replaced: [
      replace<typeof MoneyModule>('../../shared/money.ts', {
        isCedis: () => (value) => !Number.isNaN(value),
        toPesewas: () => (cedis) => Math.round(cedis * 100),
      }),
    ],
  },
  {
    experiment: 'C11',
    runs: 2,
    removed: 'the check that it is still undecided, and the triggers behind it',
    fromDatabase: decidedTwice,
    replaced: [
      replace<typeof OrdersSqlModule>('../../server/features/orders/orders.sql.ts', {
        lockOrder:
          ({ lockOrder }) =>
          async (tx, id) => {
            const order = await lockOrder(tx, id)
            return order && { ...order, status: 'pending' }
          },
      }),
      replace<typeof RechargesSqlModule>('../../server/features/recharges/recharges.sql.ts', {
        lockRecharge:
          ({ lockRecharge }) =>
          async (tx, id) => {
            const recharge = await lockRecharge(tx, id)
            return recharge && { ...recharge, status: 'pending' }
          },
      }),
    ],
  },
  {
    experiment: 'C14',
    runs: 1,
    removed: 'the smallest and the largest recharge',
    fromDatabase: async (db) => void (await db.query('alter table recharges drop constraint recharges_amount_pesewas_check')),
    replaced: [
      replace<typeof RechargesModule>('../../shared/recharges.ts', {
        rechargeEndpoints: ({ rechargeEndpoints }) =>
          withEndpoint(rechargeEndpoints, 'POST /recharge', { body: z.object({ amount: z.number() }) }),
      }),
    ],
  },
  { experiment: 'C15', runs: 2, removed: "that a key is its user's own", fromDatabase: keysOfAll },
  { experiment: 'C15', runs: 2, removed: 'the end of a session at signing out', replaced: [NO_SIGN_OUT] },
  {
    experiment: 'C16',
    runs: 1,
    removed: 'the form of a phone number',
    fromDatabase: async (db) => void (await db.query('alter table orders drop constraint orders_receiver_check')),
    replaced: [replace<typeof PhonesModule>('../../shared/phones.ts', { phone: () => z.string() as never })],
  },
  {
    experiment: 'C17',
    runs: 2,
    removed: 'that only the key tells one purchase from another (the same cart again is taken for a repetition)',
    fromDatabase: (db) =>
      wrapFunction(
        db,
        'place_wallet_orders',
        (original) =>
          `begin return ${original({
            p_key: `coalesce(
            (select k.key from idempotency_keys k where k.user_id = p_user and k.request_hash = p_request_hash limit 1), p_key)`,
          })}; end`,
      ),
  },
  { experiment: 'D1', runs: 3, removed: 'the check of the idempotency key', fromDatabase: noKey },
  {
    experiment: 'D2',
    runs: 3,
    removed: 'the comparison of a request with the one that its key was used for',
    fromDatabase: (db) =>
      wrapFunction(
        db,
        'place_wallet_orders',
        (original) =>
          `begin return ${original({
            p_request_hash: `coalesce(
            (select k.request_hash from idempotency_keys k where k.user_id = p_user and k.key = p_key), p_request_hash)`,
          })}; end`,
      ),
  },
  { experiment: 'D3', runs: 3, removed: "that a key is its user's own", fromDatabase: keysOfAll },
  {
    experiment: 'D4',
    runs: 2,
    removed: 'the form of a key',
    replaced: [
      replace<typeof OrdersModule>('../../shared/orders.ts', {
        checkoutEndpoints: ({ checkoutEndpoints, IDEMPOTENCY_KEY_HEADER }) =>
          withEndpoint(checkoutEndpoints, 'POST /order/checkout', { headers: z.object({ [IDEMPOTENCY_KEY_HEADER]: z.string() }) }),
      }),
    ],
  },
  {
    experiment: 'D5',
    runs: 2,
    removed: "that an order's own id is used once",
    fromDatabase: async (db) => void (await db.query('drop index if exists orders_client_id')),
  },
  { experiment: 'D6', runs: 2, removed: 'that the answer is stored', fromDatabase: noKey },
  {
    experiment: 'D7',
    runs: 2,
    removed: 'that an unanswered purchase is asked about under its own key',
    replaced: [NEW_KEYS],
  },
  {
    experiment: 'D9',
    runs: 2,
    removed: 'the row for each waiting order (the relay continues from the highest number that it has seen)',
    fromDatabase: async (db) => {
      await db.query('create table relayed_to as select coalesce(max(seq), 0) as seq from orders')
      await db.query('grant select, update on relayed_to to public')
    },
    replaced: [
      replace<typeof OrderRelaySqlModule>('../../server/features/order-relay/order-relay.sql.ts', {
        takeNewOrders: () => async (tx, limit) => {
          const { rows } = await tx.query(
            `with taken as (
                 select o.* from orders o, relayed_to r where o.seq > r.seq order by o.seq limit $1
               ), moved as (update relayed_to set seq = greatest(seq, (select max(seq) from taken)))
               , gone as (delete from order_outbox where order_id in (select id from taken))
               select id, network, offer, reference, status from taken order by seq`,
            [limit],
          )
          return rows
        },
      }),
    ],
  },
  {
    experiment: 'D10',
    runs: 200,
    removed: 'that one relay takes an order, that it has one job and that one job sends it',
    fromDatabase: async (db) => void (await db.query('drop trigger supplier_deliveries_guarded on supplier_deliveries')),
    replaced: [
      replace<typeof OrderRelaySqlModule>('../../server/features/order-relay/order-relay.sql.ts', {
        takeNewOrders: () => async (tx, limit) => {
          const { rows } = await tx.query(
            `with taken as (select order_id, pg_sleep(0.002) from order_outbox limit $1),
                 gone as (delete from order_outbox where order_id in (select order_id from taken))
               select o.id, o.network, o.offer, o.reference, o.status from taken join orders o on o.id = taken.order_id order by o.seq`,
            [limit],
          )
          return rows
        },
      }),
      replace<typeof QueuesModule>('../../server/platform/queues.ts', {
        sendJob: () => (orderId) => ({ data: { orderId } }),
      }),
      replace<typeof DeliveriesSqlModule>('../../server/features/orders/deliveries.sql.ts', {
        lockDelivery:
          ({ lockDelivery }) =>
          async (tx, orderId) => {
            const delivery = await lockDelivery(tx, orderId)
            return delivery && { ...delivery, status: 'waiting' }
          },
      }),
    ],
  },
  {
    experiment: 'D11',
    runs: 1,
    removed: 'that a job which has failed too often is kept as failed',
    replaced: [
      replace<typeof PgBossModule>('pg-boss', {
        PgBoss: ({ PgBoss }) =>
          class extends PgBoss {
            override createQueue(...[name, options]: Parameters<InstanceType<typeof PgBoss>['createQueue']>) {
              const { deadLetter: _, ...others } = options ?? {}
              return super.createQueue(name, others)
            }
          },
      }),
    ],
  },
  {
    experiment: 'D11',
    runs: 1,
    removed: 'the alarm about a failed job',
    replaced: [
      replace<typeof AlarmsModule>('../../server/platform/alarms.ts', {
        raiseAlarm:
          ({ raiseAlarm }) =>
          (log, alarm, facts) =>
            alarm === 'job-failed' ? undefined : raiseAlarm(log, alarm, facts),
      }),
    ],
  },
]
