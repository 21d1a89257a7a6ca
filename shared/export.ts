import * as z from 'zod/mini'
import { activityQuery } from './admin-actions.ts'
import { endpoints } from './endpoint.ts'
import { insightQuery } from './insight.ts'
import { listQuery } from './lists.ts'
import { orderListQuery } from './orders.ts'
import { rechargeListQuery } from './recharges.ts'
import { SEES_FINANCE, SEES_WALLETS } from './staff-rules.ts'
import { statementQuery } from './wallet.ts'
import { staffWithdrawalsQuery } from './withdrawals.ts'

export const exportEndpoints = endpoints({
  'GET /export/statement': {
    id: 'exportStatement',
    tag: 'export',
    summary: "The statement of one's own wallet as CSV",
    access: 'signed-in',
    query: statementQuery,
    reply: 'csv',
  },
  'GET /export/withdrawals': {
    id: 'exportOwnWithdrawals',
    tag: 'export',
    summary: 'Own withdrawals as CSV',
    access: 'signed-in',
    query: z.object({}),
    reply: 'csv',
    errors: ['NOT_FOUND'],
  },
  'GET /export/admin-withdrawals': {
    id: 'exportWithdrawals',
    tag: 'export',
    summary: "Agents' withdrawals as CSV",
    access: 'finance',
    query: staffWithdrawalsQuery,
    reply: 'csv',
  },
  'GET /export/customer-statement': {
    id: 'exportCustomerStatement',
    tag: 'export',
    summary: "The statement of a customer's wallet as CSV",
    access: SEES_WALLETS,
    query: z.object({ customer: z.uuid({ error: 'That customer does not exist.' }) }),
    reply: 'csv',
    errors: ['NOT_FOUND'],
  },
  'GET /export/admin-activity': {
    id: 'exportActivity',
    tag: 'export',
    summary: 'Who did what, as CSV',
    access: 'owner',
    query: activityQuery,
    reply: 'csv',
  },
  'GET /export/admin-orders': {
    id: 'exportOrders',
    tag: 'export',
    summary: 'Orders as CSV',
    access: ['orders', 'finance'],
    query: orderListQuery,
    reply: 'csv',
  },
  'GET /export/admin-finance': {
    id: 'exportRecharges',
    tag: 'export',
    summary: 'Wallet recharges as CSV',
    access: 'finance',
    query: rechargeListQuery,
    reply: 'csv',
  },
  'GET /export/admin-products': {
    id: 'exportProducts',
    tag: 'export',
    summary: 'Products and their packages as CSV',
    access: 'products',
    query: z.object({}),
    reply: 'csv',
  },
  'GET /export/admin-insight': {
    id: 'exportInsight',
    tag: 'export',
    summary: 'Sales and profit of a range of days as CSV',
    access: SEES_FINANCE,
    query: insightQuery,
    reply: 'csv',
  },
  'GET /export/admin-stats': {
    id: 'exportStats',
    tag: 'export',
    summary: 'Statistics and users as CSV',
    access: 'finance',
    query: listQuery,
    reply: 'csv',
  },
})
