import type { FastifyReply } from 'fastify'
import { actionName } from '../../../../shared/action-words.ts'
import { BYTE_ORDER_MARK, type Cell, csvAmount, csvCedis, csvLine, csvPhone } from '../../../../shared/csv.ts'
import { formatDateTime } from '../../../../shared/dates.ts'
import { exportEndpoints } from '../../../../shared/export.ts'
import type { InsightFigures, InsightReply } from '../../../../shared/insight.ts'
import { delivererName } from '../../../../shared/supplier-names.ts'
import { findOwnWallet } from '../../../ledger/ledger.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { Forbidden, NotFound } from '../../../platform/errors.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { selectEarningsOf } from '../../agents/withdrawals/earnings.sql.ts'
import {
  ownWithdrawalsForExport,
  type StaffWithdrawalRow,
  type WithdrawalRow,
  withdrawalsForExport,
} from '../../agents/withdrawals/withdrawals.sql.ts'
import { type AdminActionRow, activityForExport } from '../../people/activity/activity.sql.ts'
import { presentAdminAction } from '../../people/activity/present.ts'
import { presentMovement, presentStatementLine } from '../../wallet/wallet/present.ts'
import { type MovementRow, movementsQuery, type StatementRow, statementQuery } from '../../wallet/wallet/statement.sql.ts'
import { requireWallet, seesWallets } from '../customers/queries.ts'
import { readInsight } from '../insight/queries.ts'
import { readStats } from '../stats/read-stats.ts'
import { ordersForExport, productsForExport, rechargesForExport, usersForExport } from './exports.sql.ts'
import { type CsvPart, streamCsv } from './stream-csv.ts'

/** CSV files of the admin lists and of one's own statement: all records that match the filter, not just one page. */
export function exportRoutes(app: Api, shop: { readonly slug: string }) {
  const send = (reply: FastifyReply, ctx: Ctx, name: string, parts: CsvPart[]) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${shop.slug}-${name}.csv"`)
      .send(streamCsv(ctx.db, requireActor(ctx).id, parts))

  mount(app, exportEndpoints, {
    'GET /export/statement': async ({ ctx, query, reply }) => {
      const { accountId } = await findOwnWallet(ctx.db, requireActor(ctx).id)
      return send(reply, ctx, 'statement', [
        {
          headings: ['Date', 'What', 'Details', 'Reference', 'Amount', 'Balance'],
          statement: statementQuery({ accountId, month: query.month ?? null, search: query.search?.trim() || null }),
          toCells: (row: StatementRow) => {
            const { createdAt, kind, details, reference, amount, balance } = presentStatementLine(row)
            return [formatDateTime(new Date(createdAt)), kind, details, reference, csvCedis(amount), csvCedis(balance)]
          },
        },
      ])
    },

    'GET /export/withdrawals': async ({ ctx, reply }) => {
      const wallet = await selectEarningsOf(ctx.db, requireActor(ctx).id)
      if (!wallet) throw new NotFound('shop')
      return send(reply, ctx, 'withdrawals', [
        {
          headings: WITHDRAWAL_HEADINGS,
          statement: ownWithdrawalsForExport(wallet.shopId),
          toCells: (row: WithdrawalRow) => withdrawalCells(row),
        },
      ])
    },

    'GET /export/admin-withdrawals': async ({ ctx, query, reply }) =>
      send(reply, ctx, 'admin-withdrawals', [
        {
          headings: [...WITHDRAWAL_HEADINGS, 'Agent', 'Agent’s phone', 'Shop', 'Reference', 'Transaction id', 'Decided by'],
          statement: withdrawalsForExport({ open: query.open === 'true', search: query.search?.trim() || null }),
          toCells: (row: StaffWithdrawalRow) => [
            ...withdrawalCells(row),
            row.username,
            csvPhone(row.agentPhone),
            row.shopName,
            row.reference,
            row.handTransactionId,
            row.decider,
          ],
        },
      ]),

    'GET /export/customer-statement': async ({ ctx, query, reply }) => {
      if (!seesWallets(requireActor(ctx))) throw new Forbidden()
      const { accountId } = await requireWallet(ctx.db, query.customer)
      return send(reply, ctx, 'customer-statement', [
        {
          headings: ['Date', 'What', 'Details', 'Reference', 'Amount', 'Balance', 'By'],
          statement: movementsQuery(accountId),
          toCells: (row: MovementRow) => {
            const { createdAt, kind, details, reference, amount, balance, by } = presentMovement(row)
            return [formatDateTime(new Date(createdAt)), kind, details, reference, csvCedis(amount), csvCedis(balance), by]
          },
        },
      ])
    },

    'GET /export/admin-activity': async ({ ctx, query, reply }) => {
      const { search, from = null, to = null } = query
      return send(reply, ctx, 'admin-activity', [
        {
          headings: ['Date', 'Who', 'Action', 'Subject', 'Before', 'After', 'Note', 'Address'],
          statement: activityForExport({ search: search?.trim() || null, from, to }),
          toCells: (row: AdminActionRow) => {
            const { createdAt, actor, action, subject, before, after, note, ip } = presentAdminAction(row)
            const facts = (known: object | null) => (known ? JSON.stringify(known) : '')
            return [
              formatDateTime(new Date(createdAt)),
              actor ?? '',
              actionName(action),
              subject,
              facts(before),
              facts(after),
              note,
              ip ?? '',
            ]
          },
        },
      ])
    },

    'GET /export/admin-orders': async ({ ctx, query, reply }) => {
      const { search, segment = 'all', network = null } = query
      const status = query.status ?? (segment === 'all' ? null : 'pending')
      return send(reply, ctx, 'admin-orders', [
        {
          headings: [
            ...['ID', 'Agent', 'Network', 'Receiver', 'Offer', 'Reference', 'Payment Date', 'Amount', 'Status', 'Action Timestamp'],
            ...['Phone Number', 'Order Reference', 'Client Reference'],
          ],
          statement: ordersForExport({ search: search?.trim() || null, status, network }),
          toCells: (
            row: Record<'id' | 'username' | 'network' | 'receiver' | 'offer' | 'reference' | 'date' | 'status', string> & {
              pricePesewas: number
            } & Record<'decidedAt' | 'phone' | 'paymentReference' | 'clientReference', string | null>,
          ) => [
            row.id,
            row.username,
            row.network,
            csvPhone(row.receiver),
            row.offer,
            row.paymentReference ?? row.reference,
            row.date,
            csvAmount(row.pricePesewas),
            row.status,
            row.decidedAt,
            row.phone && csvPhone(row.phone),
            // As on the screen: beside the payment's, which the provider goes by.
            row.paymentReference && row.reference,
            row.clientReference,
          ],
        },
      ])
    },

    'GET /export/admin-finance': async ({ ctx, query, reply }) => {
      const { search, status = null } = query
      return send(reply, ctx, 'admin-finance', [
        {
          headings: ['Date', 'Reference', 'Username', 'Amount', 'Status', 'Phone Number'],
          statement: rechargesForExport({ search: search?.trim() || null, status }),
          toCells: (row: Record<'date' | 'rechargeId' | 'username' | 'status' | 'phone', string> & { amountPesewas: number }) => [
            row.date,
            row.rechargeId,
            row.username,
            csvAmount(row.amountPesewas),
            row.status,
            csvPhone(row.phone),
          ],
        },
      ])
    },

    'GET /export/admin-products': async ({ ctx, reply }) =>
      send(reply, ctx, 'admin-products', [
        {
          headings: ['ID', 'Network', 'Offer', 'Customer Price', 'Agent Price', 'Status'],
          statement: productsForExport(),
          toCells: (row: {
            id: number
            network: string
            offer: string | null
            priceCustomerPesewas: number | null
            priceAgentPesewas: number | null
            status: string
          }) => [
            row.id,
            row.network,
            row.offer,
            amountOrNothing(row.priceCustomerPesewas),
            amountOrNothing(row.priceAgentPesewas),
            row.status,
          ],
        },
      ]),

    'GET /export/admin-insight': async ({ ctx, query, reply }) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${shop.slug}-admin-insight.csv"`)
        .send(
          BYTE_ORDER_MARK +
            insightLines(await readInsight(ctx.db, query, ctx.now))
              .map(csvLine)
              .join(''),
        ),

    'GET /export/admin-stats': async ({ ctx, query, reply }) => {
      const { finance, orders } = await readStats(ctx.db, ctx.now)
      const line = (name: string, { count, value }: { count: number; value: number }): Cell[] => [name, count, csvCedis(value)]
      const before: Cell[][] = [
        ['Finance', 'Amount'],
        ['Total payments received', csvCedis(finance.totalPayments)],
        ['Total funds in wallets', csvCedis(finance.totalFunds)],
        [],
        ['Orders placed', 'Count', 'Value'],
        line('Total', orders.total),
        line('Completed', orders.completed),
        line('Rejected', orders.rejected),
        line('Pending', orders.pending),
        line(`Today (${orders.today.label})`, orders.today),
        line('This week', orders.thisWeek),
        line(`This month (${orders.thisMonth.label})`, orders.thisMonth),
        line(`Last month (${orders.lastMonth.label})`, orders.lastMonth),
        [],
      ]
      return send(reply, ctx, 'admin-stats', [
        {
          before,
          headings: ['Username', 'Phone Number', 'Email', 'Level', 'Total Purchase', 'Wallet Balance', 'Status'],
          statement: usersForExport(query.search?.trim() || null),
          toCells: (
            row: Record<'username' | 'phone' | 'email' | 'level' | 'status', string> & {
              totalPurchasePesewas: number
              balancePesewas: number
            },
          ) => [
            row.username,
            csvPhone(row.phone),
            row.email,
            row.level,
            csvAmount(row.totalPurchasePesewas),
            csvAmount(row.balancePesewas),
            row.status,
          ],
        },
      ])
    },
  })
}

const WITHDRAWAL_HEADINGS = ['Number', 'Asked', 'Status', 'Amount', 'Fee', 'Payout', 'Network', 'To', 'Name', 'Why', 'Ended']

function withdrawalCells(row: WithdrawalRow): Cell[] {
  return [
    row.seq,
    formatDateTime(row.createdAt),
    row.status,
    csvAmount(row.amountPesewas),
    csvAmount(row.feePesewas),
    csvAmount(row.amountPesewas - row.feePesewas),
    row.network,
    csvPhone(row.phone),
    row.name,
    row.reason,
    row.endedAt && formatDateTime(row.endedAt),
  ]
}

/** What Insight shows, a table below the other. */
function insightLines({ totals, days, hours, networks, suppliers, packages, agents }: InsightReply): Cell[][] {
  const of = ({ orders, sales, grossProfit, uncosted }: InsightFigures): Cell[] => [
    orders,
    csvCedis(sales),
    csvCedis(grossProfit),
    uncosted,
  ]
  const ofDay = (row: InsightFigures & { profit: number | null }): Cell[] => [...of(row), row.profit === null ? null : csvCedis(row.profit)]
  const headings = ['Orders', 'Sales', 'Gross profit', 'Orders without a cost']
  const table = (name: string, rows: Cell[][], more: string[] = []): Cell[][] =>
    rows.length === 0 ? [] : [[], [name, ...headings, ...more], ...rows]
  return [
    ...table('Day', [...days.map((row) => [row.date, ...ofDay(row)]), ['Total', ...ofDay(totals)]], ['Profit']).slice(1),
    ...table(
      'Network',
      networks.map((row) => [row.network, ...of(row)]),
    ),
    ...table(
      'Supplier',
      suppliers.map((row) => [delivererName(row.supplier), ...of(row)]),
    ),
    ...table(
      'Package',
      (packages ?? []).map((row) => [`${row.network} ${row.offer}`, ...of(row)]),
    ),
    ...table(
      'Agent',
      (agents ?? []).map((row) => [row.username, ...of(row)]),
    ),
    ...table(
      'Hour',
      (hours ?? []).map((row) => [`${row.hour}:00`, ...of(row)]),
    ),
  ]
}

function amountOrNothing(pesewas: number | null): Cell {
  return pesewas === null ? null : csvAmount(pesewas)
}
