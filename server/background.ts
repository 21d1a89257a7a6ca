import { type ResetMail, sendPasswordResets } from './features/auth/send-password-resets.ts'
import { deleteExpiredSessions } from './features/auth/sessions.sql.ts'
import type { CardDesk } from './features/payments/card-desk.ts'
import { checkOpenPayments, handleWebhookEvents } from './features/payments/jobs.ts'
import { checkLedger } from './ledger/check-ledger.ts'
import type { Ctx } from './platform/context.ts'
import { type Db, transaction } from './platform/db.ts'
import { type Job, startJob } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import type { Realtime } from './platform/realtime.ts'

const SECOND_MS = 1_000
/** Any number that no other advisory lock uses. */
const FOLD_LOCK = 0x64776166
const HOUR_MS = 3_600 * SECOND_MS

type Deps = { db: Db; log: Log; realtime: Realtime; now: () => Date; desk: CardDesk; resetMail: ResetMail }

/** What the shop does by itself. Each job's work stands in the database, so any process may do it and none loses it. */
export type Background = { payments: Job; mails: Job; stop(): Promise<void> }

export function openBackground({ db, log, realtime, now, desk, resetMail }: Deps): Background {
  const ctx = (): Ctx => ({ db, log, realtime, now: now(), actor: null, ip: null })
  const payments = startJob({
    name: 'payments',
    everyMs: 5 * SECOND_MS,
    log,
    work: async () => {
      await handleWebhookEvents(ctx(), desk)
      await checkOpenPayments(ctx(), desk)
    },
  })
  const mails = startJob({ name: 'password mails', everyMs: 5 * SECOND_MS, log, work: () => sendPasswordResets(ctx(), resetMail) })
  const fold = startJob({ name: 'fold totals', everyMs: 30 * SECOND_MS, log, work: () => foldTotals(ctx()) })
  const daily = startJob({ name: 'daily check', everyMs: 24 * HOUR_MS, log, work: () => checkBooks(ctx()) })
  return {
    payments,
    mails,
    async stop() {
      await Promise.all([payments.stop(), mails.stop(), fold.stop(), daily.stop()])
    },
  }
}

const KEEP_KEYS_MS = 7 * 24 * HOUR_MS

async function checkBooks(ctx: Ctx) {
  await deleteExpiredSessions(ctx.db, ctx.now)
  await ctx.db.query('delete from idempotency_keys where created_at < $1', [new Date(ctx.now.getTime() - KEEP_KEYS_MS)])
  const violations = await checkLedger(ctx.db)
  if (violations.length > 0) ctx.log.fatal({ violations }, 'the ledger does not add up')
  else ctx.log.info('the ledger adds up')
}

/** Folds what was added to the kept totals, and makes new orders searchable; one process at a time is enough. */
async function foldTotals(ctx: Ctx) {
  await transaction(ctx.db, async (tx) => {
    const { rows } = await tx.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [FOLD_LOCK])
    if (rows[0]?.free) await tx.query('select fold_account_deltas(), fold_order_deltas(), index_new_orders()')
  })
}
