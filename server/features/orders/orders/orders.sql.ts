import type { ChannelName } from '../../../../shared/channel-rules.ts'
import type { Network } from '../../../../shared/networks.ts'
import type { Decision, OrderStatus } from '../../../../shared/orders.ts'
import type { SupplierDelivery } from '../../../../shared/suppliers.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { likePatterns, type Page } from '../../../platform/http/lists.ts'
import { HOLD_REASON } from './payment-losses.sql.ts'

export type OrderRow = {
  id: string
  seq: number
  clientId: string | null
  /** Of a wallet order: the reference that its client gave it. */
  clientReference: string | null
  /** Null for a guest of an agent's shop. */
  userId: string | null
  /** A guest's phone number stands in for a name. */
  username: string
  /** The account's phone number, or the guest's. */
  buyerPhone: string | null
  shopId: string | null
  /** The name of the agent's shop that sold it; null for the house. */
  soldBy: string | null
  guestPhone: string | null
  /** What of the price is the agent's once it is delivered; 0 outside of agents' shops. */
  agentProfitPesewas: number
  productId: string
  network: string
  offer: string
  imageHash: string
  receiver: string
  pricePesewas: number
  surchargePesewas: number
  paidWith: 'wallet' | 'card'
  /** Where it was bought, if not on the site. */
  channel: ChannelName | null
  paymentReference: string | null
  /** The top-up that was made to buy it; null for most orders from the wallet. */
  topUpReference: string | null
  /** The disputed payment whose money has paid for it, where that had come into the wallet. */
  disputedReferences: string[]
  reference: string
  status: OrderStatus
  createdAt: Date
  decidedAt: Date | null
  /** Its supplier delivery; null when a person processes it. `updatedAt` is a JSON timestamp. */
  supplier: SupplierDelivery | null
  /** Why its card payment or top-up keeps the order from being sent or decided; null otherwise. */
  holdReason: string | null
  /** Why it was refunded, in words for its buyer. */
  refundReason: string | null
  /** The list that it was bought with. */
  listId: string | null
  /** The batch that it is locked in, and whose that is. */
  batch: { number: number; by: string } | null
  /** A pending AFA order without the details of the person. */
  needsDetails: boolean
}

const ORDER = `o.id, o.seq, o.client_id as "clientId", o.client_reference as "clientReference", o.user_id as "userId", coalesce(u.username, 'guest ' || o.guest_phone) as username,
  coalesce(u.phone, o.guest_phone) as "buyerPhone", o.shop_id as "shopId", (select a.name from agent_shops a where a.id = o.shop_id) as "soldBy", o.guest_phone as "guestPhone", o.agent_profit_pesewas as "agentProfitPesewas", o.product_id as "productId", o.network, o.offer,
  o.image_hash as "imageHash", o.receiver, o.price_pesewas as "pricePesewas", o.surcharge_pesewas as "surchargePesewas",
  o.paid_with as "paidWith", o.channel, o.payment_reference as "paymentReference",
  o.top_up_reference as "topUpReference",
  array(select h.payment_reference from disputed_orders h where h.order_id = o.id) as "disputedReferences", o.reference, o.status,
  o.created_at as "createdAt", o.decided_at as "decidedAt",
  (select jsonb_build_object('name', d.supplier, 'status', d.status, 'detail', d.detail, 'attempts', d.attempts,
      'supplierReference', d.supplier_reference, 'updatedAt', d.updated_at, 'verifyingSince', d.verifying_since)
   from supplier_deliveries d where d.order_id = o.id) as supplier,
  ${HOLD_REASON} as "holdReason",
  o.refund_reason as "refundReason", (select l.job_id from bulk_lines l where l.order_id = o.id) as "listId", case when o.status = 'pending' then order_batch(o.id) end as batch,
  o.network = 'AFA' and o.status = 'pending' and not exists (select from afa_registrations a where a.order_id = o.id) as "needsDetails"`

export type OwnOrdersFilter = Page & { userId: string; status: OrderStatus | null; network: Network | null }

/** The filter of a list of all orders: $1 status, $2 network, $3 LIKE patterns over the shown columns; null for any. */
export const matchOrders = `($1::text is null or o.status = $1) and ($2::text is null or o.network = $2)
    and ($3::text[] is null or order_words(o, u) ilike any ($3) or o.status ilike any ($3) or shown_time(o.decided_at) ilike any ($3))`

/** The filter of a buyer's own list, which shows other columns: $1 the buyer, $2 status, $3 network, $4 LIKE patterns. */
const MATCH_OWN = `o.user_id = $1 and ($2::text is null or o.status = $2) and ($3::text is null or o.network = $3)
    and ($4::text[] is null or order_words(o, null::users) ilike any ($4) or o.status ilike any ($4) or o.client_id ilike any ($4))`

export async function selectOwnOrders(db: Queryable, filter: OwnOrdersFilter): Promise<{ orders: OrderRow[]; total: number }> {
  const values = [filter.userId, filter.status, filter.network, likePatterns(filter.search)]
  const [page, count] = await Promise.all([
    db.query<OrderRow>(
      `select ${ORDER} from orders o join users u on u.id = o.user_id where ${MATCH_OWN} order by o.seq desc limit $5 offset $6`,
      [...values, filter.limit, filter.offset],
    ),
    db.query<{ total: number }>(`select count(*) as total from orders o where ${MATCH_OWN}`, values),
  ])
  return { orders: page.rows, total: count.rows[0]?.total ?? 0 }
}

export async function selectOrdersBySeq(db: Queryable, seqs: number[]): Promise<OrderRow[]> {
  const { rows } = await db.query<OrderRow>({
    name: 'orders-by-seq',
    text: `select ${ORDER} from orders o left join users u on u.id = o.user_id where o.seq = any ($1::bigint[]) order by o.seq desc`,
    values: [seqs],
  })
  return rows
}

export async function selectOrders(db: Queryable, ids: string[]): Promise<OrderRow[]> {
  const { rows } = await db.query<OrderRow>(
    `select ${ORDER} from orders o left join users u on u.id = o.user_id where o.id = any ($1::uuid[]) order by o.seq`,
    [ids],
  )
  return rows
}

export async function selectOrder(db: Queryable, id: string): Promise<OrderRow | null> {
  const { rows } = await db.query<OrderRow>(`select ${ORDER} from orders o left join users u on u.id = o.user_id where o.id = $1`, [id])
  return rows[0] ?? null
}

/** The `_id` of each order named by its `_id` or number; unknown orders are left out. */
export async function selectOrderIds(db: Queryable, named: string[]): Promise<Map<string, string>> {
  const numbers = named.filter((name) => /^\d+$/.test(name))
  const known = new Map(named.filter((name) => !numbers.includes(name)).map((id) => [id, id]))
  if (numbers.length === 0) return known
  const { rows } = await db.query<{ seq: string; id: string }>('select seq::text, id from orders where seq = any ($1::bigint[])', [numbers])
  for (const { seq, id } of rows) known.set(seq, id)
  return known
}

/** Whether a person has completed a later order of the network. */
export async function isPassedOver(tx: Tx, { network, seq }: { network: string; seq: number }): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from orders where network = $1 and status = 'completed' and seq > $2 and decided_by is not null limit 1`,
    [network, seq],
  )
  return rowCount === 1
}

/** One order, locked until the transaction ends; null for an unknown id. */
export async function lockOrder(tx: Tx, id: string): Promise<OrderRow | null> {
  const { rows } = await tx.query<OrderRow>(
    `select ${ORDER} from orders o left join users u on u.id = o.user_id where o.id = $1 for update of o`,
    [id],
  )
  return rows[0] ?? null
}

/** What of an order's price is with the undelivered orders, in pesewas: 0 once it is delivered, and for orders bought in a version before. */
export async function selectUndelivered(tx: Tx, id: string): Promise<number> {
  const { rows } = await tx.query<{ pesewas: number }>('select undelivered_pesewas($1) as pesewas', [id])
  return rows[0]?.pesewas ?? 0
}

/** A completion also fixes what the order cost and books the delivery: see the triggers of `orders`. */
export async function updateDecision(
  tx: Tx,
  id: string,
  decision: { status: Decision; decidedAt: Date; decidedBy: string | null; overrideReason: string | null; refundReason: string | null },
) {
  await tx.query(
    'update orders set status = $2, decided_at = $3, decided_by = $4, override_reason = $5, refund_reason = $6 where id = $1',
    [id, decision.status, decision.decidedAt, decision.decidedBy, decision.overrideReason, decision.refundReason],
  )
}

/** Subtracts a rejected order from its buyer's total purchases. */
export async function subtractFromTotalPurchase(tx: Tx, userId: string, pesewas: number) {
  await tx.query('update wallets set total_purchase_pesewas = total_purchase_pesewas - $2, version = version + 1 where user_id = $1', [
    userId,
    pesewas,
  ])
}

/** A cart has no more lines. A list has, and is looked at elsewhere. */
const MOST_OF_A_PAYMENT = 100

/** The orders of several payments, of each the first hundred. */
export async function selectOrdersOfPayments(db: Queryable, paymentReferences: string[]): Promise<OrderRow[]> {
  const { rows } = await db.query<OrderRow>(
    `select ${ORDER} from unnest($1::text[]) payment (code) cross join lateral (
       select * from orders where payment_reference = payment.code or top_up_reference = payment.code
       union all select o.* from disputed_orders h join orders o on o.id = h.order_id where h.payment_reference = payment.code
       order by seq limit $2
     ) o left join users u on u.id = o.user_id order by o.seq`,
    [paymentReferences, MOST_OF_A_PAYMENT],
  )
  return rows
}

export async function selectOrdersOfPayment(db: Queryable, paymentReference: string): Promise<OrderRow[]> {
  const { rows } = await db.query<OrderRow>(
    `select ${ORDER} from orders o left join users u on u.id = o.user_id where o.payment_reference = $1 or o.top_up_reference = $1
       or o.id = any (array(select h.order_id from disputed_orders h where h.payment_reference = $1)) order by o.seq`,
    [paymentReference],
  )
  return rows
}

export async function selectOrderByReference(db: Queryable, reference: string): Promise<OrderRow | null> {
  const { rows } = await db.query<OrderRow>(`select ${ORDER} from orders o left join users u on u.id = o.user_id where o.reference = $1`, [
    reference,
  ])
  return rows[0] ?? null
}

/**
 * A user's order by the reference that their client sent with it: its own, or that of the card payment. One reference may be that of several
 * orders: the newest for AirtelTigo comes first, since clients ask about those. Looks at the newest 500 orders.
 */
export async function selectOrderByClientReference(db: Queryable, userId: string, reference: string): Promise<OrderRow | null> {
  const { rows } = await db.query<OrderRow>(
    `select ${ORDER} from (select * from orders where user_id = $1 order by seq desc limit 500) o left join users u on u.id = o.user_id
     where o.client_reference = $2 or o.payment_reference = $2 order by o.network = 'AirtelTigo' desc, o.seq desc limit 1`,
    [userId, reference],
  )
  return rows[0] ?? null
}

/**
 * Finds a card payment's order for a client's own id: the order that already has it, or a matching one without an id. Locks
 * the payment first, so that concurrent calls see each other's claims.
 */
export async function claimOrderOfPayment(
  tx: Tx,
  paymentReference: string,
  wanted: { clientId: string; network: string; offer: string; receiver: string },
): Promise<OrderRow | null> {
  await tx.query('select from payments where reference = $1 for update', [paymentReference])
  const { rows } = await tx.query<{ id: string }>(
    `select id from orders
     where payment_reference = $1 and network = $3 and offer = $4 and receiver = $5 and (client_id is null or client_id = $2)
     order by client_id nulls last, seq limit 1 for update`,
    [paymentReference, wanted.clientId, wanted.network, wanted.offer, wanted.receiver],
  )
  const [found] = rows
  if (!found) return null
  await tx.query('update orders set client_id = $2 where id = $1', [found.id, wanted.clientId])
  return lockOrder(tx, found.id)
}

/** Whether a user's client has made this order from the wallet already, with the same id and the same reference of its own. */
export async function isWalletOrderOf(db: Queryable, userId: string, clientId: string, clientReference: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from orders where user_id = $1 and client_id = $2 and client_reference = $3 and paid_with = 'wallet'`,
    [userId, clientId, clientReference],
  )
  return rowCount === 1
}

/** The file in which an AFA order went to the registrar; null before that. */
export async function selectRegistrarFile(tx: Tx, orderId: string): Promise<number | null> {
  const { rows } = await tx.query<{ batch: number }>('select batch from afa_registrations where order_id = $1 and sent_at is not null', [
    orderId,
  ])
  return rows[0]?.batch ?? null
}

/** Whether the details of the person whom an AFA order registers were given, also when they are erased since. */
export async function hasAfaDetails(tx: Tx, orderId: string): Promise<boolean> {
  const { rowCount } = await tx.query('select from afa_registrations where order_id = $1', [orderId])
  return rowCount === 1
}
