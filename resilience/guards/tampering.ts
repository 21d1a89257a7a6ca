import type * as PgBossModule from 'pg-boss'
import * as z from 'zod/mini'
import type * as OrderRelaySqlModule from '../../server/features/delivery/order-relay/order-relay.sql.ts'
import type * as DeliveriesSqlModule from '../../server/features/orders/orders/deliveries.sql.ts'
import type * as OrdersSqlModule from '../../server/features/orders/orders/orders.sql.ts'
import type * as ChangeLevelModule from '../../server/features/people/users/change-level.ts'
import type * as RechargesSqlModule from '../../server/features/wallet/recharges/recharges.sql.ts'
import type * as LedgerModule from '../../server/ledger/ledger.ts'
import type * as AlarmsModule from '../../server/platform/alarms.ts'
import type { Db } from '../../server/platform/db.ts'
import type * as LockActorModule from '../../server/platform/lock-actor.ts'
import type * as QueuesModule from '../../server/platform/queues.ts'
import type * as FieldsModule from '../../shared/fields.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../shared/limits.ts'
import type * as MoneyModule from '../../shared/money.ts'
import type * as OrdersModule from '../../shared/orders.ts'
import type * as RechargesModule from '../../shared/recharges.ts'
import { NEW_KEYS } from './customer.ts'
import { beforeEach, type Guard, guard, inModule, replace, withEndpoint, wrapFunction } from './guard.ts'
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
  guard('C1', 2, 'the check that the caller is an admin', {
    replaced: [
      NO_ADMINS,
      replace<typeof LockActorModule>('../../server/platform/lock-actor.ts', {
        requireStaff: ({ lockActor }) => lockActor,
      }),
    ],
  }),
  guard('C2', 1, 'the comparison with the price that the buyer saw', { fromDatabase: anyPrice }),
  guard('C3', 3, 'that the server sets the date of an order', {
    fromDatabase: (db) => beforeEach(db, 'insert', 'orders', "new.created_at := new.created_at - interval '6 years';"),
  }),
  guard('C4', 3, 'the level by which a price is chosen (the price that was sent is taken)', {
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
  }),
  guard('C5', 1, 'that an upgrade must have been paid', {
    replaced: [
      inModule<typeof ChangeLevelModule>('../../server/features/people/users/change-level.ts').wrap(
        'changeLevel',
        async (changeLevel, ctx, wanted, claimUpgrade) => {
          const { updateLevel } = await import('../../server/features/people/users/users.sql.ts')
          if (wanted.level === 'Agent') await updateLevel(ctx.db as never, wanted.userId, 'Agent')
          return changeLevel(ctx, wanted, claimUpgrade)
        },
      ),
    ],
  }),
  guard('C6', 20, 'the refusal of the whole cart for one bad item', {
    fromDatabase: (db) =>
      wrapFunction(db, 'price_lines', (original) => `begin return query select * from ${original()} l where l.refused is null; end`),
  }),
  guard('C7', 4, 'the comparison with the price that the buyer saw', { fromDatabase: anyPrice }),
  guard('C8', 2, 'the comparison with the price that the buyer saw', { fromDatabase: anyPrice }),
  guard('C8', 2, 'that the money of a card payment is credited to the wallet before anything is bought', {
    replaced: [
      inModule<typeof LedgerModule>('../../server/ledger/ledger.ts').wrap('postTransfer', async (postTransfer, tx, transfer) =>
        transfer.kind === 'card-payment' ? (0 as never) : postTransfer(tx, transfer),
      ),
    ],
  }),
  guard('C9', 2, 'the check that a product is available', {
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
  }),
  guard('C10', 1, 'the form of an amount (any number is one)', {
    replaced: [
      replace<typeof MoneyModule>('../../shared/money.ts', {
        isCedis: () => (value) => !Number.isNaN(value),
        toPesewas: () => (cedis) => Math.round(cedis * 100),
      }),
    ],
  }),
  guard('C11', 2, 'the check that it is still undecided, and the triggers behind it', {
    fromDatabase: decidedTwice,
    replaced: [
      inModule<typeof OrdersSqlModule>('../../server/features/orders/orders/orders.sql.ts').wrap('lockOrder', async (lockOrder, tx, id) => {
        const order = await lockOrder(tx, id)
        return order && { ...order, status: 'pending' }
      }),
      inModule<typeof RechargesSqlModule>('../../server/features/wallet/recharges/recharges.sql.ts').wrap(
        'lockRecharge',
        async (lockRecharge, tx, id) => {
          const recharge = await lockRecharge(tx, id)
          return recharge && { ...recharge, status: 'pending' }
        },
      ),
    ],
  }),
  guard('C14', 1, 'the smallest and the largest recharge', {
    fromDatabase: async (db) => void (await db.query('alter table recharges drop constraint recharges_amount_pesewas_check')),
    replaced: [
      replace<typeof RechargesModule>('../../shared/recharges.ts', {
        rechargeEndpoints: ({ rechargeEndpoints }) =>
          withEndpoint(rechargeEndpoints, 'POST /recharge', { body: z.object({ amount: z.number() }) }),
      }),
    ],
  }),
  guard('C15', 2, "that a key is its user's own", { fromDatabase: keysOfAll }),
  guard('C15', 2, 'the end of a session at signing out', { replaced: [NO_SIGN_OUT] }),
  guard('C16', 1, 'the form of a phone number', {
    fromDatabase: async (db) => void (await db.query('alter table orders drop constraint orders_receiver_check')),
    replaced: [replace<typeof FieldsModule>('../../shared/fields.ts', { phone: () => z.string() as never })],
  }),
  guard('C17', 2, 'that only the key tells one purchase from another (the same cart again is taken for a repetition)', {
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
  }),
  guard('D1', 3, 'the check of the idempotency key', { fromDatabase: noKey }),
  guard('D2', 3, 'the comparison of a request with the one that its key was used for', {
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
  }),
  guard('D3', 3, "that a key is its user's own", { fromDatabase: keysOfAll }),
  guard('D4', 2, 'the form of a key', {
    replaced: [
      replace<typeof OrdersModule>('../../shared/orders.ts', {
        checkoutEndpoints: ({ checkoutEndpoints }) =>
          withEndpoint(checkoutEndpoints, 'POST /order/checkout', { headers: z.object({ [IDEMPOTENCY_KEY_HEADER]: z.string() }) }),
      }),
    ],
  }),
  guard('D5', 2, "that an order keeps its buyer's own id", {
    fromDatabase: (db) => beforeEach(db, 'insert', 'orders', 'new.client_id := null;'),
  }),
  guard('D6', 2, 'that the answer is stored', { fromDatabase: noKey }),
  guard('D7', 2, 'that an unanswered purchase is asked about under its own key', {
    replaced: [NEW_KEYS],
  }),
  guard('D9', 2, 'the row for each waiting order (the relay continues from the highest number that it has seen)', {
    fromDatabase: async (db) => {
      await db.query('create table relayed_to as select coalesce(max(seq), 0) as seq from orders')
      await db.query('grant select, update on relayed_to to public')
    },
    replaced: [
      replace<typeof OrderRelaySqlModule>('../../server/features/delivery/order-relay/order-relay.sql.ts', {
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
  }),
  guard('D10', 200, 'that one relay takes an order, that it has one job and that one job sends it', {
    fromDatabase: async (db) => void (await db.query('drop trigger supplier_deliveries_guarded on supplier_deliveries')),
    replaced: [
      replace<typeof OrderRelaySqlModule>('../../server/features/delivery/order-relay/order-relay.sql.ts', {
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
      inModule<typeof DeliveriesSqlModule>('../../server/features/orders/orders/deliveries.sql.ts').wrap(
        'lockDelivery',
        async (lockDelivery, tx, orderId) => {
          const delivery = await lockDelivery(tx, orderId)
          return delivery && { ...delivery, status: 'waiting' }
        },
      ),
    ],
  }),
  guard('D11', 1, 'that a job which has failed too often is kept as failed', {
    replaced: [
      replace<typeof PgBossModule>('pg-boss', {
        PgBoss: ({ PgBoss }) =>
          class extends PgBoss {
            override createQueue(...[name, options]: Parameters<InstanceType<typeof PgBoss>['createQueue']>) {
              const { deadLetter: _, ...others } = options ?? {}
              return super.createQueue(name, others)
            }
            // The second process would put it back.
            override async updateQueue() {}
          },
      }),
    ],
  }),
  guard('D11', 1, 'the alarm about a failed job', {
    replaced: [
      inModule<typeof AlarmsModule>('../../server/platform/alarms.ts').wrap('raiseAlarm', (raiseAlarm, log, alarm, facts) =>
        alarm === 'job-failed' ? undefined : raiseAlarm(log, alarm, facts),
      ),
    ],
  }),
]
