import type { Guard } from './guard.ts'
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
    fromProgram: [['server/main.ts', 'now: pulse.now,', 'now: () => new Date(),']],
  },
  { experiment: 'H1', runs: 1, removed: 'the question who is an admin', fromProgram: [NO_ADMINS] },
  {
    experiment: 'H2',
    runs: 3,
    removed: 'whose orders and recharges a list is of',
    fromProgram: [
      [
        'server/features/recharges/routes.ts',
        "const userId = actor.level === 'Admin' ? null : actor.id",
        'const userId = actor === null ? actor : null',
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
    experiment: 'I1',
    runs: 30,
    removed: 'the work done for a phone that nobody has',
    fromProgram: [
      [
        'server/features/auth/passwords.ts',
        'const against = passwordHash ?? (await hashOfNobody)',
        'if (passwordHash === null) return false\n  const against = passwordHash',
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
    experiment: 'I6',
    runs: 2,
    removed: 'the end of a session that is signed out of',
    fromProgram: [['server/features/auth/logout.ts', 'await deleteSession(ctx.db, sessionHash)', 'void deleteSession']],
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
]
