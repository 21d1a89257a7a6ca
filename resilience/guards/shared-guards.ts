import { createHmac } from 'node:crypto'
import type * as AppModule from '../../server/app.ts'
import type * as JobsModule from '../../server/features/card/payments/jobs.ts'
import type * as SessionsSqlModule from '../../server/features/people/sessions/sessions.sql.ts'
import type * as PaystackModule from '../../server/integrations/payments/paystack.ts'
import type * as LedgerModule from '../../server/ledger/ledger.ts'
import type { Wallet } from '../../server/ledger/ledger.ts'
import type { Db } from '../../server/platform/db.ts'
import { isForStaff } from '../../shared/endpoint.ts'
import { beforeEach, changeFastify, inModule, replace, withoutRowLocks, wrapFunction } from './guard.ts'

export const noLock = (db: Db) => withoutRowLocks(db, 'place_wallet_orders')

export async function noLockNoCheck(db: Db) {
  await noLock(db)
  await db.query('alter table wallets drop constraint wallet_not_below_zero')
  await db.query('alter table postings drop constraint postings_balance_after_pesewas_check')
}

/** Forgets every idempotency key. */
export const noKey = (db: Db) => beforeEach(db, 'insert', 'idempotency_keys', 'return null;')

/** Reads each wallet's balance and later writes the sum, without locks. */
export async function lostUpdates(db: Db) {
  await noLock(db)
  await withoutRowLocks(db, 'post_entry')
  await wrapFunction(
    db,
    'post_entry',
    (original) => `
      declare
        entry bigint;
        balances bigint[] := array(
          select coalesce(w.balance_pesewas, 0) from unnest(p_accounts) with ordinality a (id, place)
          left join wallets w on w.account_id = a.id order by a.place);
      begin
        perform pg_sleep(0.01);
        entry := ${original()};
        update wallets w set balance_pesewas = balances[a.place] + p_amounts[a.place]
        from unnest(p_accounts) with ordinality a (id, place) where w.account_id = a.id;
        return entry;
      end`,
  )
}

export const NO_WALLET_LOCK = replace<typeof LedgerModule>('../../server/ledger/ledger.ts', {
  lockWallet: ({ findWallet }) => findWallet,
  lockWalletOf:
    ({ findWallet }) =>
    async (tx, userId) =>
      (await findWallet(tx, userId)) as Wallet,
})

/** Anything may be decided again, and each decision moves money. */
export async function decidedTwice(db: Db) {
  await db.query('drop trigger orders_decided_once on orders; drop trigger recharges_decided_once on recharges')
  await wrapFunction(db, 'post_entry', (original) => `begin return ${original({ p_key: "p_key || ':' || gen_random_uuid()" })}; end`)
}

/** Every endpoint for staff is open to whoever is signed in; writes still check again in their transaction. */
export const NO_ADMINS = changeFastify({
  prepare(app) {
    app.addHook('onRoute', ({ config }) => {
      if (config?.access && isForStaff(config.access)) config.access = 'signed-in'
    })
  },
})

/** Signs every webhook event before it is checked. */
export const NO_SIGNATURE = inModule<typeof PaystackModule>('../../server/integrations/payments/paystack.ts').wrap(
  'createPaystack',
  (createPaystack, settings) => {
    const card = createPaystack(settings)
    const sign = (body: Buffer) => createHmac('sha512', settings.secretKey).update(body).digest('hex')
    return { ...card, readWebhook: (body) => card.readWebhook(body, sign(body)) }
  },
)

/** Open payments are not checked. */
export const NO_CHECKS = replace<typeof JobsModule>('../../server/features/card/payments/jobs.ts', {
  checkOpenPayments: () => async () => {},
})

/** Requests go to a database that is away, and wait for it. */
export const NO_LOOK_AT_THE_DATABASE = inModule<typeof AppModule>('../../server/app.ts').wrap('buildApp', (buildApp, deps) =>
  buildApp({ ...deps, isDatabaseAlive: () => true }),
)

/** Signing out leaves the session as it is. */
export const NO_SIGN_OUT = replace<typeof SessionsSqlModule>('../../server/features/people/sessions/sessions.sql.ts', {
  deleteSession: () => async () => {},
})

/** Calls of services outside are redirected wherever these want. */
export function followRedirects() {
  const { fetch } = globalThis
  globalThis.fetch = (to, init) => fetch(to, { ...init, redirect: 'follow' })
}
