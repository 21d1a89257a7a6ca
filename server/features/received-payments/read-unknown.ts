import type { MessageFormat } from '../../../shared/message-formats.ts'
import { chooseFormats } from '../message-formats/choose-formats.ts'
import type { FormatRow } from '../message-formats/formats.sql.ts'
import { type Message, parseAs, type ReadMessage } from '../message-formats/parse-message.ts'

type Unknown = { messages: readonly Message[]; rows: readonly FormatRow[]; ofServer: readonly MessageFormat[] }

/** What messages say that no form knew when they came, in their order; null for those that none knows now. For `callAside`. */
export function readUnknown({ messages, rows, ofServer }: Unknown): (ReadMessage | null)[] {
  const formats = chooseFormats(rows, ofServer)
  return messages.map((message) => {
    const { read, format } = parseAs(message, formats)
    return format ? read : null
  })
}
