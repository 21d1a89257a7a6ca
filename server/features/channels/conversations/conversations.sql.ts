import type { ChannelName } from '../../../../shared/channel-rules.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import type { Screen, State } from './take-step.ts'

export type ConversationRow = {
  id: string
  phone: string
  state: State | null
  screen: Screen | null
  requests: string[]
  answeredAt: Date | null
  busyUntil: Date | null
  expiresAt: Date
}

type Session = { channel: ChannelName; session: string; phone: string }

/** The conversation, made if there is none, and locked until the transaction ends. */
export async function lockConversation(
  tx: Tx,
  { channel, session, phone, now }: Session & { now: Date },
): Promise<ConversationRow & { isNew: boolean }> {
  const { rows } = await tx.query<ConversationRow & { isNew: boolean }>({
    name: 'lock-conversation',
    text: `insert into conversations (channel, session, phone, started_at, expires_at) values ($1, $2, $3, $4, $4)
      on conflict (channel, session) do update set session = excluded.session
      returning id, phone, state, screen, requests, answered_at as "answeredAt", busy_until as "busyUntil", expires_at as "expiresAt",
        xmax = 0 as "isNew"`,
    values: [channel, session, phone, now],
  })
  return rows[0] as ConversationRow & { isNew: boolean }
}

export async function selectConversation(
  db: Queryable,
  channel: ChannelName,
  session: string,
): Promise<Pick<ConversationRow, 'phone' | 'state' | 'screen' | 'requests'> | null> {
  const { rows } = await db.query<ConversationRow>(
    'select phone, state, screen, requests from conversations where channel = $1 and session = $2',
    [channel, session],
  )
  return rows[0] ?? null
}

/** `restart`: it begins anew. Where it was before stays until there is an answer, since whoever answers may die. */
export async function updateClaim(
  tx: Tx,
  id: string,
  claim: { by: string; until: Date; restart: boolean; keepRequests: boolean; now: Date },
) {
  await tx.query(
    `update conversations set busy_by = $2, busy_until = $3, requests = case when $4 and not $6 then '{}' else requests end,
       started_at = case when $4 then $5 else started_at end
     where id = $1`,
    [id, claim.by, claim.until, claim.restart, claim.now, claim.keepRequests],
  )
}

const MOST_REQUESTS = 20

/** Keeps the answer, unless somebody else has taken over meanwhile. */
export async function updateAnswer(
  db: Queryable,
  id: string,
  answer: { by: string; state: State; screen: Screen; mark: string; now: Date; expiresAt: Date },
) {
  await db.query(
    `update conversations set state = $3, screen = $4, requests = (array_append(requests, $5))[greatest(cardinality(requests) + 2 - $6, 1):],
       answered_at = $7, expires_at = $8, busy_by = null, busy_until = null
     where id = $1 and busy_by = $2`,
    [id, answer.by, JSON.stringify(answer.state), JSON.stringify(answer.screen), answer.mark, MOST_REQUESTS, answer.now, answer.expiresAt],
  )
}

/** Nobody is answering any more, and the request may come again. */
export async function deleteClaim(db: Queryable, id: string, by: string) {
  await db.query('update conversations set busy_by = null, busy_until = null where id = $1 and busy_by = $2', [id, by])
}

export async function appendRequest(tx: Tx, id: string, mark: string) {
  await tx.query('update conversations set requests = array_append(requests, $2) where id = $1', [id, mark])
}

/** What the phone was buying in its conversation before this one, if that began since then. */
export async function selectEarlierState(
  db: Queryable,
  { channel, phone, before, since }: { channel: ChannelName; phone: string; before: string; since: Date },
): Promise<State | null> {
  const { rows } = await db.query<{ state: State | null }>(
    `select state from conversations where channel = $1 and phone = $2 and id <> $3 and started_at >= $4 and state is not null
     order by started_at desc limit 1`,
    [channel, phone, before, since],
  )
  return rows[0]?.state ?? null
}

/** A few at a time: each new conversation removes more than one. */
export async function deleteExpired(db: Queryable, before: Date) {
  await db.query(
    'delete from conversations where id in (select id from conversations where expires_at < $1 order by expires_at limit 20 for update skip locked)',
    [before],
  )
}
