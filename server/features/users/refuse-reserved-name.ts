import type { Tx } from '../../platform/db.ts'
import { Taken } from '../../platform/errors.ts'
import { atAGlance } from './fold-username.ts'
import { selectAdminNames } from './users.sql.ts'

/** Refused anywhere in a name, since it would seem to speak for the shop. */
const ANYWHERE = ['admin', 'support', 'helpdesk', 'moderator', 'customercare', 'customerservice', 'official']
/** Refused as a word of a name. */
const AS_A_WORD = ['staff', 'system', 'root', 'care', 'manager', 'cashier']

/** A shorter shop name is part of too many ordinary names. */
const SHORTEST_SHOP_NAME = 4

const RESERVED = ANYWHERE.map(atAGlance)
const RESERVED_WORDS = AS_A_WORD.map(atAGlance)

/**
 * Refuses a name that could be mistaken for the shop or an admin.
 * @throws Taken
 */
export async function refuseReservedName(tx: Tx, username: string, shopName: string): Promise<void> {
  if (speaksForShop(username, shopName) || (await isLikeAnAdmin(tx, username))) {
    throw new Taken('username', 'That username could be mistaken for the shop. Please choose another.')
  }
}

function speaksForShop(username: string, shopName: string): boolean {
  const name = atAGlance(username)
  const shop = atAGlance(shopName.toLowerCase().replace(/[^\p{L}\d]/gu, ''))
  if (name === shop || (shop.length >= SHORTEST_SHOP_NAME && name.includes(shop))) return true
  if (RESERVED.some((reserved) => name.includes(reserved))) return true
  return username.split(/[._ -]+/).some((word) => RESERVED_WORDS.includes(atAGlance(word)))
}

async function isLikeAnAdmin(tx: Tx, username: string): Promise<boolean> {
  const name = atAGlance(username)
  return (await selectAdminNames(tx)).some((admin) => atAGlance(admin) === name)
}
