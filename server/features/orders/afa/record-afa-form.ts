import { randomUUID } from 'node:crypto'
import type { AfaDetails } from '../../../../shared/afa-rules.ts'
import { addressKey } from '../../../platform/address-key.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { Invalid, Taken } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { hashWithKey, type SecretsKey } from '../../../platform/seal-secret.ts'
import { SHARES } from '../../../platform/shares.ts'
import { insertForm, isOwnCardTaken, makeRoomForForm } from './afa.sql.ts'
import type { AfaRules } from './record-afa.ts'
import { sealDetails } from './seal-details.ts'

/**
 * Keeps, encrypted, the details of the person whom an AFA order shall register, before it is paid for. A line of a purchase names the form; the
 * purchase makes the details the order's. Without a purchase they are erased after two days. Whether somebody else has the card registered is
 * said at the purchase, to whoever has the money for it.
 * @throws Invalid; Taken when the card is on another order of the caller.
 */
export async function recordAfaForm(ctx: Ctx, rules: AfaRules, details: AfaDetails): Promise<string> {
  return transaction(ctx.db, async (tx) => {
    const { id: userId } = await lockActor(tx, ctx)
    return record(tx, ctx, rules, { id: randomUUID(), userId, shopId: null }, details, '')
  })
}

/**
 * The same for a guest of an agent's shop, who needs no account: whether the card is registered is said once the order is paid for. A full shop
 * makes room at the address that has given most forms, so that strangers do not close it to its guests.
 * @throws Invalid
 */
export async function recordGuestAfaForm(ctx: Ctx, rules: AfaRules, shopId: string, details: AfaDetails): Promise<string> {
  return transaction(ctx.db, async (tx) => {
    await makeRoomForForm(tx, shopId, SHARES['forms of a shop'].most)
    return record(tx, ctx, rules, { id: randomUUID(), userId: null, shopId }, details, '')
  })
}

/** The details of a line that has some, by the line's place. */
export type AfaOfLines = readonly (AfaDetails | null)[]

/**
 * The same for the lines of one purchase by the developer API; null for a line without details. The forms' names follow from `key`, the
 * purchase's, and from the details: the same purchase sent again names the same forms, with other details it names others. `pathOf` maps a
 * line's place to where its details are in the request.
 * @throws as above; a card that stands on two lines, too.
 */
export async function recordAfaForms(
  ctx: Ctx,
  rules: AfaRules,
  { key, details, pathOf }: { key: string; details: AfaOfLines; pathOf: (index: number) => string },
): Promise<(string | null)[]> {
  const { id: userId } = requireActor(ctx)
  const ids = nameAfaForms(ctx, rules, { key, details, pathOf })
  return transaction(ctx.db, async (tx) => {
    for (const [index, id] of ids.entries())
      if (id) await record(tx, ctx, rules, { id, userId, shopId: null }, details[index] as AfaDetails, pathOf(index))
    return ids
  })
}

/**
 * The names that `recordAfaForms` would give the forms of a purchase; nothing is kept. Only who has the shop's key can tell details from a name.
 * @throws as above, but looks at no other purchase.
 */
export function nameAfaForms(
  ctx: Pick<Ctx, 'actor'>,
  rules: AfaRules,
  { key, details, pathOf }: { key: string; details: AfaOfLines; pathOf: (index: number) => string },
): (string | null)[] {
  const { id: userId } = requireActor(ctx)
  const cards = details.map((one) => one?.ghanaCard)
  const twice = cards.findIndex((card, index) => card !== undefined && cards.indexOf(card) < index)
  if (twice >= 0)
    throw new Invalid([{ path: `${pathOf(twice)}ghana_card`, message: 'That card stands on two lines. Nobody needs AFA twice.' }])
  return details.map((one, index) => {
    if (!one) return null
    refuseForeignCard(rules, one, `${pathOf(index)}ghana_card`)
    return nameForm(`${userId} ${key} ${JSON.stringify(one)}`, rules.secretsKey)
  })
}

type Owner = { id: string; userId: string | null; shopId: string | null }

async function record(tx: Tx, ctx: Ctx, rules: AfaRules, owner: Owner, details: AfaDetails, at: string) {
  const path = at === '' ? 'ghanaCard' : `${at}ghana_card`
  refuseForeignCard(rules, details, path)
  const sealed = sealDetails(details, rules)
  // A purchase that is sent again has registered the card itself; whether another one has is looked at as it is placed.
  if (owner.userId !== null && at === '' && (await isOwnCardTaken(tx, sealed.cardHash, owner.userId))) {
    throw new Taken(path, 'That card is being registered already, or is. Nobody needs AFA twice.')
  }
  await insertForm(tx, { ...owner, ...sealed, now: ctx.now, guestAddress: owner.shopId && ctx.ip ? addressKey(ctx.ip) : null })
  return owner.id
}

function refuseForeignCard({ foreignCards }: AfaRules, { ghanaCard }: AfaDetails, path: string) {
  if (!foreignCards && ghanaCard.startsWith('FGN')) throw new Invalid([{ path, message: 'AFA takes only cards that begin with GHA.' }])
}

function nameForm(text: string, secretsKey: SecretsKey | null): string {
  const hex = hashWithKey(`afa form ${text}`, secretsKey).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
