import { setTimeout as wait } from 'node:timers/promises'
import { createBatch } from '../../server/features/delivery/batches/create-batch.ts'
import { recordBalance } from '../../server/features/delivery/floats/record-balance.ts'
import { recordNote } from '../../server/features/office/customers/record-note.ts'
import { selectByHand } from '../../server/features/orders/orders/by-hand.sql.ts'
import { receiveMessages } from '../../server/features/wallet/received-payments/receive-messages.ts'
import { formatPesewas } from '../../shared/money.ts'
import type { Buyer, Trade } from './trade.ts'

const MINUTE_MS = 60_000
/** Orders of the batch that is out. */
const BATCH = 6

/** What lies on the desk when the demo opens: messages to match, a batch that is out, notes about customers. */
export async function leaveWork(trade: Trade, buyers: readonly Buyer[], now: Date) {
  const { shop, staff } = trade
  await pasteMessages(trade, now)
  await recordBalance(shop.at(new Date(now.getTime() - 90 * MINUTE_MS), staff.finance), { network: 'MTN', balance: 3_314.4 })
  const ids = await oldestByHand(trade)
  if (ids.length > 0) await createBatch(shop.at(now, staff.orders), { key: 'demo', network: 'MTN', ids })
  for (const [index, text] of ['Pays on Fridays. Call, do not text.', 'Router number ends in 44, not 14.'].entries()) {
    const buyer = buyers[index]
    if (buyer) await recordNote(shop.at(now, staff.owner), { userId: buyer.actor.id, text })
  }
}

/** Orders for a person to send. The shop that runs beside has to see new ones first, which takes it a second or two. */
async function oldestByHand({ shop }: Trade): Promise<string[]> {
  const unseen = `select from orders o join order_outbox x on x.order_id = o.id where o.status = 'pending' and o.network = 'MTN' limit 1`
  for (let looks = 0; looks < 200 && (await shop.db.query(unseen)).rows.length > 0; looks++) await wait(100)
  return await selectByHand(shop.db, 'MTN', BATCH)
}

/** The messages of requests that wait, as the shop's phone has them, with one that fell short and two that are no payments. */
async function pasteMessages({ shop, random, staff }: Trade, now: Date) {
  const { rows } = await shop.db.query<{ rechargeId: string; username: string; pesewas: number }>(
    `select r.recharge_id as "rechargeId", u.username, r.amount_pesewas as pesewas from recharges r join users u on u.id = r.user_id
     where r.status = 'pending' order by r.seq`,
  )
  let balance = 412_035
  const transaction = () => String(random.between(51_000_000_000, 98_999_999_999))
  const messages = rows.slice(0, -1).map(({ rechargeId, username, pesewas }, index) => {
    const received = index === 1 ? pesewas - 500 : pesewas
    balance += received
    const [amount, after] = [formatPesewas(received), formatPesewas(balance)]
    return `Payment received for GHS ${amount} from ${username.toUpperCase()} Current Balance: GHS ${after} . Available Balance: GHS ${after}. Reference: ${rechargeId}. Transaction ID: ${transaction()}. TRANSACTION FEE: 0.00`
  })
  messages.push(
    `Payment made for GHS 45.00 to ADOM ELECTRICALS Current Balance: GHS ${formatPesewas(balance - 4_500)} . Available Balance: GHS ${formatPesewas(balance - 4_500)}. Reference: 1. Transaction ID: ${transaction()}. Fee charged: GHS0.50 Tax charged: 0.`,
    `Cash In  for\nGHS150.00 from\nAKOSUA MANSA ... Balance 640.35\nAvaliable balan 640.35\nTransaction\nID: 00581234567:\ndepos(.....)`,
  )
  await receiveMessages(shop.at(now, staff.finance), messages.join('\n\n'))
}
