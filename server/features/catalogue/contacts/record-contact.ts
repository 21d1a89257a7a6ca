import type { SaveContactRequest } from '../../../../shared/contacts.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { type ContactRow, upsertContact } from './contacts.sql.ts'

/**
 * Gives a number of a network a name, for the caller alone.
 * @throws the database's refusal (CONFLICT) beyond the caller's share of contacts.
 */
export function recordContact(ctx: Ctx, { network, phoneNumber, name }: SaveContactRequest): Promise<ContactRow> {
  return transaction(ctx.db, async (tx) => {
    const { id: userId } = await lockActor(tx, ctx)
    return upsertContact(tx, { userId, network, phone: phoneNumber, name, now: ctx.now })
  })
}
