import { editFunction, type Guard } from './guard.ts'

/** P. What the customer sees. */
export const customerGuards: Guard[] = [
  {
    experiment: 'P1',
    runs: 5,
    inCopy: true,
    removed: 'that a purchase without an answer is asked about (it is called refused)',
    fromProgram: [
      [
        'web/features/checkout/pay-from-wallet.ts',
        'if (!isOutcomeUnknown(error)) return',
        'if (error instanceof Error || isOutcomeUnknown(error)) return',
      ],
    ],
  },
  {
    experiment: 'P2',
    runs: 1,
    inCopy: true,
    removed: 'that a page takes over the balance which is announced',
    fromProgram: [['web/app/realtime.ts', "socket.on('CurrUserUpdated', takeOverOwnRecord)", '']],
  },
  {
    experiment: 'P3',
    runs: 3,
    removed: 'that a line of a statement has the balance after it',
    fromDatabase: (db) =>
      editFunction(db, 'post_entry', [
        ['values (entry, i, p_accounts[i], p_amounts[i], after)', 'values (entry, i, p_accounts[i], p_amounts[i], after + 1)'],
      ]),
  },
  {
    experiment: 'P4',
    runs: 1,
    inCopy: true,
    removed: 'that a failure looks like one',
    fromProgram: [
      ['web/ui/toast.ts', "danger: (message: string) => show('danger', message)", "danger: (message: string) => show('success', message)"],
    ],
  },
  {
    experiment: 'P5',
    runs: 1,
    inCopy: true,
    removed: 'the key that stays with a purchase (each call has a new one)',
    fromProgram: [
      [
        'web/features/checkout/pay-from-wallet.ts',
        '{ [IDEMPOTENCY_KEY_HEADER]: key }',
        '{ [IDEMPOTENCY_KEY_HEADER]: key && crypto.randomUUID() }',
      ],
    ],
  },
]
