import type { MessageFormat } from '../../../../shared/message-formats.ts'
import { MOST_MESSAGES } from '../../../../shared/received-payments.ts'
import { chooseFormats } from '../../messages/message-formats/choose-formats.ts'
import type { FormatRow } from '../../messages/message-formats/formats.sql.ts'
import { type Message, parseAs, parseMessage, type ReadMessage, TAKEN_BACK } from '../../messages/message-formats/parse-message.ts'
import { splitMessages } from './split-messages.ts'

/** The forms that the owner has changed or that are set where the shop runs. */
type Forms = { rows: readonly FormatRow[]; ofServer: readonly MessageFormat[] }
export type Pasted = Forms & { text: string }

/** The messages that were pasted; only their number when there are too many. For `callAside`. */
export function readMessages({ text, rows, ofServer }: Pasted): { count: number; items: ReadMessage[] } {
  const messages = splitMessages(text)
  const formats = chooseFormats(rows, ofServer)
  const items = messages.length > MOST_MESSAGES ? [] : messages.map((message) => parseMessage(message, formats))
  for (const [at, item] of items.entries()) doubtByNote(items[at - 1], item)
  return { count: messages.length, items }
}

/** "Then later: this payment was reversed" in words of somebody’s, without a transaction of its own, is about the payment above it. */
function doubtByNote(before: ReadMessage | undefined, note: ReadMessage) {
  const isNote = note.kind === 'other' && note.transactionId === null && note.amountPesewas === null && TAKEN_BACK.test(note.raw)
  if (isNote && before?.kind === 'credit') before.doubts.push('reversal')
}

/** What messages say that no form knew when they came, in their order; null for those that none knows now. For `callAside`. */
export function readUnknown({ messages, rows, ofServer }: Forms & { messages: readonly Message[] }): (ReadMessage | null)[] {
  const formats = chooseFormats(rows, ofServer)
  return messages.map((message) => {
    const { read, format } = parseAs(message, formats)
    return format ? read : null
  })
}
