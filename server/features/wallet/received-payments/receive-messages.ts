import type { MessageFormat } from '../../../../shared/message-formats.ts'
import { MOST_MESSAGES } from '../../../../shared/received-payments.ts'
import { askerOf, callAside } from '../../../platform/aside.ts'
import type { Ctx } from '../../../platform/context.ts'
import { Invalid } from '../../../platform/errors.ts'
import { selectFormats } from '../../messages/message-formats/formats.sql.ts'
import { readMessages } from './read-messages.ts'
import { type Reading, recordPayments } from './record-payments.ts'

const READER = new URL('./read-messages.ts', import.meta.url)

/**
 * Reads pasted mobile-money messages and keeps the payments among them. No money moves. `ofServer` are forms that are set where the
 * shop runs.
 * @throws Invalid when there are too many messages, or none; whatever `callAside` throws.
 */
export async function receiveMessages(ctx: Ctx, text: string, ofServer: readonly MessageFormat[] = []): Promise<Reading> {
  const rows = await selectFormats(ctx.db)
  const { count, items } = await callAside(askerOf(ctx), READER, readMessages, { text, rows, ofServer }, { signs: text.length })
  const path = 'text'
  if (count === 0) throw new Invalid([{ path, message: 'Paste at least one message.' }])
  if (count > MOST_MESSAGES) throw new Invalid([{ path, message: `Paste at most ${MOST_MESSAGES} messages at once.` }])
  return recordPayments(ctx, items, 'message')
}
