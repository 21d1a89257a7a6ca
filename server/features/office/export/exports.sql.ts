import type { Network } from '../../../../shared/networks.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import type { RechargeStatus } from '../../../../shared/recharges.ts'
import { likePatterns } from '../../../platform/http/lists.ts'
import { matchOrders } from '../../orders/orders/orders.sql.ts'
import { matchUsers } from '../../people/users/users.sql.ts'
import { matchRecharges } from '../../wallet/recharges/recharges.sql.ts'

export type Statement = { text: string; values: unknown[] }

const DATE = (column: string) => `to_char(${column} at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS')`

export function ordersForExport(filter: { search: string | null; status: OrderStatus | null; network: Network | null }): Statement {
  return {
    text: `select o.seq::text as id, coalesce(u.username, 'guest ' || o.guest_phone) as username, o.network, o.receiver, o.offer, o.reference,
        ${DATE('o.created_at')} as date, o.price_pesewas as "pricePesewas", o.status, ${DATE('o.decided_at')} as "decidedAt",
        coalesce(u.phone, o.guest_phone) as phone, o.payment_reference as "paymentReference", o.client_reference as "clientReference"
      from orders o left join users u on u.id = o.user_id where ${matchOrders} order by o.seq desc`,
    values: [filter.status, filter.network, likePatterns(filter.search)],
  }
}

export function rechargesForExport(filter: { search: string | null; status: RechargeStatus | null }): Statement {
  return {
    text: `select ${DATE('r.created_at')} as date, r.recharge_id as "rechargeId", u.username, coalesce(r.credited_pesewas, r.amount_pesewas) as "amountPesewas", r.status, u.phone
      from recharges r join users u on u.id = r.user_id where ${matchRecharges} order by r.seq desc`,
    values: [null, filter.status, likePatterns(filter.search)],
  }
}

export function usersForExport(search: string | null): Statement {
  const { matches, values } = matchUsers({ search })
  return {
    // One wallet looked up at a time, so that the first lines leave at once instead of after a join and a sort of all users.
    text: `select u.username, u.phone, u.email, u.level, w.total_purchase_pesewas as "totalPurchasePesewas",
        w.balance_pesewas as "balancePesewas", u.status
      from users u cross join lateral (select * from wallets own where own.user_id = u.id limit 1) w where ${matches} order by u.seq desc`,
    values,
  }
}

export function productsForExport(): Statement {
  return {
    text: `select p.seq as id, p.network, k.offer, k.price_customer_pesewas as "priceCustomerPesewas",
        k.price_agent_pesewas as "priceAgentPesewas", p.status
      from products p left join packages k on k.product_id = p.id order by p.seq, k.position`,
    values: [],
  }
}
