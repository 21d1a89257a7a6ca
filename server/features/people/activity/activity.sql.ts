import { actionsNamed, KNOWN_ACTIONS } from '../../../../shared/action-words.ts'
import { searchTexts } from '../../../../shared/search.ts'
import type { Queryable } from '../../../platform/db.ts'
import { likePatterns, type Page } from '../../../platform/http/lists.ts'
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
    when 'supplier' then case a.subject_id when 'hubnet' then 'Hubnet' when 'remadata' then 'RemaData' when 'datamart' then 'DataMart' when 'reloadly' then 'Reloadly'
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

/** The subjects that are shown by their id, and found by it. */
const SHOWN_BY_ID = `('payment', 'recharge', 'job', 'batch', 'package')`

/** The days as a condition on `admin_actions a`. Adds its values to `values`. */
function matchDays({ from, to }: ActivityFilter, values: unknown[]): string {
  const conditions: string[] = []
  if (from !== null) conditions.push(`a.created_at >= $${values.push(from)}::date`)
  if (to !== null) conditions.push(`a.created_at < $${values.push(to)}::date + interval '1 day'`)
  return conditions.join(' and ') || 'true'
}

/** The number of an order that a search may mean. */
function orderNumber(search: string): number | null {
  return /^\d{1,12}$/.test(search.trim()) ? Number(search) : null
}

/** The condition on an action's name, as people read it. Adds its values to `values`. */
function matchName(column: string, search: string, patterns: string, values: unknown[]): string {
  const named = `$${values.push(actionsNamed(searchTexts(search)))}::text[]`
  const known = `$${values.push(KNOWN_ACTIONS)}::text[]`
  return `(${column} = any (${named}) or (${column} <> all (${known}) and regexp_replace(${column}, '[._-]+', ' ', 'g') ilike any (${patterns})))`
}

function peopleNamed(patterns: string): string {
  return `select u.id from users u where ${USER_WORDS} ilike any (${patterns}) and u.username ilike any (${patterns}) limit ${MOST_USERS}`
}

/**
 * The numbers of what a search finds, newest first, at most `most`. Each way to find an action is an index that has them in this order, so
 * that a word which half of them have costs no more than a rare one.
 */
async function searchActions(db: Queryable, search: string, filter: ActivityFilter, most: number): Promise<number[]> {
  const values: unknown[] = [likePatterns(search), search.trim(), orderNumber(search), most]
  const within = matchDays(filter, values)
  const isNamed = matchName('n.action', search, '$1', values)
  const newest = (condition: string) => `select a.id from admin_actions a where ${condition} and ${within} order by a.id desc limit $4`
  const { rows } = await db.query<{ id: number }>(
    `with recursive names as (
       (select action from admin_actions order by action limit 1)
       union all
       select (select a.action from admin_actions a where a.action > n.action order by a.action limit 1) from names n where n.action is not null
     ),
     people as materialized (${peopleNamed('$1::text[]')})
     select id from (
       (select found.id from names n cross join lateral (${newest('a.action = n.action')}) found where n.action is not null and ${isNamed})
       union (${newest(`a.note <> '' and a.note ilike any ($1)`)})
       union (select found.id from people p cross join lateral (${newest('a.actor_id = p.id')}) found)
       union (select found.id from people p cross join lateral (${newest(`a.subject_type = 'user' and a.subject_id = p.id::text`)}) found)
       union (${newest(`a.subject_type in ${SHOWN_BY_ID} and a.subject_id = $2`)})
       union (${newest(`a.subject_type = 'order' and a.subject_id = (select o.id::text from orders o where o.seq = $3::bigint)`)})
     ) found order by id desc limit $4`,
    values,
  )
  return rows.map(({ id }) => id)
}

export async function selectAdminActions(
  db: Queryable,
  { limit, offset, ...filter }: Page & ActivityFilter,
): Promise<{ actions: AdminActionRow[]; total: number }> {
  if (filter.search !== null) {
    const ids = await searchActions(db, filter.search, filter, Math.max(MOST_FOUND, offset + limit))
    const { rows } = await db.query<AdminActionRow>(
      `select ${ROW} from admin_actions a left join users actor on actor.id = a.actor_id where a.id = any ($1::bigint[]) order by a.id desc`,
      [ids.slice(offset, offset + limit)],
    )
    return { actions: rows, total: Math.min(ids.length, MOST_FOUND) }
  }
  const values: unknown[] = []
  const within = matchDays(filter, values)
  const [page, count] = await Promise.all([
    db.query<AdminActionRow>(
      `select ${ROW} from admin_actions a left join users actor on actor.id = a.actor_id where ${within}
       order by a.id desc limit $${values.length + 1} offset $${values.length + 2}`,
      [...values, limit, offset],
    ),
    values.length === 0
      ? db.query<{ total: number }>(`select rows as total from list_counts where list = 'admin_actions'`)
      : db.query<{ total: number }>(
          `select count(*) as total from (select from admin_actions a where ${within} limit ${MOST_FOUND}) found`,
          values,
        ),
  ])
  return { actions: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** All that match, newest first, for a file. */
export function activityForExport(filter: ActivityFilter): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const conditions = [matchDays(filter, values)]
  if (filter.search !== null) {
    const patterns = `$${values.push(likePatterns(filter.search))}::text[]`
    const text = `$${values.push(filter.search.trim())}`
    const number = `$${values.push(orderNumber(filter.search))}::bigint`
    const people = peopleNamed(patterns)
    conditions.push(`(${matchName('a.action', filter.search, patterns, values)} or a.note ilike any (${patterns}) or a.actor_id = any (array(${people}))
      or (a.subject_type = 'user' and a.subject_id = any (array(select id::text from (${people}) found)))
      or (a.subject_type in ${SHOWN_BY_ID} and a.subject_id = ${text})
      or (a.subject_type = 'order' and a.subject_id = (select o.id::text from orders o where o.seq = ${number})))`)
  }
  return {
    text: `select ${ROW} from admin_actions a left join users actor on actor.id = a.actor_id where ${conditions.join(' and ')} order by a.id desc`,
    values,
  }
}
