import type { Queryable } from '../../../platform/db.ts'
import { Unauthenticated } from '../../../platform/errors.ts'
import type { Channel } from '../conversations/receive-input.ts'
import { lockLinkedUser, selectLinkedUserId } from './whatsapp.sql.ts'

const HOUR_MS = 3_600_000
/** Of a list; the text above it is at most 1,024 characters. */
const ROWS_MAX = 10
const LIST_TEXT_MAX = 1_000

/** Whose account this number is connected with. The code that connected it showed that both are theirs. */
export async function findOwner(db: Queryable, phone: string): Promise<{ userId: string; isConfirmed: boolean } | null> {
  const userId = await selectLinkedUserId(db, phone)
  return userId === null ? null : { userId, isConfirmed: true }
}

/** A chat as a way to buy. The number counts only while it is connected. */
export const whatsappChannel: Channel = {
  name: 'whatsapp',
  sessionMs: HOUR_MS,
  fits: ({ text, options }) => options.length <= ROWS_MAX && text.length <= LIST_TEXT_MAX,
  findOwner,
  async lockOwner(tx, { userId, phone }) {
    if (!(await lockLinkedUser(tx, userId, phone))) throw new Unauthenticated('This number is no longer connected with your account.')
  },
}
