import type { Ctx } from './context.ts'
import type { Tx } from './db.ts'

export type AdminAction = {
  action: string
  subject: { type: string; id: string }
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
  note?: string
}

/** Records an admin's action in the transaction that performs it. */
export async function recordAdminAction(
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'ip' | 'now'>,
  { action, subject, before, after, note }: AdminAction,
) {
  await tx.query(
    `insert into admin_actions (actor_id, action, subject_type, subject_id, before, after, note, ip, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [ctx.actor?.id ?? null, action, subject.type, subject.id, before ?? null, after ?? null, note ?? '', ctx.ip, ctx.now],
  )
}
