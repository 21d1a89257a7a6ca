import type { Queryable } from '../../platform/db.ts'
import { likePatterns, type Page } from '../../platform/http/lists.ts'
import { USER_WORDS } from '../users/users.sql.ts'

export type AdminActionRow = {
  id: number
  actor: string | null
  action: string
  subjectType: string
  subjectId: string
  subject: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  note: string
  ip: string | null
  createdAt: Date
}

/** The subject as text, looked up only for the rows of one page. */
const SUBJECT = `case a.subject_type
    when 'user' then coalesce((select u.username from users u where u.id::text = a.subject_id), a.subject_id)
    when 'order' then coalesce((
      select o.seq || ': ' || o.network || ' ' || o.offer from orders o where o.id = a.subject_id::uuid
    ), a.subject_id)
    when 'batch' then 'Batch ' || a.subject_id
    when 'product' then coalesce(a.after ->> 'network', a.before ->> 'network', a.subject_id)
    else a.subject_id
  end`

export async function selectAdminActions(
  db: Queryable,
  { limit, offset, search }: Page,
): Promise<{ actions: AdminActionRow[]; total: number }> {
  const matches = `($1::text[] is null or a.action ilike any ($1) or a.subject_id ilike any ($1) or a.note ilike any ($1) or actor.username ilike any ($1)
    or (a.subject_type = 'user' and a.subject_id in (select u.id::text from users u where ${USER_WORDS} ilike any ($1)
      and (u.username ilike any ($1) or u.phone ilike any ($1)))))`
  const patterns = likePatterns(search)
  const [page, count] = await Promise.all([
    db.query<AdminActionRow>(
      `select a.id, actor.username as actor, a.action, a.subject_type as "subjectType", a.subject_id as "subjectId", ${SUBJECT} as subject,
         a.before, a.after, a.note, a.ip, a.created_at as "createdAt"
       from admin_actions a left join users actor on actor.id = a.actor_id where ${matches} order by a.id desc limit $2 offset $3`,
      [patterns, limit, offset],
    ),
    patterns === null
      ? db.query<{ total: number }>(`select rows as total from list_counts where list = 'admin_actions'`)
      : db.query<{ total: number }>(
          `select count(*) as total from admin_actions a left join users actor on actor.id = a.actor_id where ${matches}`,
          [patterns],
        ),
  ])
  return { actions: page.rows, total: count.rows[0]?.total ?? 0 }
}
