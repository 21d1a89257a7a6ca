import type { Shop } from './open-shop.ts'

/** A shop of an agent's that has earned, by the ledger's own function. */
export async function openShopOf(shop: Shop, userId: string, pesewas: number) {
  await shop.sql(
    `insert into agent_shops (owner_id, slug, name, colour, created_at) values ($1, 'akosua', 'Earning Data', 'plum', now())`,
    [userId],
  )
  await shop.sql(`select create_shop_wallet(id) from agent_shops where owner_id = $1`, [userId])
  await shop.sql(
    `select post_entry('earned:' || s.id, 'admin-credit', '5GB Telecel delivered', null, array[6, w.account_id], array[-$2::bigint, $2::bigint], now())
     from agent_shops s join wallets w on w.shop_id = s.id where s.owner_id = $1`,
    [userId, pesewas],
  )
}

/** The newest code that was sent to a number. */
export const codeSentTo = (shop: Shop, phone: string) => async () =>
  (await shop.outbox()).flatMap(({ channel, to, body }) => (channel === 'sms' && to === phone ? (/^\d{6}/.exec(body) ?? []) : []))[0] ?? ''
