import type { Guard } from './guard.ts'
import { decidedTwice, NO_SIGNATURE, noKey } from './shared-guards.ts'

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
    experiment: 'E8',
    runs: 1,
    removed: 'that what is settled is settled (and the keys behind it)',
    fromDatabase: async (db) => {
      await noKey(db)
      await decidedTwice(db)
      await db.query(`alter table webhook_events drop constraint if exists webhook_events_body_hash_key`)
    },
    fromProgram: [
      [
        'server/features/payments/settle-payment.ts',
        "return payment.status === 'paid' || payment.status === 'held'",
        "return payment.status === 'expired'",
      ],
    ],
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
]
