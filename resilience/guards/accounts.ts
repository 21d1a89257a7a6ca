import { randomInt } from 'node:crypto'
import type * as Argon2Module from '@node-rs/argon2'
import type * as FastifyTypeProviderZodModule from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import type * as ConfirmPaymentModule from '../../server/features/card/payments/confirm-payment.ts'
import type * as HashPasswordModule from '../../server/features/people/auth/hash-password.ts'
import type * as LimitGuessesModule from '../../server/features/people/auth/limit-guesses.ts'
import type * as PasswordResetsSqlModule from '../../server/features/people/auth/password-resets.sql.ts'
import type * as RegisterModule from '../../server/features/people/auth/register.ts'
import type * as SendPasswordResetsModule from '../../server/features/people/auth/send-password-resets.ts'
import type * as CloseEndedSessionsModule from '../../server/features/people/sessions/close-ended-sessions.ts'
import type * as SessionsSqlModule from '../../server/features/people/sessions/sessions.sql.ts'
import type * as FoldUsernameModule from '../../server/features/people/users/fold-username.ts'
import type * as PresentModule from '../../server/features/people/users/present.ts'
import type * as UsersSqlModule from '../../server/features/people/users/users.sql.ts'
import type * as RechargesSqlModule from '../../server/features/wallet/recharges/recharges.sql.ts'
import type * as DatabaseHealthModule from '../../server/platform/database-health.ts'
import type * as HashTokenModule from '../../server/platform/hash-token.ts'
import type * as AccessModule from '../../server/platform/http/access.ts'
import type * as LockActorModule from '../../server/platform/lock-actor.ts'
import type * as RealtimeModule from '../../server/platform/realtime.ts'
import type * as ReferenceModule from '../../server/platform/reference.ts'
import type * as NoticeModule from '../../shared/notice.ts'
import type * as UsersModule from '../../shared/users.ts'
import { changeFastify, type Guard, guard, inModule, replace, replaceInWeb, withEndpoint, withoutLocks } from './guard.ts'
import { NO_ADMINS, NO_SIGN_OUT } from './shared-guards.ts'

type Realtime = typeof RealtimeModule

/** No socket is closed when its user's rights change. */
const NO_DISCONNECTING = inModule<Realtime>('../../server/platform/realtime.ts').wrap('openRealtime', (openRealtime, options) => ({
  ...openRealtime(options),
  disconnectUser: () => {},
}))

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789']

/** G, H, I. Identifiers, authorisation and accounts. */
export const accountsGuards: Guard[] = [
  guard('G1', 400_000, 'that all letters are equally likely (a byte modulo 62)', {
    apart: true,
    replaced: [
      replace<typeof ReferenceModule>('../../server/platform/reference.ts', {
        makeReference: () => () => Array.from({ length: 20 }, () => LETTERS[randomInt(256) % LETTERS.length]).join(''),
      }),
    ],
  }),
  guard('G2', 1, "the database's clock (each process uses its own)", {
    replaced: [
      inModule<typeof DatabaseHealthModule>('../../server/platform/database-health.ts').wrap('watchDatabase', (watchDatabase, options) => ({
        ...watchDatabase(options),
        now: () => new Date(),
      })),
    ],
  }),
  guard('G4', 1, "that an order counts for a day in UTC (it counts for the database's own day)", {
    fromDatabase: async (db) => {
      await db.query(`create or replace function count_order() returns trigger language plpgsql as $$
        begin
          insert into order_deltas (day, block, network, status, orders, pesewas)
          values (new.created_at::date, new.seq / 10000, new.network, new.status, 1, new.price_pesewas);
          return null;
        end $$`)
    },
  }),
  guard('G5', 100, 'that a payment is found only by its whole reference (one letter is enough) and by its payer', {
    replaced: [
      inModule<typeof ConfirmPaymentModule>('../../server/features/card/payments/confirm-payment.ts').wrap(
        'confirmPayment',
        async (confirmPayment, ctx, gateway, guess) => {
          const { rows } = await ctx.db.query<{ reference: string; payer: string }>(
            'select reference, user_id as payer from payments where left(reference, 1) = left($1, 1) limit 1',
            [guess],
          )
          const { reference = guess, payer = '' } = rows[0] ?? {}
          return confirmPayment({ ...ctx, actor: ctx.actor && { ...ctx.actor, id: payer } }, gateway, reference)
        },
      ),
    ],
  }),
  guard('H1', 1, 'the check that the caller is an admin', { replaced: [NO_ADMINS] }),
  guard('H2', 3, "that a list of recharges has only the caller's own", {
    replaced: [
      inModule<typeof RechargesSqlModule>('../../server/features/wallet/recharges/recharges.sql.ts').wrap(
        'selectRecharges',
        (selectRecharges, db, filter) => selectRecharges(db, { ...filter, userId: null }),
      ),
    ],
  }),
  guard('H3', 100, 'the presentation of a user and the schema of replies (a row is sent as it is)', {
    replaced: [
      replace<typeof FastifyTypeProviderZodModule>('fastify-type-provider-zod', {
        serializerCompiler: () => () => JSON.stringify,
      }),
      inModule<typeof PresentModule>('../../server/features/people/users/present.ts').wrap('presentUser', (presentUser, row) => ({
        ...row,
        ...presentUser(row),
      })),
    ],
  }),
  guard('H4', 2, 'the check that the caller is an admin, where the mobile-money number is changed', {
    replaced: [
      replace<typeof NoticeModule>('../../shared/notice.ts', {
        noticeEndpoints: ({ noticeEndpoints }) => withEndpoint(noticeEndpoints, 'PUT /extra/momo-details', { access: 'signed-in' }),
      }),
      replace<typeof LockActorModule>('../../server/platform/lock-actor.ts', {
        requireStaff: ({ lockActor }) => lockActor,
      }),
    ],
  }),
  guard('H5', 1, 'that a header does not change the method', {
    replaced: [
      changeFastify({
        options: (given) => ({
          ...given,
          rewriteUrl(request: { method: string; url: string; headers: Record<string, string> }) {
            request.method = request.headers['x-http-method-override'] ?? request.method
            return request.url
          },
        }),
      }),
    ],
  }),
  guard('H6', 1, 'that access follows from the route (it follows from the address as it is written)', {
    replaced: [
      inModule<typeof AccessModule>('../../server/platform/http/access.ts').wrap('registerAccess', (registerAccess, app, findActor) => {
        type Hook = (request: { url: string }) => Promise<unknown>
        const addHook = (name: string, hook: Hook) =>
          app.addHook(
            name as 'onRequest',
            name === 'onRoute' ? (hook as never) : async (request) => request.url.startsWith('/api/') && (await hook(request)),
          )
        registerAccess(new Proxy(app, { get: (target, name) => (name === 'addHook' ? addHook : Reflect.get(target, name)) }), findActor)
      }),
    ],
  }),
  guard('H7', 1, 'that a registration takes only its own four fields', {
    replaced: [
      replace<typeof UsersModule>('../../shared/users.ts', {
        sessionEndpoints: ({ sessionEndpoints, registerRequest }) =>
          withEndpoint(sessionEndpoints, 'POST /user/register', { body: z.looseObject(registerRequest.shape) }),
      }),
      inModule<typeof RegisterModule>('../../server/features/people/auth/register.ts').wrap(
        'register',
        async (register, ctx, request, rules) => {
          const made = await register(ctx, request, rules)
          const { level = made.user.level } = request as Partial<typeof made.user>
          await ctx.db.query('update users set level = $2 where id = $1', [made.user.id, level])
          return { ...made, user: { ...made.user, level } }
        },
      ),
    ],
  }),
  guard('H8', 2, "the end of a banned user's sessions, and the check whether a user is banned", {
    replaced: [
      replace<typeof SessionsSqlModule>('../../server/features/people/sessions/sessions.sql.ts', {
        deleteSessionsOfUser: () => async () => {},
        selectActor: () => async (db, tokenHash, now) => {
          const { rows } = await db.query(
            `select u.id, u.username, u.email, u.phone, u.level, u.status, u.created_at as "createdAt", s.last_used_at as "lastUsedAt",
               array(select role from staff_roles r where r.user_id = u.id) as roles
             from sessions s join users u on u.id = s.user_id where s.token_hash = $1 and s.expires_at > $2`,
            [tokenHash, now],
          )
          return rows[0] ? { ...rows[0], sessionHash: tokenHash } : null
        },
      }),
    ],
  }),
  guard('H8', 2, "the closing of a banned user's sockets, at once and by the loop for those of ended sessions", {
    replaced: [
      NO_DISCONNECTING,
      replace<typeof CloseEndedSessionsModule>('../../server/features/people/sessions/close-ended-sessions.ts', {
        closeEndedSessions: () => async () => {},
      }),
    ],
  }),
  guard('H9', 2, "the closing of a demoted admin's sockets", { replaced: [NO_DISCONNECTING] }),
  guard('H10', 4, 'the locks on the admins', {
    replaced: [
      inModule<typeof UsersSqlModule>('../../server/features/people/users/users.sql.ts').wrap('lockActiveAdmins', (lockActiveAdmins, tx) =>
        lockActiveAdmins(withoutLocks(tx)),
      ),
      inModule<typeof LockActorModule>('../../server/platform/lock-actor.ts').wrap('requireStaff', (requireStaff, tx, ctx, wanted) =>
        requireStaff(withoutLocks(tx), ctx, wanted),
      ),
    ],
  }),
  guard('H11', 1, "the check that the user is an admin, before an admin's screen is opened", {
    replaced: [
      replaceInWeb('../../web/lib/session.ts', {
        session: ({ session }) => ({
          ...session,
          use() {
            const user = session.use()
            return user && { ...user, isAdmin: true }
          },
        }),
      }),
    ],
  }),
  guard('I1', 30, 'the work done for a phone number without an account', {
    replaced: [
      inModule<typeof HashPasswordModule>('../../server/features/people/auth/hash-password.ts').wrap(
        'isPassword',
        async (isPassword, passwordHash, password, asker) => passwordHash !== null && isPassword(passwordHash, password, asker),
      ),
    ],
  }),
  guard('I2', 1, 'that all processes count wrong guesses together', {
    replaced: [
      inModule<typeof LimitGuessesModule>('../../server/features/people/auth/limit-guesses.ts').wrap(
        'limitGuesses',
        (limitGuesses, { phone, ...guess }) => limitGuesses({ phone: `${phone} of process ${process.pid}`, ...guess }),
      ),
    ],
  }),
  guard('I3', 2, 'that a reset link works once', {
    replaced: [
      replace<typeof PasswordResetsSqlModule>('../../server/features/people/auth/password-resets.sql.ts', {
        takeResetToken: () => async (tx, tokenHash) => {
          const { rows } = await tx.query('select user_id from password_resets where token_hash = $1', [tokenHash])
          return rows[0]?.user_id ?? null
        },
        updatePassword: () => async (tx, userId, passwordHash) => {
          await tx.query('update users set password_hash = $2 where id = $1', [userId, passwordHash])
        },
      }),
    ],
  }),
  guard('I4', 1, "that links lead to the shop's own address (they lead to the request's host)", {
    replaced: [
      changeFastify({
        prepare(app) {
          app.addHook('onRequest', async ({ url, host }) => {
            if (url.endsWith('/forget-password')) process.env.ASKED_AT = host
          })
        },
      }),
      inModule<typeof SendPasswordResetsModule>('../../server/features/people/auth/send-password-resets.ts').wrap(
        'sendPasswordResets',
        (sendPasswordResets, ctx, mail) => sendPasswordResets(ctx, { ...mail, publicUrl: () => `http://${process.env.ASKED_AT}` }),
      ),
    ],
  }),
  guard('I5', 1, "the hash of a reset link's token", {
    fromDatabase: async (db) => void (await db.query('alter table password_resets drop constraint password_resets_token_hash_check')),
    replaced: [
      inModule<typeof HashTokenModule>('../../server/platform/hash-token.ts').wrap('hashToken', (hashToken, token) =>
        Object.assign(hashToken(token), { token }),
      ),
      inModule<typeof PasswordResetsSqlModule>('../../server/features/people/auth/password-resets.sql.ts').wrap(
        'replaceResetToken',
        (replaceResetToken, tx, reset) =>
          replaceResetToken(tx, { ...reset, tokenHash: Buffer.from((reset.tokenHash as Buffer & { token: string }).token) }),
      ),
    ],
  }),
  guard('I6', 2, 'the end of a session at signing out', { replaced: [NO_SIGN_OUT] }),
  guard('I7', 1, "that a browser forgets a user's data when they sign out", {
    replaced: [
      replaceInWeb('../../web/lib/session.ts', { keepers: () => new Set() }),
      replaceInWeb('../../web/lib/stored-entries.ts', { forgetStored: () => () => {} }),
    ],
  }),
  guard('I8', 2, "the end of an admin's idle session", {
    replaced: [
      inModule<typeof SessionsSqlModule>('../../server/features/people/sessions/sessions.sql.ts').wrap(
        'selectActor',
        async (selectActor, db, tokenHash, now) => {
          const actor = await selectActor(db, tokenHash, now)
          return actor && { ...actor, lastUsedAt: now }
        },
      ),
    ],
  }),
  guard('I9', 1, 'the check where a redirect leads', {
    apart: true,
    replaced: [
      replaceInWeb('../../web/lib/redirect.ts', {
        safeRedirect:
          () =>
          (target: string, fallback = '/store') =>
            target || fallback,
      }),
    ],
  }),
  guard('I10', 1, 'that a phone number has one account', {
    fromDatabase: async (db) => void (await db.query('alter table users drop constraint users_phone_key')),
  }),
  guard('I11', 1, 'the longest password', {
    replaced: [
      replace<typeof UsersModule>('../../shared/users.ts', {
        sessionEndpoints: ({ sessionEndpoints, registerRequest }) =>
          withEndpoint(sessionEndpoints, 'POST /user/register', {
            body: z.extend(registerRequest, { password: z.string() }),
          }),
      }),
    ],
  }),
  guard('I11', 1, 'that a password is stored as it was typed (spaces are cut off)', {
    replaced: [
      inModule<typeof HashPasswordModule>('../../server/features/people/auth/hash-password.ts').wrap(
        'hashPassword',
        (hashPassword, password, asker) => hashPassword(password.trim(), asker),
      ),
    ],
  }),
  guard('I12', 100, 'that few passwords are checked at once, and in threads of their own', {
    replaced: [
      replace<typeof Argon2Module>('@node-rs/argon2', {
        verify:
          ({ verifySync }) =>
          async (passwordHash, password, options) =>
            verifySync(passwordHash, password, options),
      }),
    ],
  }),
  guard('I14', 1, 'that names which look alike are the same name', {
    replaced: [
      replace<typeof FoldUsernameModule>('../../server/features/people/users/fold-username.ts', {
        foldUsername: () => (username) => username,
      }),
    ],
  }),
  guard('I15', 1, 'the form of an e-mail address', {
    replaced: [
      replace<typeof UsersModule>('../../shared/users.ts', {
        sessionEndpoints: ({ sessionEndpoints }) =>
          withEndpoint(sessionEndpoints, 'POST /user/forget-password', {
            body: z.object({ email: z.string().check(z.trim(), z.toLowerCase(), z.regex(/^.+@.+$/)) }),
          }),
      }),
    ],
  }),
]
