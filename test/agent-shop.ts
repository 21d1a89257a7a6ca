import { createHash } from 'node:crypto'
import { hashNumberCode } from '../server/features/people/numbers/send-number-code.ts'
import { hashToken } from '../server/platform/hash-token.ts'
import type { SignedInUser } from '../shared/users.ts'
import type { TestShop } from './app.ts'
import { call, makeUser } from './builders.ts'

type Database = { database: Pick<TestShop['database'], 'db'>; clock: TestShop['clock'] }

let count = 0

/** An agent with a shop that has earned something. `earned` in cedis, free to withdraw. */
export async function makeShopOwner(shop: TestShop, { earned = 0 }: { earned?: number } = {}): Promise<SignedInUser & { shopId: string }> {
  const agent = await makeUser(shop, { level: 'Agent' })
  return { ...agent, shopId: await openShopOf(shop, agent._id, earned) }
}

/** Opens a shop of a user. Returns its id. */
export async function openShopOf(shop: Database, userId: string, earned = 0): Promise<string> {
  count += 1
  const { rows } = await shop.database.db.query<{ id: string }>(
    `insert into agent_shops (owner_id, slug, name, colour, created_at) values ($1, $2, $3, 'green', $4) returning id`,
    [userId, `shop-${count}-${userId.slice(0, 8)}`, `Shop ${count}`, shop.clock.now],
  )
  const shopId = (rows[0] as { id: string }).id
  await shop.database.db.query('select create_shop_wallet($1)', [shopId])
  if (earned > 0) await earn(shop, shopId, earned)
  return shopId
}

/** Makes a user the sub-agent in a shop. Returns the id of the row. */
export async function makeSubAgent(shop: Database, shopId: string, userId: string): Promise<string> {
  const { rows } = await shop.database.db.query<{ id: string }>(
    `with made as (
       insert into sub_agent_invitations (shop_id, code, created_at, used_at)
       values ($1, translate(substr(md5(random()::text), 1, 24), '01', 'xy'), $3, $3) returning id
     ) insert into sub_agents (shop_id, user_id, invitation_id, joined_at) select $1, $2, id, $3 from made returning id`,
    [shopId, userId, shop.clock.now],
  )
  return (rows[0] as { id: string }).id
}

/** A link of a shop that one customer may use. */
export async function makeInvitation(shop: Database, shopId: string): Promise<{ id: string; code: string }> {
  const { rows } = await shop.database.db.query<{ id: string; code: string }>(
    `insert into sub_agent_invitations (shop_id, code, created_at)
     values ($1, translate(substr(md5(random()::text), 1, 24), '01', 'xy'), $2) returning id, code`,
    [shopId, shop.clock.now],
  )
  return rows[0] as { id: string; code: string }
}

/** Puts money into a shop's earnings by the ledger's own function. */
export async function earn(shop: Database, shopId: string, cedis: number) {
  await shop.database.db.query(
    `select post_entry('earned:' || gen_random_uuid(), 'admin-credit', 'Earned', null, array[6, account_id], array[-$2::bigint, $2::bigint], $3)
     from wallets where shop_id = $1`,
    [shopId, Math.round(cedis * 100), shop.clock.now],
  )
}

/** What a shop's earnings hold, in cedis. */
export async function earningsOf(shop: Database, shopId: string): Promise<number> {
  const { rows } = await shop.database.db.query<{ pesewas: number }>('select balance_pesewas as pesewas from wallets where shop_id = $1', [
    shopId,
  ])
  return (rows[0]?.pesewas ?? 0) / 100
}

/** A withdrawal of 50 cedis that waits for approval, of a shop of its own. Returns its id. */
export async function makeWithdrawal(shop: Database, userId: string): Promise<string> {
  const shopId = await openShopOf(shop, userId, 50)
  const { rows } = await shop.database.db.query<{ id: string }>(
    `with made as (
       insert into withdrawals (shop_id, requested_by, key, reference, amount_pesewas, fee_pesewas, network, phone, name, new_number, status,
         unapproved, created_at)
       values ($1, $2, gen_random_uuid()::text, substr(md5(random()::text), 1, 24), 5000, 100, 'MTN', '0245550100', 'Ama Mensah', true, 'approval',
         false, $3) returning id
     )
     select made.id from made, wallets w, lateral post_entry('withdrawal:' || made.id, 'withdrawal', 'Withdrawal to 0245550100', null,
       array[w.account_id, 13], array[-5000, 5000], $3) where w.shop_id = $1`,
    [shopId, userId, shop.clock.now],
  )
  return (rows[0] as { id: string }).id
}

/** A code that works and was sent to a number, as it is typed to confirm the number for a shop. */
export async function makePayoutCode(shop: Database, shopId: string, userId: string, phoneNumber = '0245550100') {
  const [id, code] = [crypto.randomUUID(), '428517']
  await shop.database.db.query(
    `insert into payout_codes (id, shop_id, phone, asked_by, asked_at, hash, ends_at)
     values ($1, $2, $3, $4, $5, $6, $5::timestamptz + interval '10 minutes')`,
    [id, shopId, phoneNumber, userId, shop.clock.now, hashNumberCode(id, code)],
  )
  return { phoneNumber, code }
}

/** A number that the shop has confirmed. */
export async function makePayoutNumber(shop: Database, shopId: string, userId: string, phoneNumber = '0245550100') {
  await makePayoutCode(shop, shopId, userId, phoneNumber)
  await shop.database.db.query(
    `insert into payout_numbers (shop_id, phone, code_id, confirmed_by, confirmed_at, free_at)
     select shop_id, phone, id, asked_by, asked_at, asked_at from payout_codes where shop_id = $1 and phone = $2`,
    [shopId, phoneNumber],
  )
  return { phoneNumber }
}

/** The browser that a guest pays in, as a request's headers name it. */
export const IN_GUEST_BROWSER = { cookie: `guest=${'g'.repeat(32)}` }

/** Has all payments of guests begun in that browser. */
export async function payInGuestBrowser(shop: Database) {
  await shop.database.db.query('update payments set guest_browser = $1 where guest_phone is not null', [hashToken('g'.repeat(32))])
}

type Refund = { id: string; reference: string }

/** What a guest paid, 5 cedis, for nothing: it waits for somebody of the shop, or as a code. */
export async function makeRefund(shop: Database, status: 'review' | 'code'): Promise<Refund> {
  const owner = await shop.database.db.query<{ id: string }>(
    `insert into users (username, username_skeleton, email, phone, password_hash, level)
     select 'agent ' || tag, 'agent-' || tag, tag || '@example.com', '0209' || lpad((random() * 999999)::int::text, 6, '0'), 'none', 'Agent'
     from substr(md5(random()::text), 1, 12) tag returning id`,
  )
  const shopId = await openShopOf(shop, (owner.rows[0] as { id: string }).id)
  const reference = crypto.randomUUID().replaceAll('-', '').slice(0, 20)
  const { db } = shop.database
  await db.query(
    `insert into payments (reference, shop_id, guest_phone, purpose, lines, price_pesewas, surcharge_pesewas, status, reason, received_pesewas,
       created_at, settled_at) values ($1, $2, '0245550142', 'order', '[]', 500, 0, 'held', 'the shop has closed', 500, $3, $3)`,
    [reference, shopId, shop.clock.now],
  )
  // The shop's loop must not send it, so its time to be sent goes in the same statement.
  const { rows } = await db.query<{ id: string }>(
    `with posted as (
       select post_entry('card-payment:' || $1, 'card-payment', '', null, array[5, 9], array[-500, 500], $2),
         post_entry('guest-refund:' || $1, 'guest-refund', '', null, array[9, 15], array[-500, 500], $2)
     )
     insert into refunds (payment_reference, phone, amount_pesewas, reason, created_at, status, not_found)
     select $1, '0245550142', 500, 'the shop has closed', $2, 'review', 2 from posted returning id`,
    [reference, shop.clock.now],
  )
  const { id } = rows[0] as { id: string }
  if (status === 'code') {
    await db.query(
      `with given as (update refunds set status = 'code', told = 'code' where id = $1 returning id)
       select post_entry('refund-code:' || id, 'refund-code', '', null, array[15, 16], array[-500, 500], $2) from given`,
      [id, shop.clock.now],
    )
  }
  return { id, reference }
}

/** A refund that waits as a code, and a code of it. */
export async function makeRefundCode(shop: TestShop): Promise<Refund & { code: string }> {
  const refund = await makeRefund(shop, 'code')
  await payInGuestBrowser(shop)
  const path = `/shops/payment/${refund.reference}/refund-codes`
  const { body } = await call<{ codes: { code: string }[] }>(shop, 'POST', path, { headers: IN_GUEST_BROWSER })
  return { ...refund, code: (body.codes[0] as { code: string }).code }
}

/** A name for the shop with that link, which looks like no other's. */
export function shopNameOf(slug: string): string {
  const hash = createHash('sha256').update(slug).digest('hex').slice(0, 14)
  return `Shop ${hash.replace(/\d/g, (digit) => 'ghijkmopqr'[Number(digit)] as string)}`
}
