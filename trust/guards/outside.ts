import { editFunction, type Guard } from './guard.ts'

/** K, L. Realtime and the world outside. */
export const outsideGuards: Guard[] = [
  {
    experiment: 'K1',
    runs: 3,
    removed: 'the room of one user alone',
    fromProgram: [
      [
        'server/platform/realtime.ts',
        "audience === 'everyone' ? io : io.to",
        "audience === 'everyone' || audience !== 'admins' ? io : io.to",
      ],
    ],
  },
  {
    experiment: 'K2',
    runs: 1,
    removed: 'the question whose a socket is',
    fromProgram: [['server/platform/realtime.ts', "next(admitted ? undefined : new Error('UNAUTHENTICATED'))", 'next(void admitted)']],
  },
  {
    experiment: 'K5',
    runs: 5,
    removed: 'the version of a balance that is announced',
    fromDatabase: (db) => editFunction(db, 'post_entry', [['version = version + 1', 'version = 1']]),
  },
  {
    experiment: 'L1',
    runs: 3,
    removed: 'that an order which the supplier may have is asked about (it is sent again under another reference)',
    fromProgram: [
      [
        'server/features/supplier/ask-delivery.ts',
        'const outcome = await supplier.ask(known)',
        "await supplier.send({ ...known, reference: known.reference.split('').reverse().join('') } as never)\n  const outcome = await supplier.ask(known)",
      ],
    ],
  },
  {
    experiment: 'L10',
    runs: 300,
    removed: 'the most messages of a day, and the digest',
    fromProgram: [
      ['server/features/sms/send-message.ts', 'if (!day.allowed) {', 'if (false as boolean) {'],
      [
        'server/features/sms/tell.ts',
        "const isDigested = kind === 'order' && (await isOneTooMany(ctx, tx, settings))",
        'const isDigested = false as boolean\n    void isOneTooMany',
      ],
    ],
  },
  {
    experiment: 'L13',
    runs: 2,
    removed: 'that a redirect is not followed',
    fromProgram: [['server/integrations/fetch-json.ts', "redirect: 'manual'", "redirect: 'follow'"]],
  },
]
