import { MAX_CONTACTS, type SaveContactRequest } from '../../../shared/contacts.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { lockActor } from '../../platform/lock-actor.ts'
import { type ContactRow, upsertContact } from './contacts.sql.ts'

const FULL = `You can name at most ${MAX_CONTACTS} numbers. Delete one that you no longer need, then save this one.`

/**
 * Gives a number of a network a name, for the caller alone.
 * @throws AppError (CONFLICT) when the caller has named as many numbers as one can.
 */
export function recordContact(ctx: Ctx, { network, phoneNumber, name }: SaveContactRequest): Promise<ContactRow> {
  return transaction(ctx.db, async (tx) => {
    const { id: userId } = await lockActor(tx, ctx)
    const contact = await upsertContact(tx, { userId, network, phone: phoneNumber, name, now: ctx.now, most: MAX_CONTACTS })
    if (!contact) throw new AppError('CONFLICT', FULL)
    return contact
  })
}
