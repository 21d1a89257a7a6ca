import type { MessageFormat } from '../../../shared/message-formats.ts'
import { MOST_MESSAGES } from '../../../shared/received-payments.ts'
import { chooseFormats } from '../message-formats/choose-formats.ts'
import type { FormatRow } from '../message-formats/formats.sql.ts'
import { parseMessage, type ReadMessage } from '../message-formats/parse-message.ts'
import { splitMessages } from './split-messages.ts'

/** What was pasted, and the forms that the owner has changed or that are set where the shop runs. */
export type Pasted = { text: string; rows: readonly FormatRow[]; ofServer: readonly MessageFormat[] }

/** The messages that were pasted; only their number when there are too many. For `callAside`. */
export function readMessages({ text, rows, ofServer }: Pasted): { count: number; items: ReadMessage[] } {
  const messages = splitMessages(text)
  const formats = chooseFormats(rows, ofServer)
  const items = messages.length > MOST_MESSAGES ? [] : messages.map((message) => parseMessage(message, formats))
  return { count: messages.length, items }
}
