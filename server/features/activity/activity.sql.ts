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
    when 'day' then coalesce('The day of ' || to_char((a.after ->> 'until')::timestamptz at time zone 'UTC' - interval '4 hours', 'FMDD FMMonth'), a.subject_id)
    when 'supplier' then case a.subject_id when 'hubnet' then 'Hubnet' when 'remadata' then 'RemaData'
      else regexp_replace(a.subject_id, '^by-hand:(.+)$', '\\1 portal') end
    when 'product' then coalesce(a.after ->> 'network', a.before ->> 'network', a.subject_id)
    else a.subject_id
  end`

/** Counting stops here: "1,000 and more" is as useful, and the cost stays bounded. */
const MOST_FOUND = 1_000
const MOST_USERS = 500

/** `from` and `to` are days, both included. */
export type ActivityFilter = { search: string | null; from: string | null; to: string | null }

const ROW = `a.id, actor.username as actor, a.action, a.subject_type as "subjectType", a.subject_id as "subjectId", ${SUBJECT} as subject,
  a.before, a.after, a.note, a.ip, a.created_at as "createdAt"`

/** The condition on `admin_actions a`, with its values from $1 on. Each way to find one has an index. */
function matchActions({ search, from, to }: ActivityFilter): { matches: string; values: unknown[] } {
  const values: unknown[] = []
  const conditions: string[] = []
  if (search !== null) {
    const patterns = `$${values.push(likePatterns(search))}::text[]`
    const people = `select u.id from users u where ${USER_WORDS} ilike any (${patterns})
      and (u.username ilike any (${patterns}) or u.phone ilike any (${patterns})) limit ${MOST_USERS}`
    const ways = [
      `(a.action || ' ' || a.note) ilike any (${patterns})`,
      `a.actor_id = any (array(${people}))`,
      `(a.subject_type = 'user' and a.subject_id = any (array(select id::text from (${people}) found)))`,
      `(a.subject_type in ('order', 'product', 'payment', 'recharge', 'job', 'user', 'batch', 'package') and a.subject_id = $${values.push(search.trim())})`,
    ]
    if (/^\d{1,12}$/.test(search.trim())) {
      ways.push(
        `(a.subject_type = 'order' and a.subject_id = (select o.id::text from orders o where o.seq = $${values.push(Number(search))}))`,
      )
    }
    conditions.push(`(${ways.join(' or ')})`)
  }
  if (from !== null) conditions.push(`a.created_at >= $${values.push(from)}::date`)
  if (to !== null) conditions.push(`a.created_at < $${values.push(to)}::date + interval '1 day'`)
  return { matches: conditions.join(' and ') || 'true', values }
}

export async function selectAdminActions(
  db: Queryable,
  { limit, offset, ...filter }: Page & ActivityFilter,
): Promise<{ actions: AdminActionRow[]; total: number }> {
  const { matches, values } = matchActions(filter)
  const [page, count] = await Promise.all([
    db.query<AdminActionRow>(
      `select ${ROW} from admin_actions a left join users actor on actor.id = a.actor_id where ${matches}
       order by a.id desc limit $${values.length + 1} offset $${values.length + 2}`,
      [...values, limit, offset],
    ),
    values.length === 0
      ? db.query<{ total: number }>(`select rows as total from list_counts where list = 'admin_actions'`)
      : db.query<{ total: number }>(
          `select count(*) as total from (select from admin_actions a where ${matches} limit ${MOST_FOUND}) found`,
          values,
        ),
  ])
  return { actions: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** All that match, newest first, for a file. */
export function activityForExport(filter: ActivityFilter): { text: string; values: unknown[] } {
  const { matches, values } = matchActions(filter)
  return {
    text: `select ${ROW} from admin_actions a left join users actor on actor.id = a.actor_id where ${matches} order by a.id desc`,
    values,
  }
}
