import type { Network } from '../../../../shared/networks.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export type InvitationRow = { id: string; code: string; createdAt: Date }

export async function selectInvitations(db: Queryable, shopId: string): Promise<InvitationRow[]> {
  const { rows } = await db.query<InvitationRow>(
    `select id, code, created_at as "createdAt" from sub_agent_invitations
     where shop_id = $1 and withdrawn_at is null and used_at is null order by seq desc`,
    [shopId],
  )
  return rows
}

export async function insertInvitation(tx: Tx, { shopId, code, now }: { shopId: string; code: string; now: Date }) {
  await tx.query('insert into sub_agent_invitations (shop_id, code, created_at) values ($1, $2, $3)', [shopId, code, now])
}

/** False for one that is not this shop's, or was used. One that was withdrawn before stays so. */
export async function withdrawOpenInvitation(tx: Tx, { shopId, id, now }: { shopId: string; id: string; now: Date }): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update sub_agent_invitations set withdrawn_at = coalesce(withdrawn_at, $3) where id = $2 and shop_id = $1 and used_at is null',
    [shopId, id, now],
  )
  return rowCount === 1
}

export type OpenInvitation = { id: string; shopId: string }

/** An invitation that may still be used; null for any other code. */
export async function selectOpenInvitation(db: Queryable, code: string, { locked = false } = {}): Promise<OpenInvitation | null> {
  const { rows } = await db.query<OpenInvitation>(
    `select id, shop_id as "shopId" from sub_agent_invitations where code = $1 and withdrawn_at is null and used_at is null
     ${locked ? 'for update' : ''}`,
    [code],
  )
  return rows[0] ?? null
}

export async function insertSubAgent(tx: Tx, { invitation, userId, now }: { invitation: OpenInvitation; userId: string; now: Date }) {
  await tx.query('update sub_agent_invitations set used_at = $2 where id = $1', [invitation.id, now])
  await tx.query('insert into sub_agents (shop_id, user_id, invitation_id, joined_at) values ($1, $2, $3, $4)', [
    invitation.shopId,
    userId,
    invitation.id,
    now,
  ])
}

/** What may keep a user from becoming a sub-agent of a shop: what they are, and how many there are. */
export type Standing = { hasShop: boolean; isSubAgent: boolean; agentIsSubAgent: boolean; subAgents: number; invitations: number }

export async function selectStanding(db: Queryable, shopId: string, userId: string): Promise<Standing> {
  const { rows } = await db.query<Standing>(
    `select exists (select from agent_shops where owner_id = $2) as "hasShop",
       exists (select from sub_agents where user_id = $2 and ended_at is null) as "isSubAgent", agent_above($1) is not null as "agentIsSubAgent",
       (select count(*)::integer from sub_agents where shop_id = $1 and ended_at is null) as "subAgents",
       (select count(*)::integer from sub_agent_invitations where shop_id = $1 and withdrawn_at is null and used_at is null) as invitations`,
    [shopId, userId],
  )
  return rows[0] as Standing
}

/** Null for one that is not this shop's. */
export async function lockSubAgent(tx: Tx, shopId: string, id: string): Promise<{ id: string; endedAt: Date | null } | null> {
  const { rows } = await tx.query<{ id: string; endedAt: Date | null }>(
    'select id, ended_at as "endedAt" from sub_agents where id = $2 and shop_id = $1 for update',
    [shopId, id],
  )
  return rows[0] ?? null
}

/** Whether the user was somebody's sub-agent until now. */
export async function endSubAgentOf(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query('update sub_agents set ended_at = $2, ended_by = $1 where user_id = $1 and ended_at is null', [
    userId,
    now,
  ])
  return rowCount === 1
}

export async function updateEnded(tx: Tx, id: string, { by, now }: { by: string; now: Date }) {
  await tx.query('update sub_agents set ended_at = $3, ended_by = $2 where id = $1', [id, by, now])
}

export type SubAgentRow = {
  id: string
  username: string
  slug: string | null
  name: string | null
  sells: boolean
  joinedAt: Date
  endedAt: Date | null
  orders: number
  earnedPesewas: number
}

/** Those of now first, then those who ended, the newest first; and what their orders brought the agent. */
export async function selectSubAgents(db: Queryable, shopId: string): Promise<SubAgentRow[]> {
  const { rows } = await db.query<SubAgentRow>(
    `select s.id, u.username, a.slug, a.name, a.id is not null and s.ended_at is null and shop_closed(a.id) is null as sells,
       s.joined_at as "joinedAt", s.ended_at as "endedAt", brought.orders, brought.pesewas as "earnedPesewas"
     from sub_agents s join users u on u.id = s.user_id left join agent_shops a on a.owner_id = s.user_id
     cross join lateral (
       select count(*) filter (where c.ended_at is null)::integer as orders,
         coalesce(sum(c.profit_pesewas) filter (where c.released_at is not null and c.ended_at is null), 0)::bigint as pesewas
       from commissions c where c.shop_id = s.shop_id and c.sold_in = a.id
     ) brought
     where s.shop_id = $1 order by s.ended_at is not null, s.seq desc`,
    [shopId],
  )
  return rows
}

export type SubAgentOfferRow = {
  productId: string
  network: Network
  offer: string
  costPesewas: number
  lowestPesewas: number
  highestPesewas: number
  ceilingPesewas: number
  pricePesewas: number
  own: boolean
  state: string
}

/** All packages as the sub-agents of a shop get them, in the catalogue's order. */
export async function selectSubAgentOffers(db: Queryable, shopId: string): Promise<SubAgentOfferRow[]> {
  const { rows } = await db.query<SubAgentOfferRow>(
    `select product_id as "productId", network, offer, agent_pesewas as "costPesewas", agent_pesewas + r.min_profit_pesewas as "lowestPesewas",
       ceiling_pesewas - r.min_profit_pesewas as "highestPesewas", ceiling_pesewas as "ceilingPesewas", cost_pesewas as "pricePesewas", agent_own as own, state
     from offers_under(null, $1), agent_shop_rules r order by product_seq, place, offer`,
    [shopId],
  )
  return rows
}

export type NewPrice = { productId: string; offer: string; pricePesewas: number | null }

export async function updatePrices(tx: Tx, shopId: string, prices: readonly NewPrice[], now: Date) {
  const lines = JSON.stringify(prices)
  await tx.query(
    `delete from sub_agent_prices s using jsonb_to_recordset($2) as line ("productId" uuid, offer text)
     where s.shop_id = $1 and s.product_id = line."productId" and s.offer = line.offer`,
    [shopId, lines],
  )
  await tx.query(
    `insert into sub_agent_prices (shop_id, product_id, offer, price_pesewas, changed_at)
     select $1, line."productId", line.offer, line."pricePesewas", $3
     from jsonb_to_recordset($2) as line ("productId" uuid, offer text, "pricePesewas" bigint) where line."pricePesewas" is not null`,
    [shopId, lines, now],
  )
}
