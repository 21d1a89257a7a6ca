import { setTimeout as wait } from 'node:timers/promises'
import type * as RefundsOfCustomersModule from '../../server/features/card/refunds/refunds-of-customers.sql.ts'
import type * as OrdersSqlModule from '../../server/features/orders/orders/orders.sql.ts'
import type * as ReportsSqlModule from '../../server/features/orders/orders/reports.sql.ts'
import type * as PurchasesSqlModule from '../../server/features/orders/purchases/purchases.sql.ts'
import type * as RechargesSqlModule from '../../server/features/wallet/recharges/recharges.sql.ts'
import type * as ChangeBalanceModule from '../../server/features/wallet/wallet/change-balance.ts'
import type * as PayoutsModule from '../../server/integrations/payments/paystack-payouts.ts'
import { beforeEach, type Guard, guard, inModule, replace, withoutLocks, withoutRowLocks, wrapFunction } from './guard.ts'
import { decidedTwice, lostUpdates, NO_WALLET_LOCK, noKey, noLock, noLockNoCheck } from './shared-guards.ts'

const NO_RECHARGE_LOCK = inModule<typeof RechargesSqlModule>('../../server/features/wallet/recharges/recharges.sql.ts').wrap(
  'lockRecharge',
  (lockRecharge, tx, id) => lockRecharge(withoutLocks(tx), id),
)

const NO_ORDER_LOCK = inModule<typeof OrdersSqlModule>('../../server/features/orders/orders/orders.sql.ts').wrap(
  'lockOrder',
  (lockOrder, tx, id) => lockOrder(withoutLocks(tx), id),
)

/** A. Races for money. */
export const moneyGuards: Guard[] = [
  guard('A1', 10, "the wallet's lock (`for update`), while the CHECK still holds", { fromDatabase: noLock }),
  guard('A1', 10, 'the lock and the CHECK (balance ≥ 0)', { fromDatabase: noLockNoCheck }),
  guard('A2', 10, 'the check of the idempotency key', { fromDatabase: noKey }),
  guard('A3', 40, 'the lock and the CHECK', { fromDatabase: noLockNoCheck }),
  guard('A4', 10, 'the lock and the CHECK, with carts of five', { fromDatabase: noLockNoCheck }),
  guard('A5', 200, 'the locks on a wallet, and that it is added to in one statement', {
    fromDatabase: lostUpdates,
    replaced: [NO_WALLET_LOCK],
  }),
  guard('A6', 2, 'the locks on a wallet, and that it is added to in one statement', {
    fromDatabase: lostUpdates,
    replaced: [NO_WALLET_LOCK],
  }),
  guard('A7', 32, 'the lock on the recharge, the trigger against a second decision and the one entry per key', {
    fromDatabase: decidedTwice,
    replaced: [NO_RECHARGE_LOCK],
  }),
  guard('A8', 80, 'the same guards, for approve against decline', {
    fromDatabase: decidedTwice,
    replaced: [NO_RECHARGE_LOCK],
  }),
  guard('A9', 80, 'the lock on the order, the trigger against a second decision and the one refund per order', {
    fromDatabase: decidedTwice,
    replaced: [NO_ORDER_LOCK],
  }),
  guard('A10', 10, "the key of an admin's change of a balance", {
    replaced: [
      inModule<typeof ChangeBalanceModule>('../../server/features/wallet/wallet/change-balance.ts').wrap(
        'changeBalance',
        (changeBalance, ctx, request) => changeBalance(ctx, request, null),
      ),
    ],
  }),
  guard('A11', 20, 'the locks on a wallet, and that it is added to in one statement', {
    fromDatabase: lostUpdates,
    replaced: [NO_WALLET_LOCK],
  }),
  guard('A12', 100, 'that the wallets of an entry are locked in one order', {
    fromDatabase: (db) => withoutRowLocks(db, 'post_entry'),
  }),
  guard('A13', 1, 'that a house account has no row that every purchase updates (one is, and locked for 15 ms, as by a slow disk)', {
    fromDatabase: (db) =>
      wrapFunction(
        db,
        'post_entry',
        (original) => `begin
          insert into account_totals as kept (account_id, pesewas) select id, 0 from unnest(p_accounts) house (id) where id < 1000
          on conflict (account_id) do update set pesewas = kept.pesewas;
          if p_kind = 'order' then perform pg_sleep(0.015); end if;
          return ${original()};
        end`,
      ),
  }),
  guard('A14', 3, 'the lock and the CHECK in the database (each process has a lock of its own)', {
    fromDatabase: async (db) => {
      await noLockNoCheck(db)
      // After the balance was read and before it is compared, so that others come between.
      await wrapFunction(db, 'price_lines', (original) => `begin perform pg_sleep(0.005); return query select * from ${original()}; end`)
    },
    replaced: [
      replace<typeof PurchasesSqlModule>('../../server/features/orders/purchases/purchases.sql.ts', {
        placeOrdersOfSession({ placeOrdersOfSession }) {
          let before: Promise<unknown> = Promise.resolve()
          return (db, purchase) => {
            const placed = before.then(() => placeOrdersOfSession(db, purchase))
            before = placed.catch(() => undefined)
            return placed
          }
        },
      }),
    ],
  }),
  guard('A15', 80, 'the lock on the order, the trigger and the one refund per order', {
    fromDatabase: decidedTwice,
    replaced: [NO_ORDER_LOCK],
  }),
  guard('A16', 60, "that a refusal for too little money changes nothing (the wallet's version increases)", {
    fromDatabase: (db) =>
      wrapFunction(
        db,
        'place_wallet_orders',
        (original) => `declare result jsonb := ${original()};
        begin
          if result ->> 'code' = 'INSUFFICIENT_BALANCE' then update wallets set version = version + 1 where user_id = p_user; end if;
          return result;
        end`,
      ),
  }),
  guard('A19', 40, 'the lock on the wallet as a list is bought, and that its key is unique', {
    fromDatabase: async (db) => {
      await withoutRowLocks(db, 'place_bulk_orders')
      await db.query('alter table bulk_jobs drop constraint bulk_jobs_user_id_key_key')
    },
  }),
  guard('A20', 40, 'that the prices of a list are compared with those that its buyer saw', {
    fromDatabase: (db) =>
      wrapFunction(db, 'place_bulk_orders', (original) => {
        const now = `(select price_agent_pesewas from packages where product_id = (line ->> 'product')::uuid and offer = line ->> 'offer')`
        const lines = `(select jsonb_agg(line || jsonb_build_object('seen', ${now})) from jsonb_array_elements(p_lines) line)`
        const total = `(select sum(${now})::bigint from jsonb_array_elements(p_lines) line)`
        return `begin return ${original({ p_lines: lines, p_total: total })}; end`
      }),
  }),
  guard('A21', 3, 'that the key of a list is kept', {
    fromDatabase: (db) => beforeEach(db, 'insert', 'bulk_jobs', 'new.key := gen_random_uuid(); return new;'),
  }),
  guard('A22', 2, 'that the time of a schedule moves on with its list, and that the key of a list is kept', {
    fromDatabase: async (db) => {
      await beforeEach(db, 'insert', 'bulk_jobs', 'new.key := gen_random_uuid(); return new;')
      await beforeEach(
        db,
        'update',
        'bulk_schedules',
        'if new.last_job_id is distinct from old.last_job_id then new.next_at := old.next_at; end if; return new;',
      )
    },
  }),
  guard('A18', 40, 'the lock on the earnings as a refund takes them back', {
    fromDatabase: (db) => withoutRowLocks(db, 'take_back_profit'),
  }),
  guard('A23', 20, 'that a transfer whose outcome nobody knows is not taken for a refused one', {
    apart: true,
    replaced: [
      replace<typeof PayoutsModule>('../../server/integrations/payments/paystack-payouts.ts', {
        createPaystackPayouts:
          ({ createPaystackPayouts }) =>
          (settings) => {
            const payouts = createPaystackPayouts(settings)
            const send: typeof payouts.send = async (payout) => {
              const said = await payouts.send(payout)
              return said.outcome === 'unknown' ? { ...said, outcome: 'rejected' } : said
            }
            return { ...payouts, send }
          },
      }),
    ],
  }),
  guard('A24', 15, 'the locks on payment and wallet as a refund is asked for, and that an order has one', {
    apart: true,
    fromDatabase: async (db) =>
      void (await db.query('alter table refunds drop constraint refunds_order_id_key; drop trigger refunds_within_payment on refunds')),
    replaced: [
      NO_WALLET_LOCK,
      replace<typeof RefundsOfCustomersModule>('../../server/features/card/refunds/refunds-of-customers.sql.ts', {
        lockPaymentOf: () => () => wait(20),
      }),
    ],
  }),
  guard('A17', 40, 'the locks on order and report, what keeps a report from ending twice and an order from two refunds', {
    fromDatabase: async (db) => {
      await decidedTwice(db)
      await db.query('drop trigger reports_guarded on reports; drop index reports_one_refund')
    },
    replaced: [
      NO_ORDER_LOCK,
      inModule<typeof ReportsSqlModule>('../../server/features/orders/orders/reports.sql.ts').wrap('lockReport', (lockReport, tx, id) =>
        lockReport(withoutLocks(tx), id),
      ),
    ],
  }),
]
