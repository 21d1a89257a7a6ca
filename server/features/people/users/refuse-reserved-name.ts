import type { Tx } from '../../../platform/db.ts'
import { Taken } from '../../../platform/errors.ts'
import { atAGlance } from './fold-username.ts'
import { selectAdminNames } from './users.sql.ts'

/** Refused anywhere in a name, since it would seem to speak for the shop. */
const ANYWHERE = ['admin', 'support', 'helpdesk', 'moderator', 'customercare', 'customerservice', 'official']
/** Refused as a word of a name. */
const AS_A_WORD = ['staff', 'system', 'root', 'care', 'manager', 'cashier', 'owner', 'shopowner']

/** What a name may have beside somebody's and would still seem to be theirs. */
const BESIDE = new Set(
  `the real true original genuine verified official new my our support help helpdesk customer care service services admin staff agent team ghana gh
  shop store data bundle bundles airtime cash pay payment payments online main head office hq com net org app limited ltd plc`.split(/\s+/),
)

/** Networks, mobile money, banks and the services that a shop works with; no name may be one of them, nor near a long one. */
const OUTSIDE = `mtn telecel vodafone airteltigo airtel tigo glo atghana atmoney momo mobilemoney gmoney mtnpulse
  paystack hubtel flutterwave expresspay slydepay zeepay korba reloadly remadata hubnet arkesel nalo whatsapp facebook visa mastercard
  gcb gcbbank ecobank absa absabank stanbic stanbicbank calbank fidelitybank zenithbank accessbank republicbank prudentialbank societegenerale
  standardchartered stanchart firstbank gtbank guarantytrust ubaghana ubabank adb adbbank cbg cbgbank nibbank omnibank bankofghana bankofafrica
  consolidatedbank universalmerchantbank ghipss waec ghanacard`
  .split(/\s+/)
  .map(fold)

/** A near spelling of a shorter name is too often an honest name. */
const SHORTEST_NEAR = 5
const SHORTEST_NEAR_OUTSIDE = 6

/** A shorter shop name is part of too many ordinary names. */
const SHORTEST_SHOP_NAME = 4

const RESERVED = ANYWHERE.map(atAGlance)
const RESERVED_WORDS = AS_A_WORD.map(atAGlance)

/**
 * Refuses a name that could be mistaken for the shop, an admin, or a network, bank or payment service.
 * @throws Taken
 */
export async function refuseReservedName(tx: Tx, username: string, shopName: string): Promise<void> {
  if (speaksForShop(username, shopName) || seemsSomebodyElses(username, shopName) || (await isLikeAnAdmin(tx, username))) {
    throw new Taken('username', 'That username could be mistaken for the shop, a network or a bank. Please choose another.')
  }
}

/**
 * Whether a name could be taken for the shop's own, `house`, or for that of a network, bank or payment service: as it is, spelt with letters that
 * look alike or are doubled, one letter beside it, or with words beside it that say nothing ("The real …", "… Ghana").
 */
export function seemsSomebodyElses(name: string, house: string): boolean {
  const words = plain(name)
    .split(' ')
    .filter((word) => word !== '')
  const own = words.filter((word) => !BESIDE.has(word) && !/^\d+$/.test(word))
  const shop = [fold(plain(house)), fold(withoutBeside(house))]
  // Words in any number of pieces: "M T N", "Pay stack".
  const forms = [...new Set([fold(words.join('')), fold((own.length > 0 ? own : words).join(''))])].filter((form) => form !== '')
  if (forms.some((form) => shop.some((mine) => form === mine || isNear(form, mine, SHORTEST_NEAR)))) return true
  if (forms.some((form) => OUTSIDE.some((theirs) => form === theirs || isNear(form, theirs, SHORTEST_NEAR_OUTSIDE)))) return true
  return own.length > 1 && own.every((word) => OUTSIDE.includes(fold(word)))
}

/** A shorter name of a shop has too many honest neighbours. */
const SHORTEST_NEAR_SHOP = 8

/** Whether guests could take one shop's name for another's: spelt with letters that look alike or are doubled, with other signs, or one letter beside it. */
export function looksLikeName(name: string, other: string): boolean {
  const [one, two] = [fold(plain(name)), fold(plain(other))]
  return one === two || isNear(one, two, SHORTEST_NEAR_SHOP)
}

function withoutBeside(name: string): string {
  const words = plain(name).split(' ')
  const own = words.filter((word) => !BESIDE.has(word))
  return (own.length > 0 ? own : words).join('')
}

/** The same first letter, and one letter more, less or another. */
function isNear(form: string, other: string, shortest: number): boolean {
  if (form.length < shortest || other.length < shortest || form[0] !== other[0]) return false
  let at = 0
  while (at < form.length && form[at] === other[at]) at++
  const [a, b] = [form.slice(at), other.slice(at)]
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)
}

/** The form in which names are compared: at a glance, and without doubled letters. */
function fold(name: string): string {
  const once = (text: string) => text.replace(/(.)\1+/gu, '$1')
  return once(atAGlance(once(name.replaceAll(' ', ''))))
}

/** Full-width and other presentations of letters become the plain ones. */
function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\d]+/gu, ' ')
    .trim()
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
