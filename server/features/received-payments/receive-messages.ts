import type { MessageFormat } from '../../../shared/message-formats.ts'
import { MOST_MESSAGES } from '../../../shared/received-payments.ts'
import type { Ctx } from '../../platform/context.ts'
import { Invalid } from '../../platform/errors.ts'
import { readFormats } from '../message-formats/choose-formats.ts'
import { parseMessage } from '../message-formats/parse-message.ts'
import { type Reading, recordPayments } from './record-payments.ts'
import { splitMessages } from './split-messages.ts'

/**
 * Reads pasted mobile-money messages and keeps the payments among them. No money moves. `ofServer` are forms that are set where the
 * shop runs.
 * @throws Invalid when there are too many messages, or none.
 */
export async function receiveMessages(ctx: Ctx, text: string, ofServer: readonly MessageFormat[] = []): Promise<Reading> {
  const messages = splitMessages(text)
  const path = 'text'
  if (messages.length === 0) throw new Invalid([{ path, message: 'Paste at least one message.' }])
  if (messages.length > MOST_MESSAGES) throw new Invalid([{ path, message: `Paste at most ${MOST_MESSAGES} messages at once.` }])
  const formats = await readFormats(ctx.db, ofServer)
  return recordPayments(
    ctx,
    messages.map((message) => parseMessage(message, formats)),
    'message',
  )
}
