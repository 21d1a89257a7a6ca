import { editFunction, type Guard } from './guard.ts'

/** K, L. Realtime and outside services. */
export const outsideGuards: Guard[] = [
  {
    experiment: 'K1',
    runs: 3,
    removed: 'the room of one user alone',
    fromProgram: [
      [
        'server/platform/realtime.ts',
        "audience === 'everyone' ? namespace : namespace.to",
        "audience === 'everyone' || audience !== 'admins' ? namespace : namespace.to",
      ],
    ],
  },
  {
    experiment: 'K2',
    runs: 1,
    removed: 'the question whose a socket is',
    fromProgram: [['server/platform/realtime.ts', 'next(refusal === null ? undefined : new Error(refusal))', 'next(void refusal)']],
  },
  {
    experiment: 'K3',
    runs: 2,
    removed: 'the channel between processes',
    fromProgram: [['server/app.ts', 'shared: deps.sharedDatabase ? db : undefined,', 'shared: undefined,']],
  },
  {
    experiment: 'K4',
    runs: 1,
    inCopy: true,
    removed: 'that a page which is back asks for what it missed',
    fromProgram: [
      [
        'web/app/realtime.ts',
        'void queryClient.invalidateQueries()\n    refreshShopDebits().catch(() => undefined)\n    refreshSessionUser().catch(() => undefined)',
        'void queryClient',
      ],
      [
        'web/app/realtime.ts',
        'function hurryBack() {\n    refreshSessionUser().catch(() => undefined)',
        'function hurryBack() {\n    void refreshSessionUser',
      ],
    ],
  },
  {
    experiment: 'K5',
    runs: 5,
    removed: 'the version of a balance that is announced',
    fromDatabase: (db) => editFunction(db, 'post_entry', [['version = version + 1', 'version = 1']]),
  },
  {
    experiment: 'K6',
    runs: 2,
    removed: 'that a change is announced once it is committed, and not before',
    fromProgram: [
      [
        'server/features/wallet/change-balance.ts',
        "if (!wallet) throw new NotFound('user')",
        "if (!wallet) throw new NotFound('user')\n    await announceUserById(ctx, chosenId)",
      ],
    ],
  },
  {
    experiment: 'K7',
    runs: 20,
    removed: 'the most bytes of a frame',
    fromProgram: [['server/platform/realtime.ts', 'const MAX_FRAME_BYTES = 16_384', 'const MAX_FRAME_BYTES = 16_384_000']],
  },
  {
    experiment: 'L1',
    runs: 3,
    removed: 'that an order which the supplier may have is asked about (it is sent again under another reference)',
    fromProgram: [
      [
        'server/features/supplier/query-delivery-status.ts',
        'const outcome = await supplier.ask(known)',
        "await supplier.send({ ...known, reference: known.reference.split('').reverse().join('') } as never)\n  const outcome = await supplier.ask(known)",
      ],
    ],
  },
  {
    experiment: 'L2',
    runs: 2,
    removed: 'that an order is sent again under its own reference',
    fromProgram: [
      [
        'server/features/supplier/send-delivery.ts',
        'await supplier.send(known)',
        "await supplier.send(known.status === 'unknown' ? { ...known, reference: known.reference.split('').reverse().join('') } : known)",
      ],
    ],
  },
  {
    experiment: 'L3',
    runs: 2,
    removed: 'that a supplier which cannot prove that it lacks an order is not sent it again',
    fromProgram: [['server/integrations/supplier/remadata.ts', 'canProveAbsence: false', 'canProveAbsence: true']],
  },
  {
    experiment: 'L4',
    runs: 6,
    removed: 'that an answer which makes no sense says nothing (it is taken for a yes)',
    fromProgram: [
      [
        'server/integrations/supplier/hubnet.ts',
        "const unclear: SendOutcome = { outcome: 'unknown', neverSent: false,",
        "const unclear: SendOutcome = { outcome: 'accepted', supplierReference: null,",
      ],
    ],
  },
  {
    experiment: 'L5',
    runs: 1,
    removed: 'that what a dying process was sending is asked about (it is sent again under another reference)',
    fromProgram: [
      [
        'server/features/supplier/send-delivery.ts',
        "if (known.status === 'sending') return recoverSending(ctx, gateway, known)\n  if (!isToBeSent(known)) return",
        "if (!isToBeSent(known) && known.status !== 'sending') return\n  if (known.status === 'sending') known.reference = known.reference.split('').reverse().join('')",
      ],
      [
        'server/features/supplier/send-delivery.ts',
        '!isToBeSent(delivery)) return null',
        "!(isToBeSent(delivery) || delivery.status === 'sending')) return null",
      ],
    ],
  },
  {
    experiment: 'L6',
    runs: 12,
    removed: 'that a decided order is not sent any more',
    fromProgram: [
      ['server/features/supplier/send-delivery.ts', "if (delivery.orderStatus === 'pending') return markSending", 'return markSending'],
      [
        'server/features/orders/decide-order.ts',
        'await cancelUnsent(tx, orderId, `the order was ',
        'void cancelUnsent\n    void (`the order was ',
      ],
      ['server/features/orders/decide-order.ts', ' by hand`, ctx.now)', ' by hand`)'],
    ],
  },
  {
    experiment: 'L6',
    runs: 24,
    removed: 'that the money of an order which is being sent does not go back',
    fromProgram: [
      [
        'server/features/orders/decide-order.ts',
        "if (status === 'rejected' && standing === 'sending') throw new BeingSent()",
        'void BeingSent',
      ],
    ],
    fromDatabase: (db) => editFunction(db, 'guard_rejection', [["standing = 'sending' or ", '']]),
  },
  {
    experiment: 'L6',
    runs: 24,
    removed: 'that the money of an order which the supplier has taken does not go back',
    fromProgram: [['server/features/orders/decide-order.ts', 'needsReason(status, standing) && !override?.reason', 'false as boolean']],
    fromDatabase: (db) =>
      editFunction(db, 'guard_rejection', [[" or (standing in ('accepted', 'unknown', 'delivered') and new.override_reason is null)", '']]),
  },
  {
    experiment: 'L7',
    runs: 1,
    removed: 'that a supplier which does not answer is asked again',
    fromProgram: [
      [
        'server/features/supplier/query-delivery-status.ts',
        "return again(\n    status === 'unknown' ?",
        "return void (\n    status === 'unknown' ?",
      ],
    ],
  },
  {
    experiment: 'L8',
    runs: 1,
    removed: 'that a refusal for want of our money is not the order’s',
    fromProgram: [
      ['server/features/supplier/send-delivery.ts', "outcome.cause !== 'refused' && outcome.cause !== 'duplicate'", 'false'],
      [
        'server/features/supplier/send-delivery.ts',
        "outcome.outcome === 'rejected' && outcome.cause === 'refused' && resent === 0",
        "outcome.outcome === 'rejected' && resent === 0",
      ],
    ],
  },
  {
    experiment: 'L9',
    runs: 3,
    removed: 'that messages are work of their own (a purchase waits for the service)',
    fromProgram: [
      [
        'server/features/checkout/routes.ts',
        'onOrders()\n',
        `await fetch(\`\${process.env.SMS_ARKESEL_BASE_URL}/api/v2/sms/send\`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'api-key': String(process.env.SMS_ARKESEL_KEY) },
        body: JSON.stringify({ sender: 'Dwadi', message: 'A new order', recipients: ['233241112223'] }),
        signal: AbortSignal.timeout(2_000),
      }).catch(() => null)
      onOrders()\n`,
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
        'server/features/sms/notify-about-order.ts',
        "const isDigested = kind === 'order' && settings.smsDigest && (await isOneTooMany(ctx, tx, settings))",
        'const isDigested = false as boolean\n    void isOneTooMany',
      ],
    ],
  },
  {
    experiment: 'L11',
    runs: 1,
    removed: 'that an offer is a plain word in a message',
    fromProgram: [
      ['server/features/sms/compose-message.ts', `your \${network} \${plainWord(offer, 20)} for`, `your \${network} \${offer} for`],
    ],
  },
  {
    experiment: 'L12',
    runs: 1,
    removed: 'that a mail which was not taken is sent again',
    fromProgram: [
      [
        'server/features/auth/send-password-resets.ts',
        "if (sent.outcome === 'rejected' || request.attempts >= MOST_ATTEMPTS)",
        "if (sent.outcome !== ('accepted' as string) || MOST_ATTEMPTS === 0)",
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
