import type { Tx } from '../../../platform/db.ts'
import { Invalid, Taken } from '../../../platform/errors.ts'
import { looksLikeName, seemsSomebodyElses } from '../../people/users/refuse-reserved-name.ts'
import { lockOpenShopNames } from './agent-shops.sql.ts'

const MESSAGES = {
  name: 'That name could be mistaken for our own shop, a network or a bank. Please choose another.',
  slug: 'That link is not free. Please choose another.',
}
const NOT_A_NAME = 'Choose a name without a link, a code to dial or a phone number: they have places of their own in your shop.'

/**
 * Refuses a name or link of an agent's shop that guests could take for the house itself, "Dwadi Official", "dwad1-gh", or for a network, a bank or
 * a payment service, "MTN Ghana". A name that only has one of these among others, "Akosua at Dwadi", is fine.
 * A name is no link, code or phone number either: guests would follow it to another shop, or pay a stranger. Shops that were named so go on.
 * @throws Taken; Invalid for a link, a code or a number as a name
 */
export function refuseOurName(field: keyof typeof MESSAGES, wanted: string, house: string): void {
  if (seemsSomebodyElses(wanted, house)) throw new Taken(field, MESSAGES[field])
  if (field === 'name' && seemsToLead(wanted)) throw new Invalid([{ path: 'name', message: NOT_A_NAME }])
}

/**
 * Refuses a name that another open shop has, or nearly has: its guests would buy from a stranger. Names are given in turn, so of two at once one is refused.
 * `ownId`: the shop that is named, which may keep its name. Shops that were named so before go on.
 * @throws Taken
 */
export async function refuseNearName(tx: Tx, name: string, ownId: string | null): Promise<void> {
  for (const other of await lockOpenShopNames(tx, ownId)) {
    if (looksLikeName(name, other)) throw new Taken('name', 'Another shop has that name, or one that looks like it. Please choose another.')
  }
}

/** @throws Invalid for a line about a shop with a link, a code or a number: guests would take it for the way to pay or to ask the house. */
export function refuseLeads(about: string | null | undefined): void {
  if (about && seemsToLead(about)) {
    throw new Invalid([{ path: 'about', message: 'Leave out links, codes to dial and phone numbers: your number has a place of its own.' }])
  }
}

/** Ends of host names that people know or that short links have; with others, as in "St.Mary", a dot is a dot. */
const ENDS = `com net org info biz gh co io ly me app shop store online site xyz link click top tk ng uk us eu dev ai to cc gg page web live
  club vip icu pro mobi tv gl gd ru cn in de bio one cash money pay`.split(/\s+/)
const HOST = new RegExp(`[\\p{L}\\p{N}-]\\.(?:${ENDS.join('|')})(?![\\p{L}\\p{N}])`, 'u')

/** Whether a name leads elsewhere: a link or mail address, a code such as *170#, or a phone number, with look-alike signs and spaces between. */
function seemsToLead(name: string): boolean {
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[。·•∙・]|\s*[([{]?\bdot\b[)\]}]?\s*(?=[a-z]{2,6}\b)/g, '.')
    .replace(/[∕⁄⧸]/g, '/')
    .replace(/[∗⁎✱﹡]/g, '*')
    .replace(/\s+(?=[./*#])/g, '')
  if (/:\/\/|\bwww\b|[\p{L}\p{N}]@[\p{L}\p{N}]/u.test(plain) || HOST.test(plain.replace(/\.\s+/g, '.'))) return true
  if (/\*\s*\d|\d\s*#/.test(plain)) return true
  return /\d{9}/.test(plain.replace(/[^\p{L}\d]/gu, ''))
}
