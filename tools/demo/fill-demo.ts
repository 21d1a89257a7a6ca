import type { Db } from '../../server/platform/db.ts'
import type { Log } from '../../server/platform/log.ts'
import { NETWORKS, type Network } from '../../shared/networks.ts'
import { openEventQueue } from './event-queue.ts'
import { leaveWork } from './leave-work.ts'
import { openDemoShop } from './open-demo-shop.ts'
import { type Person, planPeople } from './plan-people.ts'
import { planLastHour, planPurchases, startOfDayAgo } from './plan-purchases.ts'
import { prepareShop, readOffers } from './prepare-shop.ts'
import { openRandom } from './random.ts'
import { type Buyer, buy, creditForLateDelivery, type Trade } from './trade.ts'

const SEED = 20_241
const DAY_MS = 86_400_000
/** Nobody was at the desk in the last hour, so what came in then still waits. Longer than a supplier takes at most. */
const LAST_HOUR_MS = 60 * 60_000
const LAST_HOUR_PURCHASES = 40

export type DemoSize = { days: number; ordersToday: number; agents: number; customers: number }

type Settings = DemoSize & { now: Date; log: Log; password: string; onDay?: (done: number) => void }

/**
 * Fills a migrated shop with a catalogue and an owner with that many days of trade, up to this minute, by the shop's own writes at
 * the times they would have had. What would still be under way stays so: the newest orders and requests wait.
 */
export async function fillDemo(db: Db, { now, log, password, onDay, ...size }: Settings): Promise<void> {
  const random = openRandom(SEED)
  const shop = await openDemoShop(db, log, password)
  const offers = await readOffers(db)
  const staff = await prepareShop(shop, offers, startOfDayAgo(now, size.days))
  const trade: Trade = { shop, random, queue: openEventQueue(), staff, offers }
  const byNetwork = Object.fromEntries(
    NETWORKS.map((network) => [network, trade.offers.filter((one) => one.network === network).map(({ offer }) => offer)]),
  ) as unknown as Record<Network, string[]>

  const people = planPeople(random, size)
  const buyers = new Map<Person, Buyer>()
  for (let daysAgo = size.days; daysAgo >= 0; daysAgo--) {
    const start = startOfDayAgo(now, daysAgo)
    for (const person of people.filter(({ joinedDaysAgo }) => joinedDaysAgo === daysAgo)) {
      const { username, email, phone, isAgent } = person
      const actor = await shop.signUp({ username, email, phone, level: isAgent ? 'Agent' : 'Customer', joinedAt: start })
      buyers.set(person, { actor, person })
    }
    for (const purchase of planPurchases(random, { start, daysAgo, ...size }, people, byNetwork)) {
      if (purchase.at.getTime() > now.getTime() - LAST_HOUR_MS) break
      const buyer = buyers.get(purchase.person) as Buyer
      trade.queue.add(purchase.at, () => buy(trade, buyer, purchase))
      if (random.chance(0.002)) trade.queue.add(purchase.at, () => creditForLateDelivery(trade, buyer, purchase.at))
    }
    const end = new Date(Math.min(start.getTime() + DAY_MS, now.getTime()))
    for (let event = trade.queue.takeBefore(end); event; event = trade.queue.takeBefore(end)) await event.run()
    onDay?.(size.days - daysAgo)
  }
  await leaveAsOfNow(db)
  for (const purchase of planLastHour(random, {
    people: [...buyers.keys()],
    offers: byNetwork,
    now,
    count: LAST_HOUR_PURCHASES,
    lastMs: LAST_HOUR_MS,
  })) {
    await buy({ ...trade, isUndecided: true }, buyers.get(purchase.person) as Buyer, purchase)
  }
  await leaveWork(trade, [...buyers.values()], now)
  await shop.signOutAll()
}

/** What the shop does about an order right after the sale was done long ago, and a call was made when it says. */
async function leaveAsOfNow(db: Db) {
  await db.query('delete from order_outbox')
  await db.query(`update supplier_deliveries set sent_at = created_at + interval '3 seconds' where sent_at is not null`)
  await db.query('select fold_account_deltas(), fold_order_deltas(), fold_delivery_deltas(), fold_insight_deltas()')
  await db.query('select add_up_days(now(), 10000)')
  await db.query('analyze')
}
