import { MESSAGE_FORMATS, type MessageFormat } from '../../../../shared/message-formats.ts'
import { readWords } from '../../../../shared/message-words.ts'
import type { Queryable } from '../../../platform/db.ts'
import { type FormatRow, selectFormats } from './formats.sql.ts'
import { type Formats, readersOf } from './parse-message.ts'

/** The form that came with the shop under this network and name. */
export function builtInOf({ network, name }: { network: string; name: string }): MessageFormat | undefined {
  return MESSAGE_FORMATS.find((one) => one.network === network && one.name === name)
}

/** The forms that count, by what the owner has made of them; `ofServer` are set where the shop runs. */
export function chooseFormats(rows: readonly FormatRow[], ofServer: readonly MessageFormat[]): Formats {
  const without = rows.filter(({ isOn, words }) => !isOn || words !== null).flatMap((row) => builtInOf(row) ?? [])
  return readersOf([...rows.flatMap((row) => toFormat(row) ?? []), ...ofServer], without)
}

/** A form as somebody wrote it down; null when it is off, or as it came with the shop. */
function toFormat({ network, name, kind, isOn, words: typed, senders }: FormatRow): MessageFormat | null {
  const words = isOn && typed !== null ? readWords(typed, { isCredit: kind === 'credit' }) : null
  // The words were checked when they were saved; a later version of the shop may understand fewer.
  if (words === null || typeof words === 'string') return null
  return { network, name, kind, pattern: '', words, senders, says: SAYS[kind] }
}

const SAYS: Record<FormatRow['kind'], string> = {
  credit: '',
  'money-out': 'Money that went out.',
  failed: 'A payment that failed.',
  airtime: 'Airtime, not money.',
  refund: 'Money that came back to you.',
  interest: 'Interest on your own balance.',
  other: 'Not a payment to you.',
}

/** The forms that count now, for all processes: whatever reads a message asks for them. */
export async function readFormats(db: Queryable, ofServer: readonly MessageFormat[]): Promise<Formats> {
  return chooseFormats(await selectFormats(db), ofServer)
}
