import { setTimeout } from 'node:timers/promises'
import type * as JobsModule from '../../server/features/card/payments/jobs.ts'
import type * as PaymentsSqlModule from '../../server/features/card/payments/payments.sql.ts'
import type { PaymentRow } from '../../server/features/card/payments/payments.sql.ts'
import type * as RoutesModule from '../../server/features/card/payments/routes.ts'
import type * as WebhookEventsSqlModule from '../../server/features/card/payments/webhook-events.sql.ts'
import type * as FetchJsonModule from '../../server/integrations/fetch-json.ts'
import type * as PaystackModule from '../../server/integrations/payments/paystack.ts'
import type * as ConfigModule from '../../server/platform/config.ts'
import type * as MoneyModule from '../../shared/money.ts'
import { beforeEach, type Guard, guard, inModule, replace, withoutLocks } from './guard.ts'
import { decidedTwice, followRedirects, NO_CHECKS, NO_LOOK_AT_THE_DATABASE, NO_SIGNATURE, NO_WALLET_LOCK, noKey } from './shared-guards.ts'

type PaymentsSql = typeof PaymentsSqlModule
type Paystack = typeof PaystackModule

const unsettled = (payment: PaymentRow | null): PaymentRow | null => payment && { ...payment, status: 'open' }

/** Nothing keeps a payment from being turned into what it was for again. */
const NOTHING_SETTLED = replace<PaymentsSql>('../../server/features/card/payments/payments.sql.ts', {
  selectPayment:
    ({ selectPayment }) =>
    async (db, reference) =>
      unsettled(await selectPayment(db, reference)),
  lockPayment:
    ({ lockPayment }) =>
    async (tx, reference) =>
      unsettled(await lockPayment(tx, reference)),
})

const NOT_LOCKED = inModule<PaymentsSql>('../../server/features/card/payments/payments.sql.ts').wrap(
  'lockPayment',
  (lockPayment, tx, reference) => lockPayment(withoutLocks(tx), reference),
)

/** E. Card payments. */
export const paymentsGuards: Guard[] = [
  guard('E1', 2, 'the handling of webhook events, and the loop that checks open payments', {
    replaced: [
      replace<typeof JobsModule>('../../server/features/card/payments/jobs.ts', {
        handleWebhookEvents: () => async () => {},
        checkOpenPayments: () => async () => {},
      }),
    ],
  }),
  guard('E2', 2, 'the loop that checks open payments', {
    replaced: [NO_CHECKS],
  }),
  guard('E3', 3, 'the lock on the payment, the key of its entry and of its orders', {
    fromDatabase: async (db) => {
      await noKey(db)
      await decidedTwice(db)
    },
    replaced: [NOT_LOCKED],
  }),
  guard('E4', 100, 'the signature of webhook events (unsigned ones are accepted)', { replaced: [NO_SIGNATURE] }),
  guard('E5', 1, 'the signature of webhook events', { replaced: [NO_SIGNATURE] }),
  guard('E6', 10, 'that the signature covers the bytes as received (it is checked against the JSON written anew)', {
    replaced: [
      inModule<Paystack>('../../server/integrations/payments/paystack.ts').wrap('createPaystack', (createPaystack, settings) => {
        const card = createPaystack(settings)
        const again = (body: Buffer) => Buffer.from(JSON.stringify(JSON.parse(body.toString())))
        return { ...card, readWebhook: (body, signature) => card.readWebhook(again(body), signature) }
      }),
    ],
  }),
  guard('E7', 1, 'the refusal of settings that lack a key or have a short one', {
    replaced: [
      inModule<typeof ConfigModule>('../../server/platform/config.ts').wrap('readConfig', (readConfig, env) =>
        readConfig({ ...env, PAYSTACK_SECRET_KEY: 'sk_live_0123456789' }),
      ),
    ],
  }),
  guard('E8', 1, 'that a payment is settled once, and the keys behind it', {
    fromDatabase: async (db) => {
      await noKey(db)
      await decidedTwice(db)
      await beforeEach(db, 'insert', 'webhook_events', 'new.body_hash := sha256(gen_random_uuid()::text::bytea);')
    },
    replaced: [NOTHING_SETTLED],
  }),
  guard('E9', 24, 'that a payment is settled once, and the keys behind it', {
    fromDatabase: async (db) => {
      await noKey(db)
      await decidedTwice(db)
    },
    replaced: [NOTHING_SETTLED],
  }),
  guard('E10', 2, 'the comparison of amount, currency and test or live mode', {
    replaced: [
      inModule<Paystack>('../../server/integrations/payments/paystack.ts').wrap('createPaystack', (createPaystack, settings) => {
        const card = createPaystack(settings)
        const asked = new Map<string, number>()
        return {
          ...card,
          initialize(payment) {
            asked.set(payment.reference, payment.amountPesewas)
            return card.initialize(payment)
          },
          async verify(reference) {
            const verified = await card.verify(reference)
            if (verified.outcome !== 'paid') return verified
            return { ...verified, amountPesewas: asked.get(reference) ?? verified.amountPesewas, currency: 'GHS', isTest: true }
          },
        }
      }),
    ],
  }),
  guard('E11', 8, 'whole pesewas (the surcharge by `price * 1.03`)', {
    replaced: [
      replace<typeof MoneyModule>('../../shared/money.ts', {
        cardSurcharge: () => (pricePesewas) => Math.round((pricePesewas / 100) * 1.03 * 100) - pricePesewas,
      }),
    ],
  }),
  guard('E12', 5, 'that a webhook event is stored before it is answered, and the loop that checks open payments', {
    replaced: [
      inModule<typeof WebhookEventsSqlModule>('../../server/features/card/payments/webhook-events.sql.ts').wrap(
        'insertWebhookEvent',
        (insertWebhookEvent, ...event) => insertWebhookEvent(...event).catch(() => undefined as never),
      ),
      NO_LOOK_AT_THE_DATABASE,
      NO_CHECKS,
    ],
  }),
  guard('E13', 20, 'that a webhook event is answered before it is handled (the answer waits for the jobs)', {
    replaced: [
      inModule<typeof RoutesModule>('../../server/features/card/payments/routes.ts').wrap('paymentRoutes', (paymentRoutes, app, deps) => {
        app.addHook('onSend', async ({ url, ctx }) => {
          if (!url.endsWith('/payment/webhook')) return
          const isBusy = async () => (await ctx.jobs.countJobs()).some(({ queue, active }) => active > 0 && queue !== 'check-books')
          await setTimeout(20)
          for (let time = 0; time < 100 && (await isBusy()); time++) await setTimeout(20)
        })
        return paymentRoutes(app, deps)
      }),
    ],
  }),
  guard('E14', 1, 'the check that an answer is about the payment that was queried', {
    replaced: [
      inModule<typeof FetchJsonModule>('../../server/integrations/fetch-json.ts').wrap('fetchJson', async (fetchJson, url, call) => {
        const answer = await fetchJson(url, call)
        if (!url.includes('/transaction/verify/')) return answer
        const body = answer.outcome === 'answered' ? (answer.body as { data?: { reference?: string } } | null) : null
        if (body?.data?.reference) body.data.reference = decodeURIComponent(url.split('/').at(-1) as string)
        return answer
      }),
    ],
  }),
  guard('E14', 1, 'that redirects are not followed', {
    atStart: followRedirects,
  }),
  guard('E14', 1, 'the timeout of calls to the provider (200 s in place of 10)', {
    replaced: [
      inModule<typeof FetchJsonModule>('../../server/integrations/fetch-json.ts').wrap('fetchJson', (fetchJson, url, call) =>
        fetchJson(url, { ...call, timeoutMs: 20 * call.timeoutMs }),
      ),
    ],
  }),
  guard('E15', 2, 'the check whether the payer is an agent already', {
    replaced: [
      inModule<PaymentsSql>('../../server/features/card/payments/payments.sql.ts').wrap(
        'lockUpgradingUser',
        async (lockUpgradingUser, tx, reference) => {
          const user = await lockUpgradingUser(tx, reference)
          return user && { ...user, level: 'Customer' }
        },
      ),
    ],
  }),
  guard('E16', 4, 'the lock on the payment, the key of its entry and of its orders', {
    fromDatabase: async (db) => {
      await noKey(db)
      await decidedTwice(db)
    },
    replaced: [NOT_LOCKED],
  }),
  guard('E17', 10, "that top-ups wait for the payer's wallet before they count each other", { replaced: [NO_WALLET_LOCK] }),
]
