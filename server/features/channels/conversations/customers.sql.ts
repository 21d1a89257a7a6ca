import type { ChannelName } from '../../../../shared/channel-rules.ts'
import type { Network } from '../../../../shared/networks.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import type { UserLevel, UserStatus } from '../../../../shared/users.ts'
import type { Queryable } from '../../../platform/db.ts'

/** Who is at the other end. `isConfirmed`: the channel is sure of it, so that what is theirs may be shown without the PIN. */
export type Customer = {
  id: string
  username: string
  email: string
  phone: string
  level: UserLevel
  status: UserStatus
  createdAt: Date
  balancePesewas: number
  hasPin: boolean
  pinLockedUntil: Date | null
  isConfirmed: boolean
}

export async function selectCustomer(db: Queryable, userId: string): Promise<Omit<Customer, 'isConfirmed'> | null> {
  const { rows } = await db.query<Omit<Customer, 'isConfirmed'>>(
    `select u.id, u.username, u.email, u.phone, u.level, u.status, u.created_at as "createdAt", w.balance_pesewas + w.reserved_pesewas as "balancePesewas",
       p.user_id is not null as "hasPin", p.locked_until as "pinLockedUntil"
     from users u join wallets w on w.user_id = u.id left join transaction_pins p on p.user_id = u.id where u.id = $1`,
    [userId],
  )
  return rows[0] ?? null
}

export type SoldPackage = { productId: string; network: Network; offer: string; pricePesewas: number }

const PRICE = `case $1 when 'Customer' then k.price_customer_pesewas else k.price_agent_pesewas end`

/** What is on sale of a network, cheapest first. */
export async function selectSold(db: Queryable, level: UserLevel, network: Network): Promise<SoldPackage[]> {
  const { rows } = await db.query<SoldPackage>(
    `select p.id as "productId", p.network, k.offer, ${PRICE} as "pricePesewas"
     from products p join packages k on k.product_id = p.id
     where p.network = $2 and p.status = 'available' and not k.hidden order by ${PRICE}, p.seq, k.position`,
    [level, network],
  )
  return rows
}

/** The networks of those given that have something on sale. */
export async function selectSoldNetworks(db: Queryable, networks: readonly Network[]): Promise<Network[]> {
  const { rows } = await db.query<{ network: Network }>(
    `select distinct p.network from products p join packages k on k.product_id = p.id
     where p.network = any ($1) and p.status = 'available' and not k.hidden`,
    [networks],
  )
  return networks.filter((network) => rows.some((row) => row.network === network))
}

export type BoughtBefore = SoldPackage & { receiver: string }

/** The last different things that a customer bought and can buy now, at today's prices; newest first. */
export async function selectBoughtBefore(
  db: Queryable,
  customer: { id: string; level: UserLevel },
  networks: readonly Network[],
  most: number,
): Promise<BoughtBefore[]> {
  const { rows } = await db.query<BoughtBefore>(
    `select p.id as "productId", p.network, k.offer, recent.receiver, ${PRICE} as "pricePesewas"
     from (
       select product_id, offer, receiver, max(seq) as seq
       from (select * from orders where user_id = $2 order by seq desc limit 50) o group by product_id, offer, receiver
     ) recent
     join products p on p.id = recent.product_id and p.status = 'available' and p.network = any ($3)
     join packages k on k.product_id = p.id and k.offer = recent.offer and not k.hidden
     order by recent.seq desc limit $4`,
    [customer.level, customer.id, networks, most],
  )
  return rows
}

export type RecentOrder = { seq: number; network: string; offer: string; receiver: string; status: OrderStatus }

export async function selectRecentOrders(db: Queryable, userId: string, most: number): Promise<RecentOrder[]> {
  const { rows } = await db.query<RecentOrder>(
    'select seq, network, offer, receiver, status from orders where user_id = $1 order by seq desc limit $2',
    [userId, most],
  )
  return rows
}

/** The number of the order that a purchase became; null when nothing was bought. */
export async function selectBought(db: Queryable, userId: string, clientId: string): Promise<number | null> {
  const { rows } = await db.query<{ seq: number }>('select seq from orders where user_id = $1 and client_id = $2', [userId, clientId])
  return rows[0]?.seq ?? null
}

export type ChannelRow = { isOn: boolean | null; mostPerOrderPesewas: number; mostPerDayPesewas: number }

const CHANNEL = 'is_on as "isOn", most_per_order_pesewas as "mostPerOrderPesewas", most_per_day_pesewas as "mostPerDayPesewas"'

/** `isOn` is null until the owner has chosen. */
export async function selectChannel(db: Queryable, channel: ChannelName, lock: '' | 'for update' = ''): Promise<ChannelRow> {
  const { rows } = await db.query<ChannelRow>(`select ${CHANNEL} from channel_settings where channel = $1 ${lock}`, [channel])
  return rows[0] as ChannelRow
}

export async function updateChannel(db: Queryable, channel: ChannelName, row: ChannelRow) {
  await db.query('update channel_settings set is_on = $2, most_per_order_pesewas = $3, most_per_day_pesewas = $4 where channel = $1', [
    channel,
    row.isOn,
    row.mostPerOrderPesewas,
    row.mostPerDayPesewas,
  ])
}
