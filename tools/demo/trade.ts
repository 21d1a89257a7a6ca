import { insertPayment } from '../../server/features/card/payments/payments.sql.ts'
import { fulfil } from '../../server/features/card/payments/settle-payment.ts'
import { recordAfa } from '../../server/features/orders/afa/record-afa.ts'
import { decideOrder, decideOrderAsSupplierSays } from '../../server/features/orders/orders/decide-order.ts'
import { insertDeliveries, markSending, updateDelivery } from '../../server/features/orders/orders/deliveries.sql.ts'
import type { OrderRow } from '../../server/features/orders/orders/orders.sql.ts'
import { placeOrders } from '../../server/features/orders/purchases/place-orders.ts'
import type { PurchaseLine } from '../../server/features/orders/purchases/purchases.sql.ts'
import { openReport } from '../../server/features/orders/reports/open-report.ts'
import { settleReport } from '../../server/features/orders/reports/settle-report.ts'
import { approveRecharge } from '../../server/features/wallet/recharges/approve-recharge.ts'
import { declineRecharge } from '../../server/features/wallet/recharges/decline-recharge.ts'
import { requestRecharge } from '../../server/features/wallet/recharges/request-recharge.ts'
import { changeBalance } from '../../server/features/wallet/wallet/change-balance.ts'
import type { Actor } from '../../server/platform/context.ts'
import { transaction } from '../../server/platform/db.ts'
import { AppError, InsufficientBalance } from '../../server/platform/errors.ts'
import { openRateLimiter } from '../../server/platform/rate-limiter.ts'
import { makeReference } from '../../server/platform/reference.ts'
import type { AfaDetails } from '../../shared/afa-rules.ts'
import { cardSurcharge } from '../../shared/money.ts'
import type { Network } from '../../shared/networks.ts'
import { offerVolumeMb } from '../../shared/offers.ts'
import type { SupplierName } from '../../shared/suppliers.ts'
import type { EventQueue } from './event-queue.ts'
import type { DemoShop } from './open-demo-shop.ts'
import type { Person } from './plan-people.ts'
import type { PlannedPurchase } from './plan-purchases.ts'
import type { Random } from './random.ts'

const MINUTE_MS = 60_000

/** Who delivers a network's data in the demo; the rest is done by hand. */
export const DEMO_ROUTES: Partial<Record<Network, SupplierName>> = { AirtelTigo: 'hubnet', Telecel: 'remadata' }

/** Who does what in the demo: the owner and somebody else for the orders, and one person for the money. */
export type DemoStaff = { owner: Actor; orders: Actor; finance: Actor }

export type Buyer = { actor: Actor; person: Person }
type Offer = { product: string; network: Network; offer: string; priceCustomerPesewas: number; priceAgentPesewas: number }

export type Trade = {
  shop: DemoShop
  random: Random
  queue: EventQueue
  staff: DemoStaff
  offers: readonly Offer[]
  /** Orders are left as they came in: the shop relays them once it is open. */
  isUndecided?: boolean
}

/** Pays for a purchase as this person does, places it, and plans what happens to its orders. */
export async function buy(trade: Trade, buyer: Buyer, { at, lines }: PlannedPurchase): Promise<void> {
  const { shop, random } = trade
  const wanted = lines.map(({ network, offer, receiver }): PurchaseLine => {
    const found = trade.offers.find((one) => one.network === network && one.offer === offer) as Offer
    const expectedPricePesewas = buyer.person.isAgent ? found.priceAgentPesewas : found.priceCustomerPesewas
    return { product: found.product, network, offer, receiver, expectedPricePesewas, clientId: null }
  })
  const total = wanted.reduce((sum, { expectedPricePesewas }) => sum + expectedPricePesewas, 0)
  const missing = total - (await balanceOf(shop, buyer.actor))
  const place = async (now: Date) => {
    const placed = await placeOrders(shop.at(now, buyer.actor), {
      key: `demo:${makeReference()}`,
      lines: wanted,
      pathOf: () => 'items',
    }).catch((error: unknown) => {
      if (error instanceof InsufficientBalance) return null
      throw error
    })
    // Their next purchase was faster than this one's top-up.
    if (!placed) return buy(trade, buyer, { person: buyer.person, at: now, lines })
    if (!trade.isUndecided) await planDeliveries(trade, buyer, placed.orders, now)
  }
  if (missing <= 0) return place(at)
  // Agents fill their wallet for more than this purchase.
  const topUp = roundUp(missing + (buyer.person.isAgent ? random.between(1, 6) * 10_000 : 0))
  if (buyer.person.paysBy === 'card') return payByCard(trade, buyer, { topUp, at, place })
  return payByMobileMoney(trade, buyer, { topUp, at, place })
}

async function balanceOf({ db }: DemoShop, { id }: Actor): Promise<number> {
  const { rows } = await db.query<{ balance: number }>('select balance_pesewas as balance from wallets where user_id = $1', [id])
  return (rows[0] as { balance: number }).balance
}

/** People send round amounts, and at least the shop's 50 cedis. */
function roundUp(pesewas: number): number {
  const step = pesewas <= 20_000 ? 5_000 : pesewas <= 50_000 ? 10_000 : 20_000
  return Math.ceil(pesewas / step) * step
}

type Paying = { topUp: number; at: Date; place: (now: Date) => Promise<void> }

async function payByMobileMoney({ shop, random, queue, staff }: Trade, { actor, person }: Buyer, { topUp, at, place }: Paying) {
  const limiter = openRateLimiter(null, () => at)
  const requested = await requestRecharge(shop.at(at, actor), limiter, { amount: topUp / 100 }).catch((error: unknown) => {
    // A newcomer whose first requests are not approved yet comes back another day.
    if (error instanceof AppError) return null
    throw error
  })
  if (!requested) return
  const admin = random.chance(0.7) ? staff.finance : staff.owner
  const decideAt = later(at, random.between(3, person.isAgent ? 15 : 35))
  if (random.chance(0.025)) {
    queue.add(later(at, random.between(40, 120)), async () => {
      await declineRecharge(shop.at(later(at, 120), admin), requested.id)
    })
    return
  }
  queue.add(decideAt, async () => {
    await approveRecharge(shop.at(decideAt, admin), requested.id)
    queue.add(later(decideAt, 1), () => place(later(decideAt, 1)))
  })
}

/** What the card provider keeps of a payment. */
const PROVIDER_FEE = 0.0195

async function payByCard({ shop, random, queue }: Trade, { actor }: Buyer, { topUp, at, place }: Paying) {
  const reference = makeReference()
  const surchargePesewas = cardSurcharge(topUp)
  const payment = { reference, userId: actor.id, purpose: 'top-up' as const, lines: null, pricePesewas: topUp, surchargePesewas }
  await insertPayment(shop.db, { ...payment, now: at, checkAt: later(at, 1) })
  // Some turn back at the card provider's page.
  if (random.chance(0.08)) {
    await shop.db.query(`update payments set status = 'expired', reason = 'nobody paid', check_at = null where reference = $1`, [reference])
    return
  }
  const paidAt = later(at, 1)
  queue.add(paidAt, async () => {
    const paid = {
      outcome: 'paid' as const,
      amountPesewas: topUp + surchargePesewas,
      feePesewas: Math.round((topUp + surchargePesewas) * PROVIDER_FEE),
      currency: 'GHS',
      isTest: true,
      payerEmail: actor.email,
    }
    await fulfil(shop.at(paidAt, null), shop.gateway, reference, paid)
    queue.add(later(paidAt, 1), () => place(later(paidAt, 1)))
  })
}

async function planDeliveries(trade: Trade, buyer: Buyer, orders: readonly OrderRow[], at: Date) {
  const { queue, random } = trade
  for (const order of orders) {
    const supplier = DEMO_ROUTES[order.network as Network]
    const volumeMb = offerVolumeMb(order.offer)
    if (supplier && volumeMb !== null) await sendToSupplier(trade, order, { supplier, volumeMb, at })
    else {
      const decidedAt = later(
        at,
        random.pick([
          [random.between(3, 20), 70],
          [random.between(15, 45), 25],
          [random.between(45, 150), 5],
        ]),
      )
      if (order.network === 'AFA') queue.add(later(at, 2), () => giveDetails(trade, buyer, order, later(at, 2)))
      queue.add(decidedAt, () => decideByHand(trade, order, decidedAt))
    }
    if (random.chance(0.006)) planReport(trade, buyer, order, later(at, random.between(240, 400)))
  }
}

/** An AFA order is completed only once it is known whom it registers. */
async function giveDetails({ shop, random }: Trade, { actor, person }: Buyer, { id, receiver }: OrderRow, now: Date) {
  const details: AfaDetails = {
    fullName: person.username.replace(/[^a-z ]+/gi, ' ').trim() || 'Ama Mensah',
    phone: receiver,
    ghanaCard: `GHA-${random.between(100_000_000, 999_999_999)}-${random.between(0, 9)}`,
    birthDate: `${random.between(1965, 2004)}-05-17`,
    region: 'Ashanti',
    town: 'Kumasi',
    occupation: 'Trader',
  }
  const rules = { secretsKey: null, mustEncrypt: false, foreignCards: false, keepDays: 30 }
  await recordAfa(shop.at(now, await shop.signIn(actor.id)), { ...rules, limiter: openRateLimiter(null, () => now) }, id, details)
}

async function decideByHand({ shop, random, staff }: Trade, { id: orderId }: OrderRow, now: Date) {
  const admin = random.chance(0.75) ? staff.orders : staff.owner
  const status = random.chance(0.013) ? 'rejected' : 'completed'
  await decideOrder(shop.at(now, admin), { orderId, status }).catch(unlessDecided)
}

async function sendToSupplier(
  trade: Trade,
  order: OrderRow,
  { supplier, volumeMb, at }: { supplier: SupplierName; volumeMb: number; at: Date },
) {
  const { shop, random, queue, staff } = trade
  const { id: orderId, reference } = order
  await insertDeliveries(shop.db, [{ orderId, reference, supplier, volumeMb }], { now: at, notFoundApartMs: MINUTE_MS })
  const sentAt = later(at, 0.05)
  queue.add(sentAt, async () => {
    const isRefused = random.chance(0.012)
    await transaction(shop.db, async (tx) => {
      await markSending(tx, orderId, sentAt)
      const answer = isRefused
        ? { status: 'rejected' as const, detail: 'The number is barred.' }
        : { status: 'accepted' as const, detail: 'sent', supplierReference: makeReference() }
      await updateDelivery(tx, orderId, answer, { now: sentAt })
    })
    const tookMinutes =
      supplier === 'hubnet'
        ? random.between(1, 9)
        : random.pick([
            [random.between(2, 12), 80],
            [random.between(12, 55), 20],
          ])
    const endedAt = later(sentAt, isRefused ? random.between(5, 40) : tookMinutes)
    queue.add(endedAt, async () => {
      if (isRefused) {
        await decideOrder(shop.at(endedAt, staff.orders), { orderId, status: 'rejected' }).catch(unlessDecided)
        return
      }
      await transaction(shop.db, (tx) => updateDelivery(tx, orderId, { status: 'delivered', detail: 'delivered' }, { now: endedAt }))
      await decideOrderAsSupplierSays(shop.at(endedAt, null), { orderId, status: 'completed' })
    })
  })
}

/** Now and then something has not arrived: the customer says so, and the shop answers, mostly the same hour. */
function planReport({ shop, random, queue, staff }: Trade, { actor }: Buyer, { id: orderId }: OrderRow, at: Date) {
  queue.add(at, async () => {
    const report = await openReport(shop.at(at, actor), { orderId, text: 'It has not come yet. Please check.' }).catch(unlessDecided)
    if (!report) return
    const answeredAt = later(at, random.between(10, 90))
    queue.add(answeredAt, async () => {
      const [outcome, text] = random.pick([
        [['delivered', 'The network confirms it was loaded. Please restart your phone and dial *124#.'] as const, 7],
        [['refunded', 'The network could not load it, so your money is back in your wallet.'] as const, 3],
      ])
      await settleReport(shop.at(answeredAt, staff.owner), { reportId: report.id, outcome, text }).catch(unlessDecided)
    })
  })
}

/** A goodwill credit, as owners give for a late delivery. */
export async function creditForLateDelivery({ shop, random, staff }: Trade, { actor }: Buyer, at: Date) {
  const amount = random.pick([
    [2, 3],
    [5, 2],
    [10, 1],
  ])
  await changeBalance(shop.at(at, staff.owner), { chosenId: actor.id, amount, note: 'Sorry for the late delivery', showNote: true }, null)
}

/** Somebody was quicker, or the rules refuse it: in a shop, too, the second one changes nothing. */
function unlessDecided(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}

function later(date: Date, minutes: number): Date {
  return new Date(date.getTime() + Math.round(minutes * MINUTE_MS))
}
