import type { Shop } from '../shared/shop.ts'
import { checkWithdrawalByReference, checkWithdrawals } from './features/agents/withdrawals/check-withdrawals.ts'
import { notifyPayoutNumber } from './features/agents/withdrawals/notify-payout-number.ts'
import { sendWithdrawals } from './features/agents/withdrawals/send-withdrawals.ts'
import { checkRefunds } from './features/card/payments/check-refunds.ts'
import { checkOpenPayments, handleWebhookEvents, retryWebhookEvent } from './features/card/payments/jobs.ts'
import { releaseTopUps } from './features/card/payments/release-top-ups.ts'
import { sendRefunds } from './features/card/payments/send-refunds.ts'
import { releaseRests } from './features/card/payments/spend-rest.ts'
import { deleteUnpaidOfGuests } from './features/card/payments/unpaid.sql.ts'
import { notifyGuests } from './features/card/refunds/notify-guests.ts'
import { sendCodeMessage } from './features/card/refunds/send-code.ts'
import { publishScheduledPrices } from './features/catalogue/prices/publish-scheduled-prices.ts'
import { settleTestOrder } from './features/channels/developer-api/settle-test-order.ts'
import { notifyWebhookOff } from './features/channels/webhooks/notify-webhook-off.ts'
import { relayEvents } from './features/channels/webhooks/relay-events.ts'
import { sendWebhook, WEBHOOK_LANES } from './features/channels/webhooks/send-webhook.ts'
import { deleteOldEvents } from './features/channels/webhooks/webhooks.sql.ts'
import { notifyAboutOrder as notifyOnWhatsapp } from './features/channels/whatsapp/notify-about-order.ts'
import { sendMessage as sendWhatsapp } from './features/channels/whatsapp/send-message.ts'
import { deleteOldWhatsapp } from './features/channels/whatsapp/whatsapp.sql.ts'
import { checkBalances } from './features/delivery/floats/check-balances.ts'
import { notifyAboutDisk } from './features/delivery/floats/notify-about-disk.ts'
import { notifyAboutFloats } from './features/delivery/floats/notify-about-floats.ts'
import { relayNewOrders } from './features/delivery/order-relay/relay-new-orders.ts'
import { queryDeliveryStatus } from './features/delivery/supplier/query-delivery-status.ts'
import { sendDelivery } from './features/delivery/supplier/send-delivery.ts'
import { gatherDigest } from './features/messages/sms/gather-digest.ts'
import { sendMessages } from './features/messages/sms/send-message.ts'
import { checkAllRows, reconcileLedger } from './features/office/reconciliation/reconcile-ledger.ts'
import { selectPause } from './features/office/reconciliation/reconciliation.sql.ts'
import { deleteOldAfa } from './features/orders/afa/delete-old-afa.ts'
import { clearOldLists } from './features/orders/bulk/bulk.sql.ts'
import { placeScheduledLists } from './features/orders/bulk/place-scheduled-lists.ts'
import { notifyLowStock } from './features/orders/checkers/notify-low-stock.ts'
import { sealCodesAnew } from './features/orders/checkers/seal-codes.ts'
import { sendCheckerMail, sendCheckerMessage, sendNewCheckers } from './features/orders/checkers/send-checkers.ts'
import { decideOrderAsSupplierSays } from './features/orders/orders/decide-order.ts'
import { notifyAboutNewOrders, notifyAboutOrders } from './features/orders/orders/notify-about-orders.ts'
import { notifyBuyer } from './features/orders/orders/notify-buyer.ts'
import { notifyVerifying } from './features/orders/orders/notify-verifying.ts'
import { deleteOldKeys } from './features/orders/purchases/purchases.sql.ts'
import { notifyAccountChanged } from './features/people/account/notify-account-changed.ts'
import { forgetDevices } from './features/people/auth/known-devices.sql.ts'
import { notifyPasswordChanged } from './features/people/auth/notify-password-changed.ts'
import { deleteOldResets } from './features/people/auth/password-resets.sql.ts'
import { type ResetMail, sendPasswordResets } from './features/people/auth/send-password-resets.ts'
import { notifyNumberTaken } from './features/people/numbers/notify-number-taken.ts'
import { sendNumberCodeMessage } from './features/people/numbers/send-number-code.ts'
import { settleReferrals } from './features/people/referrals/settle-referrals.ts'
import { closeEndedSessions } from './features/people/sessions/close-ended-sessions.ts'
import { deleteExpiredSessions } from './features/people/sessions/sessions.sql.ts'
import { notifyPinChanged } from './features/people/transaction-pin/notify-pin-changed.ts'
import { sendPinCode } from './features/people/transaction-pin/send-reset-code.ts'
import { deleteOldLogos } from './features/shop/images/images.sql.ts'
import { deleteOldMessages } from './features/wallet/forwarders/forwarders.sql.ts'
import { notifyAboutSilence } from './features/wallet/forwarders/notify-about-silence.ts'
import { creditCertain } from './features/wallet/received-payments/credit-certain.ts'
import { endUnpaidRecharges } from './features/wallet/recharges/end-unpaid-recharges.ts'
import { releaseReservations } from './features/wallet/wallet/release-reservations.ts'
import type { CardGateway } from './integrations/payments/card-gateway.ts'
import type { SmsGateway } from './integrations/sms/sms-gateway.ts'
import type { SupplierGateway } from './integrations/supplier/suppliers.ts'
import type { WebhookGateway } from './integrations/webhooks/webhook-gateway.ts'
import type { WhatsappGateway } from './integrations/whatsapp/whatsapp-gateway.ts'
import { raiseAlarm } from './platform/alarms.ts'
import type { Ctx } from './platform/context.ts'
import { type Db, transaction } from './platform/db.ts'
import type { DiskSpace } from './platform/disk-space.ts'
import type { JobQueue } from './platform/job-queue.ts'
import type { Log } from './platform/log.ts'
import { type Loop, startLoop } from './platform/loop.ts'
import {
  ACCOUNT_CHANGED_QUEUE,
  type AccountChangedJob,
  ALARM_QUEUE,
  ALL_ROWS_QUEUE,
  type AllRowsJob,
  BALANCE_QUEUE,
  CARD_EVENT_QUEUE,
  type CardEventJob,
  CHECK_QUEUE,
  CHECKER_MAIL_QUEUE,
  CHECKER_QUEUE,
  CHECKER_SMS_QUEUE,
  type CheckerJob,
  type CheckJob,
  DAILY_QUEUE,
  DECIDE_QUEUE,
  type DecideJob,
  type DeliveryJob,
  DIGEST_QUEUE,
  fullCheckJob,
  NEW_ORDERS_QUEUE,
  NEWS_QUEUE,
  type NewOrdersJob,
  type NewsJob,
  NOTIFY_QUEUE,
  type NotifyJob,
  NUMBER_TAKEN_QUEUE,
  type NumberTakenJob,
  nextCheckJob,
  PASSWORD_CHANGED_QUEUE,
  PAYOUT_CODE_QUEUE,
  PAYOUT_NUMBER_QUEUE,
  type PasswordChangedJob,
  type PayoutNumberJob,
  PIN_CHANGED_QUEUE,
  PIN_CODE_QUEUE,
  type PinChangedJob,
  QUERY_STATUS_QUEUE,
  REFUND_CODE_QUEUE,
  SCHEDULED_LISTS_QUEUE,
  SEND_QUEUE,
  SMS_QUEUE,
  type SmsJob,
  TEST_ORDER_QUEUE,
  type TestOrderJob,
  VERIFYING_QUEUE,
  type VerifyingJob,
  WEBHOOK_OFF_QUEUE,
  WEBHOOK_QUEUE,
  type WebhookJob,
  type WebhookOffJob,
  WHATSAPP_QUEUE,
  type WhatsappJob,
} from './platform/queues.ts'
import type { Realtime } from './platform/realtime.ts'
import type { SecretsKey } from './platform/seal-secret.ts'
import { sealSecretsAnew } from './platform/seal-secrets-anew.ts'
import type { Timings } from './platform/timings.ts'
import type { Vault } from './platform/vault.ts'

const SECOND_MS = 1_000
/** An arbitrary advisory lock number, used nowhere else. */
const FOLD_LOCK = 0x64776166
const HOUR_MS = 3_600 * SECOND_MS
/** In a rush, sales are relayed together: one by one, each would cost the buyers that follow more than its own statement. */
const RELAY_APART_MS = 100

type Deps = {
  db: Db
  log: Log
  shop: Shop
  realtime: Realtime
  jobs: JobQueue
  now: () => Date
  gateway: CardGateway
  resetMail: ResetMail
  supplierGateway: SupplierGateway
  smsGateway: SmsGateway
  whatsappGateway: WhatsappGateway
  webhookGateway: WebhookGateway
  secretsKey: SecretsKey | null
  /** How many days after an order has ended. */
  afaKeepDays: number
  vault: Vault | null
  disk: DiskSpace | null
  timings: Timings
}

/** The shop's background work. All of it is recorded in the database, so any process can continue it. */
export type Background = { payments: Loop; mails: Loop; relay: Loop; credits: Loop; stop(): Promise<void> }

/**
 * Starts the queue's workers and the loops over tables that act as queues. Webhook events and open payments use loops:
 * another process continues them at once when one dies, where a queued job would have to expire first.
 */
export async function openBackground(deps: Deps): Promise<Background> {
  const { log, jobs, now, gateway, resetMail, timings } = deps
  const ctx = (): Ctx => ({ db: deps.db, log, realtime: deps.realtime, jobs, now: now(), actor: null, ip: null })
  const relay = startLoop({
    name: 'relay of new orders',
    everyMs: timings.relayMs,
    apartMs: RELAY_APART_MS,
    log,
    work: () => relayNewOrders(ctx(), deps.supplierGateway),
  })
  const payments = startLoop({
    name: 'payments',
    everyMs: timings.paymentsMs,
    log,
    work: async () => {
      await handleWebhookEvents(ctx(), gateway, checkWithdrawalByReference)
      await checkOpenPayments(ctx(), gateway)
      await releaseTopUps(ctx())
      await releaseReservations(ctx())
      await releaseRests(ctx())
      await sendWithdrawals(ctx(), gateway)
      await checkWithdrawals(ctx(), gateway)
      await sendRefunds(ctx(), gateway)
      await checkRefunds(ctx(), gateway)
      await notifyGuests(ctx(), deps.smsGateway)
    },
  })
  const credits = startLoop({
    name: 'credits of forwarded payments',
    everyMs: timings.paymentsMs,
    log,
    work: async () => {
      await creditCertain(ctx())
    },
  })
  const referrals = startLoop({ name: 'referral rewards', everyMs: 60 * SECOND_MS, log, work: () => settleReferrals(ctx()) })
  const mails = startLoop({ name: 'password mails', everyMs: timings.mailsMs, log, work: () => sendPasswordResets(ctx(), resetMail) })
  const sockets = startLoop({
    name: 'sockets of ended sessions',
    everyMs: timings.socketsMs,
    log,
    work: () => closeEndedSessions(ctx()),
  })
  const prices = startLoop({ name: 'scheduled prices', everyMs: timings.pricesMs, log, work: () => publishScheduledPrices(ctx()) })
  const events = startLoop({ name: 'events of agents', everyMs: timings.webhooks.relayMs, log, work: () => relayEvents(ctx()) })
  const afa = startLoop({ name: 'old details of AFA', everyMs: HOUR_MS, log, work: () => deleteOldAfa(ctx(), deps.afaKeepDays) })
  const unpaid = startLoop({ name: 'recharges that nobody paid for', everyMs: HOUR_MS, log, work: () => endUnpaidRecharges(ctx()) })
  const fold = startLoop({ name: 'fold totals', everyMs: 30 * SECOND_MS, log, work: () => foldTotals(ctx()) })
  const partitions = startLoop({ name: 'partitions', everyMs: HOUR_MS / 6, log, work: () => keepPartitions(ctx()) })
  const stopping = new AbortController()
  await doJobs(deps, ctx, { signal: stopping.signal, onOrders: relay.wake })
  return {
    payments,
    mails,
    relay,
    credits,
    async stop() {
      stopping.abort()
      await Promise.all([
        relay.stop(),
        payments.stop(),
        credits.stop(),
        mails.stop(),
        sockets.stop(),
        prices.stop(),
        referrals.stop(),
        events.stop(),
        afa.stop(),
        unpaid.stop(),
        fold.stop(),
        partitions.stop(),
        jobs.stop(),
      ])
    },
  }
}

async function doJobs(
  { jobs, shop, supplierGateway, smsGateway, whatsappGateway, webhookGateway, secretsKey, vault, resetMail, timings, gateway, disk }: Deps,
  ctx: () => Ctx,
  { signal, onOrders }: { signal: AbortSignal; onOrders: () => void },
) {
  const floats = {
    suppliers: supplierGateway.suppliers,
    sms: smsGateway,
    // The owner may change them while the shop runs.
    get hours() {
      return shop.hours
    },
  }
  await jobs.work<DeliveryJob>(SEND_QUEUE, { atOnce: 5 }, (job) => sendDelivery(ctx(), supplierGateway, job))
  await jobs.work<DeliveryJob>(QUERY_STATUS_QUEUE, { atOnce: 5 }, (job) => queryDeliveryStatus(ctx(), supplierGateway, job))
  await jobs.work<DecideJob>(DECIDE_QUEUE, { atOnce: 5 }, (job) => decideOrderAsSupplierSays(ctx(), job))
  // Together, on one connection: one by one, in a rush, each would take twenty of the shop's statements from buyers.
  await jobs.workTogether<NotifyJob>(NOTIFY_QUEUE, { most: 50 }, async (together) => {
    await notifyAboutOrders(ctx(), smsGateway, together)
    for (const { kind, orderId } of together)
      if (kind === 'completed') await notifyOnWhatsapp(ctx(), whatsappGateway, { kind: 'delivered', orderId })
  })
  await jobs.workTogether<NewOrdersJob>(NEW_ORDERS_QUEUE, { most: 10 }, (together) => notifyAboutNewOrders(ctx(), smsGateway, together))
  await jobs.work<NewsJob>(NEWS_QUEUE, { atOnce: 3 }, async (job) => {
    await notifyBuyer(ctx(), smsGateway, job)
    if (job.kind === 'rejected') await notifyOnWhatsapp(ctx(), whatsappGateway, { kind: 'refunded', orderId: job.orderId })
  })
  await jobs.work<VerifyingJob>(VERIFYING_QUEUE, { atOnce: 3 }, (job) => notifyVerifying(ctx(), smsGateway, job))
  await jobs.work<WhatsappJob>(WHATSAPP_QUEUE, { atOnce: 5 }, (job) => sendWhatsapp(ctx(), whatsappGateway, job))
  await jobs.workTogether<SmsJob>(SMS_QUEUE, { most: 8 }, (together) => sendMessages(ctx(), smsGateway, together))
  await jobs.work<SmsJob>(REFUND_CODE_QUEUE, { atOnce: 3 }, (job) => sendCodeMessage(ctx(), smsGateway, job))
  await jobs.work<SmsJob>(PIN_CODE_QUEUE, { atOnce: 3 }, (job) => sendPinCode(ctx(), smsGateway, job))
  await jobs.work<PinChangedJob>(PIN_CHANGED_QUEUE, { atOnce: 2 }, (job) => notifyPinChanged(ctx(), resetMail, job))
  await jobs.work<SmsJob>(PAYOUT_CODE_QUEUE, { atOnce: 3 }, (job) => sendNumberCodeMessage(ctx(), smsGateway, job))
  await jobs.work<NumberTakenJob>(NUMBER_TAKEN_QUEUE, { atOnce: 2 }, (job) => notifyNumberTaken(ctx(), resetMail, job))
  await jobs.work<PayoutNumberJob>(PAYOUT_NUMBER_QUEUE, { atOnce: 2 }, (job) => notifyPayoutNumber(ctx(), resetMail, job))
  await jobs.work<CheckerJob>(CHECKER_QUEUE, { atOnce: 3 }, (job) =>
    sendNewCheckers(ctx(), { sms: smsGateway, mails: resetMail.mailer.isOff ? null : resetMail }, job),
  )
  await jobs.work<SmsJob>(CHECKER_SMS_QUEUE, { atOnce: 5 }, (job) => sendCheckerMessage(ctx(), smsGateway, vault, job))
  await jobs.work<CheckerJob>(CHECKER_MAIL_QUEUE, { atOnce: 2 }, (job) => sendCheckerMail(ctx(), resetMail, vault, job))
  await jobs.work<PasswordChangedJob>(PASSWORD_CHANGED_QUEUE, { atOnce: 2 }, (job) => notifyPasswordChanged(ctx(), resetMail, job))
  await jobs.work<AccountChangedJob>(ACCOUNT_CHANGED_QUEUE, { atOnce: 2 }, (job) => notifyAccountChanged(ctx(), resetMail, job))
  await jobs.work<CardEventJob>(CARD_EVENT_QUEUE, { atOnce: 5 }, (job) =>
    retryWebhookEvent(ctx(), gateway, job, checkWithdrawalByReference),
  )
  const sending = { gateway: webhookGateway, secretsKey, ...timings.webhooks }
  jobs.workInLanes<WebhookJob>(WEBHOOK_QUEUE, WEBHOOK_LANES, (job, how) => sendWebhook(ctx(), sending, job, how))
  await jobs.work<WebhookOffJob>(WEBHOOK_OFF_QUEUE, { atOnce: 1 }, (job) => notifyWebhookOff(ctx(), resetMail, job))
  await jobs.work<TestOrderJob>(TEST_ORDER_QUEUE, { atOnce: 5 }, (job) => settleTestOrder(ctx(), timings.testOrders, job))
  await jobs.work(DIGEST_QUEUE, { atOnce: 1 }, () => gatherDigest(ctx(), smsGateway))
  await jobs.work(BALANCE_QUEUE, { atOnce: 1, rarely: true }, async () => {
    await remind(ctx())
    await checkBalances(ctx(), supplierGateway, smsGateway)
    await notifyAboutFloats(ctx(), floats)
    await notifyLowStock(ctx(), smsGateway)
    await notifyAboutSilence(ctx(), floats)
    await notifyAboutDisk(ctx(), { disk, sms: smsGateway })
  })
  await jobs.work(ALARM_QUEUE, { atOnce: 1, rarely: true }, () => notifyAboutFloats(ctx(), floats))
  await jobs.work(SCHEDULED_LISTS_QUEUE, { atOnce: 1 }, () => placeScheduledLists(ctx(), smsGateway, onOrders))
  await jobs.work(DAILY_QUEUE, { atOnce: 1, rarely: true }, () => tidyUp(ctx(), vault, secretsKey))
  await jobs.work<CheckJob>(CHECK_QUEUE, { atOnce: 1 }, (job) => checkAgainAndAgain(ctx(), job, timings, signal))
  await jobs.work<AllRowsJob>(ALL_ROWS_QUEUE, { atOnce: 1, rarely: true }, (job) => checkAllRows(ctx(), job, { signal }))
  // Each check schedules the next; this cron job restarts the chain if it was lost.
  await jobs.repeat(CHECK_QUEUE, '* * * * *')
  await jobs.repeat(SCHEDULED_LISTS_QUEUE, '* * * * *')
  await jobs.repeat(BALANCE_QUEUE, '*/10 * * * *')
  await jobs.repeat(DAILY_QUEUE, '17 3 * * *')
}

/**
 * Raises alarms again for failed jobs and for a pause that nobody has acted on. A job whose process died is marked as failed
 * without an alarm.
 */
async function remind(ctx: Ctx) {
  const { total } = await ctx.jobs.listFailed({ limit: 1, offset: 0 })
  if (total > 0) raiseAlarm(ctx.log, 'job-failed', { failed: total })
  const pause = await selectPause(ctx.db)
  if (pause) raiseAlarm(ctx.log, 'purchases-paused', { since: pause.pausedAt, found: pause.found })
}

/** The share of a job's time that one check may use; the next job does the rest. */
const WORK_PART = 1 / 3

/** A requested or unfinished check continues at once; otherwise the next one is scheduled. */
async function checkAgainAndAgain(ctx: Ctx, job: CheckJob, timings: Timings, signal: AbortSignal) {
  const through = await reconcileLedger(ctx, job, { workMs: timings.jobs.expireSeconds * SECOND_MS * WORK_PART, signal })
  if (!through && job.askedAt !== undefined) await ctx.jobs.enqueue(ctx.db, CHECK_QUEUE, [fullCheckJob(job.askedAt)])
  await ctx.jobs.enqueue(ctx.db, CHECK_QUEUE, [nextCheckJob(timings.reconcileEveryMs)])
}

const KEEP_KEYS_MS = 7 * 24 * HOUR_MS
/** Refused purchases are kept for a day, so that a repeated request gets the same reply. */
const KEEP_REFUSALS_MS = 24 * HOUR_MS
/** Events of webhooks, and what the shop's phones have sent; the payments among that stay. */
const KEEP_EVENTS_MS = 30 * 24 * HOUR_MS
const KEEP_RESETS_MS = 24 * HOUR_MS
const KEEP_DEVICES_MS = 180 * 24 * HOUR_MS

/** Runs nightly: deletes expired rows and reconciles the whole ledger. */
async function tidyUp(ctx: Ctx, vault: Vault | null, secretsKey: SecretsKey | null) {
  await deleteExpiredSessions(ctx.db, ctx.now)
  await forgetDevices(ctx.db, { unusedSince: new Date(ctx.now.getTime() - KEEP_DEVICES_MS) })
  await deleteOldResets(ctx.db, { since: new Date(ctx.now.getTime() - KEEP_RESETS_MS), now: ctx.now })
  const aDayAgo = new Date(ctx.now.getTime() - 24 * HOUR_MS)
  await deleteOldEvents(ctx.db, { before: new Date(ctx.now.getTime() - KEEP_EVENTS_MS), testsBefore: aDayAgo })
  await clearOldLists(ctx.db, aDayAgo)
  await deleteOldLogos(ctx.db, aDayAgo)
  await deleteOldMessages(ctx.db, new Date(ctx.now.getTime() - KEEP_EVENTS_MS))
  await deleteUnpaidOfGuests(ctx.db, ctx.now)
  await deleteOldWhatsapp(ctx.db, new Date(ctx.now.getTime() - KEEP_EVENTS_MS))
  await sealCodesAnew(ctx, vault)
  await sealSecretsAnew(ctx.db, secretsKey)
  await ctx.db.query('select index_late_orders()')
  await deleteOldKeys(ctx.db, {
    before: new Date(ctx.now.getTime() - KEEP_KEYS_MS),
    refusedBefore: new Date(ctx.now.getTime() - KEEP_REFUSALS_MS),
  })
  await ctx.jobs.enqueue(ctx.db, CHECK_QUEUE, [fullCheckJob(ctx.now)])
}

/** A day, or a thousand users, takes some milliseconds; after an upgrade all wait to be added up. */
const MOST_AT_ONCE = 20

/** Folds deltas into the running totals and makes new orders searchable. One process at a time does this. */
async function foldTotals(ctx: Ctx) {
  await transaction(ctx.db, async (tx) => {
    const { rows } = await tx.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [FOLD_LOCK])
    if (!rows[0]?.free) return
    await tx.query('select fold_account_deltas(), fold_order_deltas(), fold_delivery_deltas(), fold_insight_deltas(), index_new_orders()')
    await tx.query('select add_up_days($1, $2), count_user_blocks($1, $2), count_lapsed_buyers($1)', [ctx.now, MOST_AT_ONCE])
  })
}

/** A new range for what is nearly full, and the planner's figures of what has grown. */
async function keepPartitions(ctx: Ctx) {
  await ctx.db.query('select make_partitions()')
  await transaction(ctx.db, async (tx) => {
    await tx.query(`set local statement_timeout = '5min'`)
    await tx.query('select analyze_partitions()')
  })
}
