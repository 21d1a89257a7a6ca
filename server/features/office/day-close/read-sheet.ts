import type { CountedPlace, DaySheet, EARNED_LINES, WALLET_LINES } from '../../../../shared/day-close.ts'
import { toCedis } from '../../../../shared/money.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { supplierName } from '../../../../shared/supplier-names.ts'
import {
  ADJUSTMENTS,
  AGENT_UPGRADE_FEES,
  CARD_PAYMENTS_RECEIVED,
  CARD_SURCHARGES,
  CHECKER_LOSSES,
  DISPUTE_LOSSES,
  MOBILE_MONEY_RECEIVED,
  ORDERS_UNDELIVERED,
  PROVIDER_FEES,
  REFERRAL_REWARDS,
  REFUND_CODES,
  REFUNDS_PENDING,
  SALES,
  WITHDRAWAL_FEES,
} from '../../../ledger/accounts.ts'
import type { Queryable } from '../../../platform/db.ts'
import { sumPending } from '../../orders/orders/segments.sql.ts'
import { listPaymentNumbers } from '../../shop/shop/queries.ts'
import { addUp, grossProfitPesewas, netPesewas } from '../profit/present.ts'
import { type DeliveredRow, selectDeliveredIn, selectLateCosts } from '../profit/profit.sql.ts'
import { type Movement, type Range, selectCountedAt, selectMovements, selectReadings, selectWalletsAt } from './day-close.sql.ts'

type WalletLine = (typeof WALLET_LINES)[number]
type EarnedLine = (typeof EARNED_LINES)[number]

/** Where each kind of entry stands among the wallets' lines; the others move no wallet, or are `other`. */
const LINE_OF: Record<string, WalletLine> = {
  recharge: 'mobile-money',
  'card-payment': 'card',
  'card-surcharge': 'card',
  'agent-upgrade': 'card',
  'admin-credit': 'credit',
  'admin-debit': 'debit',
  order: 'sales',
  'order-refund': 'refunds',
  'dispute-lost': 'taken-back',
  'dispute-recovered': 'taken-back',
  'dispute-won': 'taken-back',
  'effect-undone': 'taken-back',
  'card-refund': 'taken-back',
  // What a guest's refund put into a wallet by its code.
  'refund-claimed': 'refunds',
  // What customers had sent back to their cards and phones, and what came back from there.
  'refund-to-source': 'taken-back',
  'refund-returned': 'taken-back',
  'referral-reward': 'rewards',
  'referral-undone': 'rewards',
}
const LINES: readonly WalletLine[] = ['mobile-money', 'card', 'credit', 'sales', 'refunds', 'debit', 'taken-back', 'rewards', 'other']
/** Shown even when nothing moved. */
const ALWAYS: readonly WalletLine[] = ['mobile-money', 'card', 'sales', 'refunds']

/** The account with one posting for each thing that a line counts. */
const COUNTED_ON: Partial<Record<string, readonly number[]>> = {
  recharge: [MOBILE_MONEY_RECEIVED],
  'card-payment': [CARD_PAYMENTS_RECEIVED],
  'admin-credit': [ADJUSTMENTS],
  'admin-debit': [ADJUSTMENTS],
  order: [ORDERS_UNDELIVERED, SALES],
  'order-refund': [ORDERS_UNDELIVERED, SALES],
  'dispute-lost': [CARD_PAYMENTS_RECEIVED],
  'card-refund': [CARD_PAYMENTS_RECEIVED],
  'refund-claimed': [REFUND_CODES],
  'refund-to-source': [REFUNDS_PENDING],
  'refund-returned': [REFUNDS_PENDING],
  'referral-reward': [REFERRAL_REWARDS],
  'referral-undone': [REFERRAL_REWARDS],
  'dispute-won': [CARD_PAYMENTS_RECEIVED],
}

const NOTHING_LATE = { orders: 0, salesPesewas: 0, refundedPesewas: 0, costPesewas: 0 }

export type ReadSheet = { sheet: DaySheet; openingPesewas: number; closingPesewas: number; movements: Movement[] }

/**
 * What moved in a range, up to but without its end. The wallets' lines are the rest of what moved on the house's accounts, so that they
 * add up to the ledger whatever kinds of entry there are.
 */
export async function readSheet(db: Queryable, range: Range): Promise<ReadSheet> {
  const movements = await selectMovements(db, range)
  const has = (kind: string) => movements.some((moved) => moved.kind === kind)
  // One after the other, since a transaction has one connection.
  const closingPesewas = await selectWalletsAt(db, range.until)
  const delivered = await selectDeliveredIn(db, range)
  const { pending, toDecide } = await sumPending(db)
  const earlier = has('delivery-cost') ? await selectLateCosts(db, range, { since: '-infinity', before: range.from }) : []
  // Known by now, and not yet at the end of the range: it belongs to the range in which it was recorded.
  const since = await selectLateCosts(db, { from: range.until, until: 'infinity' }, { since: range.from, before: range.until })
  const networks = delivered.map((row) => {
    const later = since.find(({ network }) => network === row.network) ?? NOTHING_LATE
    return {
      ...row,
      uncostedOrders: row.uncostedOrders + later.orders,
      uncostedPesewas: row.uncostedPesewas + later.salesPesewas,
      costPesewas: row.costPesewas - later.costPesewas,
      refundedUncostedPesewas: row.refundedUncostedPesewas + later.refundedPesewas,
    }
  })
  const all: DeliveredRow = addUp(networks)
  const walletLines = sumWallets(movements)
  const moved = [...walletLines.values()].reduce((sum, { pesewas }) => sum + pesewas, 0)
  const on = (account: number) => movements.filter(({ accountId }) => accountId === account).reduce((sum, { pesewas }) => sum + pesewas, 0)
  const late = {
    orders: count(earlier),
    pesewas: earlier.reduce((sum, row) => sum + row.salesPesewas - row.refundedPesewas - row.costPesewas, 0),
  }
  const earned: [EarnedLine, number, number][] = [
    ['delivered', all.orders, all.salesPesewas],
    ['refunded', all.refundedOrders, -all.refundedPesewas],
    ['uncosted', all.uncostedOrders, all.refundedUncostedPesewas - all.uncostedPesewas],
    ['cost', all.orders - all.uncostedOrders, -all.costPesewas],
    ['late-costs', late.orders, late.pesewas],
    ['surcharges', 0, on(CARD_SURCHARGES)],
    ['upgrade-fees', 0, on(AGENT_UPGRADE_FEES)],
    ['provider-fees', 0, on(PROVIDER_FEES)],
    ['dispute-losses', 0, on(DISPUTE_LOSSES)],
    ['withdrawal-fees', 0, on(WITHDRAWAL_FEES)],
    ['referral-rewards', 0, on(REFERRAL_REWARDS)],
    ['checker-losses', 0, on(CHECKER_LOSSES)],
  ]
  const openingPesewas = closingPesewas - moved
  return {
    openingPesewas,
    closingPesewas,
    movements,
    sheet: {
      from: range.from.toISOString(),
      until: range.until.toISOString(),
      wallets: {
        opening: toCedis(openingPesewas),
        lines: LINES.flatMap((what) => {
          const found = walletLines.get(what) ?? { count: 0, pesewas: 0 }
          return ALWAYS.includes(what) || found.pesewas !== 0 || found.count > 0
            ? [{ what, count: found.count, amount: toCedis(found.pesewas) }]
            : []
        }),
        closing: toCedis(closingPesewas),
      },
      earned: {
        lines: earned.flatMap(([what, counted, pesewas]) =>
          what === 'delivered' || what === 'cost' || pesewas !== 0 || counted > 0
            ? [{ what, count: counted, amount: toCedis(pesewas) }]
            : [],
        ),
        sales: toCedis(netPesewas(all)),
        grossProfit: toCedis(grossProfitPesewas(all)),
        profit: toCedis(earned.reduce((sum, [, , pesewas]) => sum + pesewas, 0)),
      },
      delivered: all.orders,
      uncostedOrders: all.uncostedOrders,
      pending: { orders: pending.orders, amount: toCedis(pending.pesewas), toDecide: toDecide.orders },
      networks: networks.map((row) => ({
        network: row.network,
        orders: row.orders,
        sales: toCedis(netPesewas(row)),
        cost: toCedis(row.costPesewas),
        profit: toCedis(grossProfitPesewas(row)),
        uncostedOrders: row.uncostedOrders,
      })),
    },
  }
}

function count(rows: readonly { orders: number }[]): number {
  return rows.reduce((sum, { orders }) => sum + orders, 0)
}

/** Mobile money that was credited to a customer without a request, or taken back, is booked by hand, but it is mobile money. */
function kindOf({ kind, accountId }: Movement): string {
  return accountId === MOBILE_MONEY_RECEIVED && (kind === 'admin-credit' || kind === 'admin-debit') ? 'recharge' : kind
}

/** An entry sums to zero, so what moved in the wallets is what moved on the house's accounts, the other way round. */
function sumWallets(movements: readonly Movement[]): Map<WalletLine, { count: number; pesewas: number }> {
  const lines = new Map<WalletLine, { count: number; pesewas: number }>()
  for (const [kind, moved] of Map.groupBy(movements, kindOf)) {
    const pesewas = -moved.reduce((sum, row) => sum + row.pesewas, 0)
    const known = LINE_OF[kind]
    if (known === undefined && pesewas === 0) continue
    const line = lines.get(known ?? 'other') ?? { count: 0, pesewas: 0 }
    const accounts = COUNTED_ON[kind] ?? []
    const things = moved.filter(({ accountId }) => accounts.includes(accountId)).reduce((sum, { postings }) => sum + postings, 0)
    lines.set(known ?? 'other', { count: line.count + things, pesewas: line.pesewas + pesewas })
  }
  return lines
}

export const MOBILE_MONEY = 'mobile-money'
const BY_HAND = 'by-hand'

/**
 * Where money is besides the wallets: on the payment numbers and at suppliers. Expected is what was counted where the range begins, with
 * what the ledger has moved since.
 */
export async function readPlaces(
  db: Queryable,
  range: Range,
  movements: readonly Movement[],
): Promise<(CountedPlace & { expectedPesewas: number | null })[]> {
  const before = await selectCountedAt(db, range.from)
  const readings = await selectReadings(db)
  const expected = (key: string, moved: number) => {
    const last = before.find((place) => place.key === key)
    return last ? last.countedPesewas + moved : null
  }
  const numbers = await listPaymentNumbers(db)
  // A number may serve several networks.
  const byNumber = [...Map.groupBy(numbers, ({ phoneNumber }) => phoneNumber)]
  const parts = byNumber.map(([key, ofIt]) => ({ key, name: `${ofIt.map(({ network }) => network).join(', ')} ${spacedPhone(key)}` }))
  const received = -sumOf(movements, ({ accountId }) => accountId === MOBILE_MONEY_RECEIVED)
  const places = [
    {
      key: MOBILE_MONEY,
      name: 'Mobile money',
      expectedPesewas: expected(MOBILE_MONEY, received),
      pesewas: null,
      readAt: null,
      parts: parts.length > 1 ? parts : [],
    },
    ...readings.flatMap(({ supplier, pesewas, readAt }) => {
      const owed = sumOf(movements, ({ code }) => code === `supplier:${supplier}`)
      const expectedPesewas = expected(supplier, -owed)
      // A supplier that the shop has nothing to do with is not asked for.
      if (expectedPesewas === null && pesewas === null && owed === 0) return []
      return [
        {
          key: supplier,
          name: supplier === BY_HAND ? 'Portals, by hand' : supplierName(supplier),
          expectedPesewas,
          pesewas,
          readAt,
          parts: [],
        },
      ]
    }),
  ]
  return places.map(({ key, name, expectedPesewas, pesewas, readAt, parts }) => ({
    key,
    name,
    expectedPesewas,
    expected: expectedPesewas === null ? null : toCedis(expectedPesewas),
    read: pesewas === null ? null : toCedis(pesewas),
    readAt: readAt?.toISOString() ?? null,
    parts,
  }))
}

function sumOf(movements: readonly Movement[], matches: (movement: Movement) => boolean): number {
  return movements.filter(matches).reduce((sum, { pesewas }) => sum + pesewas, 0)
}
