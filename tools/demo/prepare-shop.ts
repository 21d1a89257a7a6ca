import { changeCosts } from '../../server/features/catalogue/costs/change-costs.ts'
import { replaceRoles } from '../../server/features/people/users/users.sql.ts'
import { type Db, transaction } from '../../server/platform/db.ts'
import { toCedis } from '../../shared/money.ts'
import type { StaffRole } from '../../shared/staff-rules.ts'
import type { DemoShop } from './open-demo-shop.ts'
import { DEMO_ROUTES, type DemoStaff, type Trade } from './trade.ts'

/** Of the agent's price, what the shop itself pays. */
const COST_SHARE = 0.945

/** Before the first day: who delivers, what it costs, and two people who help the owner. Their names are made up. */
export async function prepareShop(shop: DemoShop, offers: Trade['offers'], openedAt: Date): Promise<DemoStaff> {
  const { db } = shop
  await db.query('update operations_settings set supplier_routes = $1, complete_delivered = true', [JSON.stringify(DEMO_ROUTES)])
  const { rows } = await db.query<{ id: string }>(`select id from users where level = 'Admin' order by seq limit 1`)
  const owner = await shop.signIn((rows[0] as { id: string }).id)
  const hire = async (username: string, phone: string, roles: StaffRole[]) => {
    const email = `${username.replace(' ', '.')}@example.com`
    const { id } = await shop.signUp({ username, email, phone, level: 'Admin', joinedAt: openedAt })
    await transaction(db, (tx) => replaceRoles(tx, id, roles))
    return shop.signIn(id)
  }
  const staff = {
    owner,
    orders: await hire('kwesi mensah', '0240000012', ['orders', 'support']),
    finance: await hire('efua ofori', '0240000013', ['finance']),
  }
  const costs = offers.flatMap(({ product, network, offer, priceAgentPesewas }) => {
    const supplier = DEMO_ROUTES[network]
    const cost = toCedis(Math.round((priceAgentPesewas * COST_SHARE) / 5) * 5)
    return [...(supplier ? [supplier] : []), 'by-hand' as const].map((at) => ({ productId: product, offer, supplier: at, cost }))
  })
  await changeCosts(shop.at(openedAt, owner), { costs })
  return staff
}

export async function readOffers(db: Db): Promise<Trade['offers']> {
  const { rows } = await db.query<Trade['offers'][number]>(
    `select p.id as product, p.network, k.offer, k.price_customer_pesewas as "priceCustomerPesewas", k.price_agent_pesewas as "priceAgentPesewas"
     from packages k join products p on p.id = k.product_id order by p.seq, k.position`,
  )
  return rows
}
