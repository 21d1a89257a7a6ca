import { randomBytes } from 'node:crypto'
import { hashPassword } from '../../server/features/people/auth/hash-password.ts'
import { insertSession } from '../../server/features/people/sessions/sessions.sql.ts'
import { foldUsername } from '../../server/features/people/users/fold-username.ts'
import { insertUser } from '../../server/features/people/users/users.sql.ts'
import type { CardGateway } from '../../server/integrations/payments/card-gateway.ts'
import { openWallet } from '../../server/ledger/ledger.ts'
import type { Actor, Ctx } from '../../server/platform/context.ts'
import { type Db, transaction } from '../../server/platform/db.ts'
import { hashToken } from '../../server/platform/hash-token.ts'
import type { Log } from '../../server/platform/log.ts'
import type { UserLevel } from '../../shared/users.ts'

const HOUR_MS = 3_600_000

/** What the demo's trade is done with: people who are signed in, and the shop's own writes at a moment of the past. */
export type DemoShop = {
  db: Db
  /** A context as a request of that user has it; null for the shop itself. Nothing is announced and no job is left behind. */
  at(now: Date, actor: Actor | null): Ctx
  signUp(person: NewPerson): Promise<Actor>
  signIn(userId: string): Promise<Actor>
  /** Ends all sessions, so that a demo opens with nobody signed in. */
  signOutAll(): Promise<void>
  /** Settles what the demo says was paid; it never asks a provider. */
  gateway: CardGateway
}

type NewPerson = { username: string; email: string; phone: string; level: UserLevel; joinedAt: Date }

export async function openDemoShop(db: Db, log: Log, password: string): Promise<DemoShop> {
  const passwordHash = await hashPassword(password)
  const realtime = { announce() {}, disconnectUser() {}, disconnectSession() {}, close: async () => {} } as unknown as Ctx['realtime']
  const jobs = { enqueue: async () => {}, wake() {} } as unknown as Ctx['jobs']

  const signIn = async (userId: string): Promise<Actor> => {
    const tokenHash = hashToken(randomBytes(32).toString('base64url'))
    const now = new Date()
    await insertSession(db, { tokenHash, userId, now, expiresAt: new Date(now.getTime() + HOUR_MS) })
    const { rows } = await db.query<Omit<Actor, 'sessionHash'>>(
      `select id, username, email, phone, level, status, created_at as "createdAt" from users where id = $1`,
      [userId],
    )
    return { ...(rows[0] as Omit<Actor, 'sessionHash'>), sessionHash: tokenHash }
  }

  return {
    db,
    at: (now, actor) => ({ db, actor, now, ip: null, realtime, jobs, log }),
    signIn,
    async signUp({ joinedAt: now, ...person }) {
      const userId = await transaction(db, async (tx) => {
        const id = await insertUser(tx, { ...person, usernameSkeleton: foldUsername(person.username), passwordHash, now })
        await openWallet(tx, id)
        return id
      })
      return signIn(userId)
    },
    async signOutAll() {
      await db.query('delete from sessions')
    },
    gateway: { isTest: true } as CardGateway,
  }
}
