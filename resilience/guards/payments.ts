import type { Edit, Guard } from './guard.ts'
import { decidedTwice, NO_SIGNATURE, noKey } from './shared-guards.ts'

/** Nothing keeps a payment from being turned into what it was for again. */
const NOTHING_SETTLED: Edit = [
  'server/features/payments/settle-payment.ts',
  "return payment.status === 'paid' || payment.status === 'held'",
  "return payment.status === 'expired'",
]

/** E. Card payments. */
export const paymentsGuards: Guard[] = [
  {
    experiment: 'E1',
    runs: 2,
    removed: 'the handling of notices, and the looking after open payments',
    fromProgram: [
      [
        'server/background.ts',
        'await handleWebhookEvents(ctx(), desk)\n      await checkOpenPayments(ctx(), desk)',
        'void [handleWebhookEvents, checkOpenPayments, desk]',
      ],
    ],
  },
  {
    experiment: 'E2',
    runs: 2,
    removed: 'the looking after open payments',
    fromProgram: [['server/background.ts', 'await checkOpenPayments(ctx(), desk)', 'void checkOpenPayments']],
  },
  {
    experiment: 'E3',
    runs: 3,
    removed: 'the lock on the payment, the key of its entry and of its orders',
    fromDatabase: async (db) => {
      await noKey(db)
      await decidedTwice(db)
    },
    fromProgram: [
      ['server/features/payments/payments.sql.ts', 'from payments where reference = $1 for update', 'from payments where reference = $1'],
    ],
  },
  { experiment: 'E4', runs: 100, removed: 'the signature of notices (unsigned ones accepted)', fromProgram: [NO_SIGNATURE] },
  { experiment: 'E5', runs: 1, removed: 'the signature of notices', fromProgram: [NO_SIGNATURE] },
  {
    experiment: 'E6',
    runs: 10,
    removed: 'the bytes as they came (the signature is over the JSON written anew)',
    fromProgram: [['server/integrations/payments/paystack.ts', '.update(rawBody)', '.update(JSON.stringify(parseJson(rawBody)))']],
  },
  {
    experiment: 'E7',
    runs: 1,
    removed: 'the refusal of settings that lack a key or have a short one',
    fromProgram: [
      ['server/platform/config.ts', 'PAYSTACK_SECRET_KEY: key(10)', 'PAYSTACK_SECRET_KEY: z.string().optional()'],
      ['server/platform/config.ts', 'if (missing.length > 0) throw new ConfigError(missing)', ''],
    ],
  },
  {
    experiment: 'E8',
    runs: 1,
    removed: 'that what is settled is settled (and the keys behind it)',
    fromDatabase: async (db) => {
      await noKey(db)
      await decidedTwice(db)
      await db.query('alter table webhook_events drop constraint webhook_events_body_hash_key')
    },
    fromProgram: [NOTHING_SETTLED, ['server/features/payments/webhook-events.sql.ts', 'on conflict (body_hash) do nothing', '']],
  },
  {
    experiment: 'E9',
    runs: 24,
    removed: 'that what is settled is settled (and the keys behind it)',
    fromDatabase: async (db) => {
      await noKey(db)
      await decidedTwice(db)
    },
    fromProgram: [NOTHING_SETTLED],
  },
  {
    experiment: 'E10',
    runs: 2,
    removed: 'the comparison of amount, currency and world',
    fromProgram: [
      ['server/features/payments/settle-payment.ts', 'if (paid.isTest !== desk.isTest)', 'if (false as boolean)'],
      ['server/features/payments/settle-payment.ts', "if (paid.currency !== 'GHS')", 'if (false as boolean)'],
      ['server/features/payments/settle-payment.ts', 'if (paid.amountPesewas < due)', 'if (false as boolean)'],
    ],
  },
  {
    experiment: 'E11',
    runs: 8,
    removed: 'whole pesewas (the surcharge by `price * 1.03`)',
    fromProgram: [
      [
        'shared/money.ts',
        'return Math.floor((pricePesewas * CARD_SURCHARGE_PERCENT + 50) / 100)',
        'return Math.round((pricePesewas / 100) * 1.03 * 100) - pricePesewas',
      ],
    ],
  },
  {
    experiment: 'E12',
    runs: 5,
    removed: 'that a notice is kept before it is answered, and the looking after open payments',
    fromProgram: [
      [
        'server/features/payments/receive-webhook.ts',
        'await insertWebhookEvent(ctx.db, {',
        'await (async (...all: Parameters<typeof insertWebhookEvent>) => insertWebhookEvent(...all).catch(() => undefined))(ctx.db, {',
      ],
      ['server/app.ts', 'if (deps.isDatabaseAlive?.() === false &&', 'if (deps.isDatabaseAlive === null as never &&'],
      ['server/background.ts', 'await checkOpenPayments(ctx(), desk)', 'void checkOpenPayments'],
    ],
  },
  {
    experiment: 'E13',
    runs: 20,
    removed: 'that a notice is answered before anything comes of it (the answer waits for the jobs)',
    fromProgram: [
      [
        'server/features/payments/routes.ts',
        'onWebhook()',
        `onWebhook()
        const isBusy = async () => (await request.ctx.jobs.countJobs()).some(({ queue, active }) => active > 0 && queue !== 'check-books')
        await new Promise((resolve) => setTimeout(resolve, 20))
        for (let time = 0; time < 100 && (await isBusy()); time++) await new Promise((resolve) => setTimeout(resolve, 20))`,
      ],
    ],
  },
  {
    experiment: 'E14',
    runs: 1,
    removed: 'the question whether an answer is about what was asked',
    fromProgram: [['server/integrations/payments/paystack.ts', 'if (data.reference !== reference)', 'if (false as boolean)']],
  },
  {
    experiment: 'E14',
    runs: 1,
    removed: 'that a redirect is not followed',
    fromProgram: [['server/integrations/fetch-json.ts', "redirect: 'manual'", "redirect: 'follow'"]],
  },
  {
    experiment: 'E14',
    runs: 1,
    removed: 'the time that the provider has (20 s in place of 10)',
    fromProgram: [['server/integrations/payments/paystack.ts', 'const TIMEOUT_MS = 10_000', 'const TIMEOUT_MS = 20_000']],
  },
  {
    experiment: 'E15',
    runs: 2,
    removed: 'the question whether the payer is an agent already',
    fromProgram: [['server/features/payments/settle-payment.ts', "if (user.level !== 'Customer' || user.status", 'if (user.status']],
  },
]
