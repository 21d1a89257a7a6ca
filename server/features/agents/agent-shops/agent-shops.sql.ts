import type { ShopColour } from '../../../../shared/agent-shop-rules.ts'
import type { SHOP_OFFER_STATES } from '../../../../shared/agent-shops.ts'
import type { Network } from '../../../../shared/networks.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { likePatterns, type Page } from '../../../platform/http/lists.ts'

/** Why a shop sells nothing now; see the database function `shop_closed`. */
export type ClosedBy = 'all' | 'owner' | 'no-agent' | 'agent' | 'no-sub-agents' | 'agent-above' | 'ended'

export type AgentShopRow = {
  id: string
  ownerId: string
  slug: string
  host: string | null
  hostApprovedAt: Date | null
  /** What the owner said no to, until the agent asks again. */
  refusedHost: string | null
  name: string
  about: string | null
  colour: ShopColour
  logoHash: string | null
  phone: string | null
  whatsapp: string | null
  open: boolean
  /** Whether the shops of its sub-agents sell. */
  subAgentsSell: boolean
  closedReason: string | null
  maxMarkup: number | null
  createdAt: Date
  closedBy: ClosedBy | null
}

const SHOP = `a.id, a.owner_id as "ownerId", a.slug, a.host, a.host_approved_at as "hostApprovedAt", a.refused_host as "refusedHost", a.name, a.about, a.colour,
  a.logo_hash as "logoHash", a.phone, a.whatsapp, a.open, a.sub_agents_sell as "subAgentsSell", a.closed_reason as "closedReason", a.max_markup as "maxMarkup",
  a.created_at as "createdAt", shop_closed(a.id) as "closedBy"`

export async function selectShopBySlug(db: Queryable, slug: string): Promise<AgentShopRow | null> {
  const { rows } = await db.query<AgentShopRow>({
    name: 'agent-shop-by-slug',
    text: `select ${SHOP} from agent_shops a where a.slug = $1`,
    values: [slug],
  })
  return rows[0] ?? null
}

/** The approved host names of shops, open or not, each with its shop's slug. */
export async function selectHosts(db: Queryable): Promise<Map<string, string>> {
  const { rows } = await db.query<{ host: string; slug: string }>({
    name: 'agent-shop-hosts',
    text: 'select host, slug from agent_shops where host is not null and host_approved_at is not null',
  })
  return new Map(rows.map(({ host, slug }) => [host, slug]))
}

export async function selectShop(db: Queryable, id: string): Promise<AgentShopRow | null> {
  const { rows } = await db.query<AgentShopRow>(`select ${SHOP} from agent_shops a where a.id = $1`, [id])
  return rows[0] ?? null
}

/** The shop where an order was placed; null for the house's and for none. */
export async function selectShopOfOrder(db: Queryable, reference: string): Promise<AgentShopRow | null> {
  const { rows } = await db.query<AgentShopRow>({
    name: 'agent-shop-of-order',
    text: `select ${SHOP} from orders o join agent_shops a on a.id = o.shop_id where o.reference = $1`,
    values: [reference],
  })
  return rows[0] ?? null
}

export async function selectShopOf(db: Queryable, ownerId: string): Promise<AgentShopRow | null> {
  const { rows } = await db.query<AgentShopRow>(`select ${SHOP} from agent_shops a where a.owner_id = $1`, [ownerId])
  return rows[0] ?? null
}

/** The shop of the agent whose sub-agent the user is; null for nobody's. */
export async function selectAgentAbove(db: Queryable, userId: string): Promise<{ shopId: string; name: string; username: string } | null> {
  const { rows } = await db.query<{ shopId: string; name: string; username: string }>(
    `select s.shop_id as "shopId", a.name, u.username from sub_agents s join agent_shops a on a.id = s.shop_id join users u on u.id = a.owner_id
     where s.user_id = $1 and s.ended_at is null`,
    [userId],
  )
  return rows[0] ?? null
}

/** Whether the user has a shop, or is a sub-agent or was one. */
export async function isSeller(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select where exists (select from agent_shops where owner_id = $1) or exists (select from sub_agents where user_id = $1)',
    [userId],
  )
  return rowCount === 1
}

/** A shop, locked until the transaction ends: sales wait, and are then made as it is by then. */
export async function lockShop(tx: Tx, by: { id: string } | { ownerId: string }): Promise<AgentShopRow | null> {
  const [column, value] = 'id' in by ? ['id', by.id] : ['owner_id', by.ownerId]
  await tx.query(`select from agent_shops where ${column} = $1 for update`, [value])
  const { rows } = await tx.query<AgentShopRow>(`select ${SHOP} from agent_shops a where a.${column} = $1`, [value])
  return rows[0] ?? null
}

/** The names of all other shops that are open, after whoever names a shop at the same time. */
export async function lockOpenShopNames(tx: Tx, ownId: string | null): Promise<string[]> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('names of shops', 0))`)
  const { rows } = await tx.query<{ name: string }>(
    'select name from agent_shops where open and closed_at is null and id is distinct from $1',
    [ownId],
  )
  return rows.map(({ name }) => name)
}

type Look = Pick<AgentShopRow, 'name' | 'about' | 'colour' | 'phone' | 'whatsapp'>

/** Also opens the wallet of what the shop earns. */
export async function insertShop(tx: Tx, shop: Look & { ownerId: string; slug: string; now: Date }): Promise<void> {
  await tx.query(
    `with made as (
       insert into agent_shops (owner_id, slug, name, about, colour, phone, whatsapp, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8) returning id
     ) select create_shop_wallet(id) from made`,
    [shop.ownerId, shop.slug, shop.name, shop.about, shop.colour, shop.phone, shop.whatsapp, shop.now],
  )
}

export async function updateShop(tx: Tx, shop: AgentShopRow) {
  await tx.query(
    `update agent_shops set name = $2, about = $3, colour = $4, phone = $5, whatsapp = $6, open = $7, logo_hash = $8,
       host = $9, host_approved_at = case when host is not distinct from $9 then host_approved_at end,
       refused_host = case when $9::text is null then refused_host end, sub_agents_sell = $10 where id = $1`,
    [shop.id, shop.name, shop.about, shop.colour, shop.phone, shop.whatsapp, shop.open, shop.logoHash, shop.host, shop.subAgentsSell],
  )
}

export type Limits = { closedReason: string | null; maxMarkup: number | null; hostApproved: boolean }

export async function updateLimits(tx: Tx, id: string, { closedReason, maxMarkup, hostApproved }: Limits, by: { id: string; now: Date }) {
  await tx.query(
    `update agent_shops set closed_reason = $2, max_markup = $3,
       closed_at = case when $2::text is not null then coalesce(closed_at, $5) end,
       closed_by = case when $2::text is not null then coalesce(closed_by, $4) end,
       host_approved_at = case when $6 and host is not null then coalesce(host_approved_at, $5) end
     where id = $1`,
    [id, closedReason, maxMarkup, by.id, by.now, hostApproved],
  )
}

/** The name is free again for any shop. */
export async function updateRefusedHost(tx: Tx, id: string) {
  await tx.query('update agent_shops set refused_host = host, host = null, host_approved_at = null where id = $1', [id])
}

export type ShopOfferRow = {
  productId: string
  network: Network
  imageHash: string
  offer: string
  housePesewas: number
  costPesewas: number
  floorPesewas: number
  ceilingPesewas: number
  pricePesewas: number
  own: boolean
  state: (typeof SHOP_OFFER_STATES)[number]
}

const OFFER = `product_id as "productId", network, image_hash as "imageHash", offer, house_pesewas as "housePesewas", cost_pesewas as "costPesewas",
  floor_pesewas as "floorPesewas", ceiling_pesewas as "ceilingPesewas", price_pesewas as "pricePesewas", own, state`

/** All packages of the catalogue as a shop has them, in the catalogue's order; without a shop, as a new one would. */
export async function selectShopOffers(db: Queryable, shopId: string | null): Promise<ShopOfferRow[]> {
  const { rows } = await db.query<ShopOfferRow>({
    name: 'shop-offers',
    text: `select ${OFFER} from shop_offers($1) order by product_seq, place, offer`,
    values: [shopId],
  })
  return rows
}

/** The same for a sub-agent who has not opened a shop yet. `aboveId`: the shop of their agent. */
export async function selectOffersUnder(db: Queryable, aboveId: string): Promise<ShopOfferRow[]> {
  const { rows } = await db.query<ShopOfferRow>(`select ${OFFER} from offers_under(null, $1) order by product_seq, place, offer`, [aboveId])
  return rows
}

/** How many of each package a shop has sold since then and not refunded. */
export async function selectSoldSince(
  db: Queryable,
  shopId: string,
  since: Date,
): Promise<{ productId: string; offer: string; orders: number }[]> {
  const { rows } = await db.query<{ productId: string; offer: string; orders: number }>(
    `select o.product_id as "productId", o.offer, count(*)::integer as orders from profit_shares s join orders o on o.id = s.order_id
     where s.shop_id = $1 and s.sold_at >= $2 and s.ended_at is null group by 1, 2`,
    [shopId, since],
  )
  return rows
}

export type NewShopPrice = { productId: string; offer: string; pricePesewas: number | null; hidden: boolean }

/** A package without a price of its own that is not hidden needs no row. */
export async function updateShopPrices(tx: Tx, shopId: string, prices: readonly NewShopPrice[], now: Date) {
  const lines = JSON.stringify(prices)
  await tx.query(
    `delete from shop_prices s using jsonb_to_recordset($2) as line ("productId" uuid, offer text)
     where s.shop_id = $1 and s.product_id = line."productId" and s.offer = line.offer`,
    [shopId, lines],
  )
  await tx.query(
    `insert into shop_prices (shop_id, product_id, offer, price_pesewas, hidden, changed_at)
     select $1, line."productId", line.offer, line."pricePesewas", line.hidden, $3
     from jsonb_to_recordset($2) as line ("productId" uuid, offer text, "pricePesewas" bigint, hidden boolean)
     where line."pricePesewas" is not null or line.hidden`,
    [shopId, lines, now],
  )
}

export type ShopRulesRow = {
  enabled: boolean
  newShops: boolean
  maxMarkup: number
  minProfitPesewas: number
  subAgents: boolean
  mostSubAgents: number
}

export async function selectShopRules(db: Queryable): Promise<ShopRulesRow> {
  const { rows } = await db.query<ShopRulesRow>(
    `select enabled, new_shops as "newShops", max_markup as "maxMarkup", min_profit_pesewas as "minProfitPesewas",
       sub_agents as "subAgents", most_sub_agents as "mostSubAgents" from agent_shop_rules`,
  )
  return rows[0] as ShopRulesRow
}

export type SubAgentsNowRow = { shops: number; openOrders: number; openPesewas: number; earningsPesewas: number }

/** How all shops of sub-agents stand; see `SubAgentsNow`. */
export async function selectSubAgentsNow(db: Queryable): Promise<SubAgentsNowRow> {
  const { rows } = await db.query<SubAgentsNowRow>(
    `select count(*) filter (where shop_closed(a.id) is null)::integer as shops, coalesce(sum(open.orders), 0)::integer as "openOrders",
       coalesce(sum(open.pesewas), 0)::bigint as "openPesewas", coalesce(sum(w.balance_pesewas), 0)::bigint as "earningsPesewas"
     from sub_agents s join agent_shops a on a.owner_id = s.user_id join wallets w on w.shop_id = a.id
     cross join lateral (
       select count(*) as orders, sum(p.profit_pesewas) as pesewas from profit_shares p
       where p.shop_id = a.id and p.released_at is null and p.ended_at is null
     ) open
     where s.ended_at is null`,
  )
  return rows[0] as SubAgentsNowRow
}

/** The rules, locked until the transaction ends. */
export async function lockShopRules(tx: Tx): Promise<ShopRulesRow> {
  await tx.query('select from agent_shop_rules for update')
  return selectShopRules(tx)
}

export async function updateShopRules(tx: Tx, { enabled, newShops, maxMarkup, minProfitPesewas, subAgents, mostSubAgents }: ShopRulesRow) {
  await tx.query(
    `update agent_shop_rules set enabled = $1, new_shops = $2, max_markup = $3, min_profit_pesewas = $4, sub_agents = $5, most_sub_agents = $6`,
    [enabled, newShops, maxMarkup, minProfitPesewas, subAgents, mostSubAgents],
  )
}

export type SaleRow = {
  seq: number
  network: Network
  offer: string
  receiver: string
  status: OrderStatus
  pricePesewas: number
  costPesewas: number
  profitPesewas: number
  releasedAt: Date | null
  endedAt: Date | null
  createdAt: Date
  decidedAt: Date | null
}

/** A shop's orders, newest first. Of a receiver's number a search finds what the list shows, so that no number can be guessed digit by digit. */
export async function selectSales(
  db: Queryable,
  { shopId, limit, offset, search }: Page & { shopId: string },
): Promise<{ sales: SaleRow[]; total: number }> {
  const from = `from profit_shares s join orders o on o.id = s.order_id
    where s.shop_id = $1 and ($2::text[] is null or o.seq::text ilike any ($2) or right(o.receiver, 3) ilike any ($2) or o.offer ilike any ($2)
      or o.network ilike any ($2) or o.status ilike any ($2))`
  const values = [shopId, likePatterns(search)]
  const [page, count] = await Promise.all([
    db.query<SaleRow>(
      `select o.seq, o.network, o.offer, o.receiver, o.status, s.price_pesewas as "pricePesewas", s.cost_pesewas as "costPesewas",
         s.profit_pesewas as "profitPesewas", s.released_at as "releasedAt", s.ended_at as "endedAt", o.created_at as "createdAt",
         o.decided_at as "decidedAt" ${from} order by s.seq desc limit $3 offset $4`,
      [...values, limit, offset],
    ),
    db.query<{ total: number }>(`select count(*)::integer as total ${from}`, values),
  ])
  return { sales: page.rows, total: count.rows[0]?.total ?? 0 }
}

export type ShopDayRow = { orders: number; completed: number; pending: number; earnedPesewas: number }

/** What a shop sold since a time, and what deliveries since then released; what a refund ended is not earned. */
export async function selectShopDay(db: Queryable, shopId: string, since: Date): Promise<ShopDayRow> {
  const { rows } = await db.query<ShopDayRow>({
    name: 'shop-day',
    text: `select sold.orders, sold.completed, sold.pending, earned.pesewas as "earnedPesewas"
      from (select count(*)::integer as orders, count(*) filter (where released_at is not null and ended_at is null)::integer as completed,
          count(*) filter (where released_at is null and ended_at is null)::integer as pending
          from profit_shares where shop_id = $1 and sold_at >= $2) sold,
        (select coalesce(sum(profit_pesewas), 0)::bigint as pesewas from profit_shares
          where shop_id = $1 and released_at >= $2 and ended_at is null) earned`,
    values: [shopId, since],
  })
  return rows[0] as ShopDayRow
}

export type BroughtRow = { orders: number; earnedPesewas: number }

/** What a shop's sub-agents sold since a time, and what deliveries since then released of it for the agent. */
export async function selectBrought(db: Queryable, shopId: string, since: Date): Promise<BroughtRow> {
  const { rows } = await db.query<BroughtRow>(
    `select (select count(*)::integer from commissions where shop_id = $1 and sold_at >= $2) as orders,
       (select coalesce(sum(profit_pesewas), 0)::bigint from commissions
         where shop_id = $1 and released_at >= $2 and ended_at is null) as "earnedPesewas"`,
    [shopId, since],
  )
  return rows[0] as BroughtRow
}

export type ListedShopRow = AgentShopRow & {
  /** The agent above, of a sub-agent's shop. */
  aboveName: string | null
  aboveSlug: string | null
  username: string
  userPhone: string
  closer: string | null
  closedAt: Date | null
  orders: number
  soldPesewas: number
  earnedPesewas: number
  earningsPesewas: number
  debtPesewas: number
}

const LISTED = `${SHOP}, u.username, u.phone as "userPhone", closer.username as closer, a.closed_at as "closedAt", sold.orders,
  sold.pesewas as "soldPesewas", sold.earned as "earnedPesewas", w.balance_pesewas as "earningsPesewas", w.debt_pesewas as "debtPesewas",
  agent.username as "aboveName", above.slug as "aboveSlug"`
const LISTED_FROM = `from agent_shops a join users u on u.id = a.owner_id join wallets w on w.shop_id = a.id left join users closer on closer.id = a.closed_by`
const SOLD = `left join agent_shops above on above.id = agent_above(a.id) left join users agent on agent.id = above.owner_id cross join lateral (
    select count(*)::integer as orders, coalesce(sum(s.price_pesewas), 0)::bigint as pesewas,
      coalesce(sum(s.profit_pesewas) filter (where s.released_at is not null), 0)::bigint as earned
    from profit_shares s where s.shop_id = a.id and s.ended_at is null
  ) sold`

/** What guests read as the names of all shops. */
export async function selectShopNames(db: Queryable): Promise<{ id: string; slug: string; name: string }[]> {
  const { rows } = await db.query<{ id: string; slug: string; name: string }>('select id, slug, name from agent_shops')
  return rows
}

/** All shops, those of `ids`, or those whose host name is not decided, newest first. `byPhone`: the search looks at agents' numbers too. */
export async function selectListedShops(
  db: Queryable,
  { limit, offset, search, hostWaits, byPhone, ids }: Page & { hostWaits: boolean; byPhone: boolean; ids: string[] | null },
): Promise<{ shops: ListedShopRow[]; total: number }> {
  const where = `where ($1::text[] is null or a.name ilike any ($1) or a.slug ilike any ($1) or a.host ilike any ($1) or u.username ilike any ($1)
    ${byPhone ? 'or u.phone ilike any ($1)' : ''}) and ($2::uuid[] is null or a.id = any ($2)) ${hostWaits ? 'and a.host is not null and a.host_approved_at is null' : ''}`
  const patterns = likePatterns(search)
  const [page, count] = await Promise.all([
    db.query<ListedShopRow>(
      `select ${LISTED} from (select a.id from agent_shops a join users u on u.id = a.owner_id ${where} order by a.seq desc limit $3 offset $4) page
       join agent_shops a on a.id = page.id join users u on u.id = a.owner_id join wallets w on w.shop_id = a.id
       left join users closer on closer.id = a.closed_by ${SOLD} order by a.seq desc`,
      [patterns, ids, limit, offset],
    ),
    db.query<{ total: number }>(`select count(*)::integer as total from agent_shops a join users u on u.id = a.owner_id ${where}`, [
      patterns,
      ids,
    ]),
  ])
  return { shops: page.rows, total: count.rows[0]?.total ?? 0 }
}

export async function selectListedShop(db: Queryable, id: string): Promise<ListedShopRow | null> {
  const { rows } = await db.query<ListedShopRow>(`select ${LISTED} ${LISTED_FROM} ${SOLD} where a.id = $1`, [id])
  return rows[0] ?? null
}

/** What goes back to the guest of a payment, and of it what has arrived and what waits for the guest's code, in pesewas. */
export type RefundSums = { allPesewas: number; paidPesewas: number; codePesewas: number; claimedPesewas: number }

export async function sumRefunds(db: Queryable, paymentReference: string): Promise<RefundSums> {
  const { rows } = await db.query<RefundSums>(
    `select coalesce(sum(amount_pesewas), 0)::bigint as "allPesewas",
       coalesce(sum(amount_pesewas) filter (where status = 'paid'), 0)::bigint as "paidPesewas",
       coalesce(sum(amount_pesewas) filter (where status = 'code'), 0)::bigint as "codePesewas",
       coalesce(sum(amount_pesewas) filter (where status = 'claimed'), 0)::bigint as "claimedPesewas"
     from refunds where payment_reference = $1`,
    [paymentReference],
  )
  return rows[0] as RefundSums
}
