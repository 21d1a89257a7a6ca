import type * as LockActorModule from '../../server/platform/lock-actor.ts'
import type * as NoticeModule from '../../shared/notice.ts'
import { editFunction, type Guard, replace } from './guard.ts'
import { NO_ADMINS } from './shared-guards.ts'

/** G, H, I. Identifiers, authorisation and accounts. */
export const accountsGuards: Guard[] = [
  {
    experiment: 'G1',
    runs: 400_000,
    inCopy: true,
    removed: 'that all letters are equally likely (a byte taken modulo 62)',
    fromProgram: [['server/platform/reference.ts', 'ALPHABET[randomInt(ALPHABET.length)]', 'ALPHABET[randomInt(256) % ALPHABET.length]']],
  },
  {
    experiment: 'G2',
    runs: 1,
    removed: 'the database’s clock (each process goes by its own)',
    fromProgram: [['server/main.ts', 'now: databaseHealth.now,', 'now: () => new Date(),']],
  },
  {
    experiment: 'G4',
    runs: 1,
    removed: 'that an order’s day is one of UTC (it is one of the database’s own)',
    fromDatabase: (db) => editFunction(db, 'count_order', [["(new.created_at at time zone 'UTC')::date", 'new.created_at::date']]),
  },
  {
    experiment: 'G5',
    runs: 100,
    removed: 'that a payment is found by all of its reference (the first letter is enough), and by its payer alone',
    fromProgram: [
      [
        'server/features/payments/payments.sql.ts',
        `from payments where reference = $1\`, [reference]`,
        `from payments where left(reference, 1) = left($1, 1) limit 1\`, [reference]`,
      ],
      [
        'server/features/payments/confirm-payment.ts',
        "if (known?.userId !== actor.id) throw new NotFound('payment')",
        "if (!known) throw new NotFound('payment')",
      ],
      [
        'server/features/payments/confirm-payment.ts',
        'checkPayment(ctx, gateway, reference)',
        'checkPayment(ctx, gateway, known.reference)',
      ],
    ],
  },
  { experiment: 'H1', runs: 1, removed: 'the question who is an admin', fromProgram: [NO_ADMINS] },
  {
    experiment: 'H2',
    runs: 3,
    removed: 'whose orders and recharges a list is of',
    fromProgram: [
      [
        'server/features/recharges/routes.ts',
        "const userId = actor.level === 'Admin' && mine === undefined ? null : actor.id",
        'const userId = actor === null ? actor : null',
      ],
    ],
  },
  {
    experiment: 'H3',
    runs: 100,
    removed: 'the presenting of a user, and the form of replies (a row goes out as it is)',
    fromProgram: [
      ['server/app.ts', 'app.setSerializerCompiler(serializerCompiler)', 'app.setSerializerCompiler(() => (data) => JSON.stringify(data))'],
      ['server/features/users/present.ts', '_id: row.id,', '...row,\n    _id: row.id,'],
    ],
  },
  {
    experiment: 'H4',
    runs: 2,
    removed: 'the question who is an admin, where the mobile-money number is changed',
    replaced: [
      replace<typeof NoticeModule>('../../shared/notice.ts', {
        noticeEndpoints: ({ noticeEndpoints }) => {
          const endpoint = 'PUT /extra/momo-details'
          return { ...noticeEndpoints, [endpoint]: { ...noticeEndpoints[endpoint], access: 'signed-in' as 'admin' } }
        },
      }),
      replace<typeof LockActorModule>('../../server/platform/lock-actor.ts', {
        requireAdmin: ({ lockActor }) => lockActor,
      }),
    ],
  },
  {
    experiment: 'H5',
    runs: 1,
    removed: 'that a header does not change the verb',
    fromProgram: [
      [
        'server/app.ts',
        'bodyLimit: BODY_LIMIT_BYTES,',
        `bodyLimit: BODY_LIMIT_BYTES,
    rewriteUrl: (request) => {
      request.method = String(request.headers['x-http-method-override'] ?? request.method)
      return String(request.url)
    },`,
      ],
    ],
  },
  {
    experiment: 'H6',
    runs: 1,
    removed: 'that the guard goes by the route (it goes by the address as it is written)',
    fromProgram: [
      [
        'server/platform/http/access.ts',
        'const { access } = request.routeOptions.config\n',
        "const access = request.url.startsWith('/api/') ? request.routeOptions.config.access : undefined\n",
      ],
    ],
  },
  {
    experiment: 'H7',
    runs: 1,
    removed: 'that a registration takes its own four fields alone',
    fromProgram: [
      ['shared/users.ts', 'registerRequest = z.object({', 'registerRequest = z.looseObject({'],
      ['server/features/auth/register.ts', '{ username, email, phone, password }:', '{ username, email, phone, password, ...rest }:'],
      ['server/features/auth/register.ts', "level: 'Customer' as const,", "level: 'Customer' as const,\n    ...rest,"],
    ],
  },
  {
    experiment: 'H8',
    runs: 2,
    removed: 'the end of a banned user’s sessions, and the look at who is banned',
    fromProgram: [
      ['server/features/sessions/sessions.sql.ts', "s.expires_at > $2 and u.status = 'Active'", 's.expires_at > $2'],
      [
        'server/features/users/change-status.ts',
        "if (status === 'Banned') await deleteSessionsOfUser(tx, userId)",
        'void deleteSessionsOfUser',
      ],
    ],
  },
  {
    experiment: 'H8',
    runs: 2,
    removed: 'the closing of a banned user’s sockets, at once and by the look for those of ended sessions',
    fromProgram: [
      ['server/features/users/change-status.ts', "if (status === 'Banned') ctx.realtime.disconnectUser(userId)", ''],
      ['server/background.ts', 'work: () => closeEndedSessions(ctx()),', 'work: async () => void closeEndedSessions,'],
    ],
  },
  {
    experiment: 'H9',
    runs: 2,
    removed: 'the closing of a demoted admin’s sockets',
    fromProgram: [
      [
        'server/features/users/change-level.ts',
        "if (changed.before.level !== level && [changed.before.level, level].includes('Admin')) ctx.realtime.disconnectUser(userId)",
        '',
      ],
    ],
  },
  {
    experiment: 'H10',
    runs: 4,
    removed: 'the lock on the admins',
    fromProgram: [
      [
        'server/features/users/users.sql.ts',
        "where level = 'Admin' and status = 'Active' order by id for update",
        "where level = 'Admin' and status = 'Active' order by id",
      ],
    ],
  },
  {
    experiment: 'H11',
    runs: 1,
    inCopy: true,
    removed: 'the question who is an admin, before a screen of the admins is opened',
    fromProgram: [['web/app/router.tsx', 'user?.isAdmin ? children', 'user ? children']],
  },
  {
    experiment: 'I1',
    runs: 30,
    removed: 'the work done for a phone that nobody has',
    fromProgram: [
      [
        'server/features/auth/hash-password.ts',
        'const against = passwordHash ?? (await hashOfNobody)',
        'if (passwordHash === null) return false\n  const against = passwordHash',
      ],
    ],
  },
  {
    experiment: 'I2',
    runs: 1,
    removed: 'that all processes count wrong guesses together',
    fromProgram: [
      [
        'server/features/auth/limit-guesses.ts',
        `\`login \${phone} at \${address}\``,
        `\`login \${phone} at \${address} of \${process.pid}\``,
      ],
    ],
  },
  {
    experiment: 'I3',
    runs: 2,
    removed: 'that a reset’s link works once',
    fromProgram: [
      [
        'server/features/auth/password-resets.sql.ts',
        '\'delete from password_resets where token_hash = $1 and expires_at > $2 returning user_id as "userId"\'',
        '\'select user_id as "userId" from password_resets where token_hash = $1 and expires_at > $2\'',
      ],
      ['server/features/auth/password-resets.sql.ts', "await tx.query('delete from password_resets where user_id = $1', [userId])", ''],
    ],
  },
  {
    experiment: 'I4',
    runs: 1,
    removed: 'that links lead to the shop’s own address (they lead to where the request says it went)',
    fromProgram: [
      ['server/features/auth/routes.ts', 'onResetRequest()\n', 'process.env.ASKED_AT = request.host\n      onResetRequest()\n'],
      ['server/features/auth/send-password-resets.ts', `\`\${mail.publicUrl()}/reset`, `\`http://\${process.env.ASKED_AT}/reset`],
    ],
  },
  {
    experiment: 'I5',
    runs: 1,
    removed: 'the hash of a reset’s token',
    fromDatabase: async (db) => void (await db.query('alter table password_resets drop constraint password_resets_token_hash_check')),
    fromProgram: [
      ['server/features/auth/send-password-resets.ts', 'tokenHash: hashToken(token)', 'tokenHash: Buffer.from(token)'],
      ['server/features/auth/reset-password.ts', 'takeResetToken(tx, hashToken(token)', 'takeResetToken(tx, Buffer.from(token)'],
    ],
  },
  {
    experiment: 'I6',
    runs: 2,
    removed: 'the end of a session that is signed out of',
    fromProgram: [['server/features/auth/logout.ts', 'await deleteSession(ctx.db, sessionHash)', 'void deleteSession']],
  },
  {
    experiment: 'I7',
    runs: 1,
    inCopy: true,
    removed: 'the forgetting of what a browser kept, when its user signs out',
    fromProgram: [
      ['web/lib/session-change.ts', 'for (const { forget } of keepers) forget()\n  // A screen', '// A screen'],
      ['web/lib/session-change.ts', 'forgetStored(NOBODYS)\n', 'void [forgetStored, NOBODYS]\n'],
    ],
  },
  {
    experiment: 'I8',
    runs: 2,
    removed: 'the end of an admin’s session that is idle',
    fromProgram: [['server/features/sessions/find-actor.ts', "actor.level === 'Admin' && idleMs > ADMIN_IDLE_MS", 'false as boolean']],
  },
  {
    experiment: 'I9',
    runs: 1,
    inCopy: true,
    removed: 'the look at what a redirect leads to',
    fromProgram: [
      [
        'web/lib/redirect.ts',
        'if (!target || !isOwnPath(target)) return fallback',
        'if (!target) return fallback\n  if (!isOwnPath(target)) return target',
      ],
    ],
  },
  {
    experiment: 'I10',
    runs: 1,
    removed: 'that a phone has one account',
    fromDatabase: async (db) => void (await db.query('alter table users drop constraint users_phone_key')),
  },
  {
    experiment: 'I11',
    runs: 1,
    removed: 'the most characters of a password',
    fromProgram: [
      ['shared/users.ts', 'z.maxLength(PASSWORD_MAX, { error: `The password must be', 'z.maxLength(1e9, { error: `The password must be'],
    ],
  },
  {
    experiment: 'I11',
    runs: 1,
    removed: 'that a password is kept as it was typed (spaces cut off)',
    fromProgram: [['server/features/auth/hash-password.ts', 'hash(password, OPTIONS)', 'hash(password.trim(), OPTIONS)']],
  },
  {
    experiment: 'I12',
    runs: 100,
    removed: 'how many passwords are looked at at once, and beside whatever else the process does',
    fromProgram: [
      [
        'server/features/auth/hash-password.ts',
        "import { hash, verify } from '@node-rs/argon2'",
        "import { hash, verifySync } from '@node-rs/argon2'",
      ],
      ['server/features/auth/hash-password.ts', 'await atMost(asker, () => verify(against, password))', 'verifySync(against, password)'],
    ],
  },
  {
    experiment: 'I14',
    runs: 1,
    removed: 'the form of a name in which look-alikes are one',
    fromProgram: [['server/features/auth/register.ts', 'usernameSkeleton: foldUsername(username)', 'usernameSkeleton: username']],
  },
  {
    experiment: 'I15',
    runs: 1,
    removed: 'the form of an e-mail address',
    fromProgram: [
      [
        'shared/users.ts',
        'z.regex(/^[a-z0-9._%+-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/',
        'z.regex(/^.+@.+$/',
      ],
    ],
  },
]
