import type { GroupLine } from '../../../../../shared/bulk.ts'
import { type CheckedLine, decisionKey } from '../../../../../shared/bulk-lines.ts'
import type { BulkDraft } from './bulk-draft.ts'

/** The lines that a group can keep: what is doubtful is kept as it was written, since nothing is paid for yet. */
export function toGroupLines(lines: readonly CheckedLine[]): GroupLine[] {
  return lines.flatMap(({ item, name }) =>
    item ? [{ name: name.slice(0, 100), phoneNumber: item.receiver, network: item.network, offer: item.offer }] : [],
  )
}

/** A group's lines as text, with what is known of each, so that each reads back as itself whatever its name is. */
export function writeGroup(lines: readonly GroupLine[]): Pick<BulkDraft, 'text' | 'decisions'> {
  const written = lines.map(({ name, phoneNumber, network, offer }) => `${phoneNumber} ${offer} ${network} ${name}`.trim())
  const decisions = lines.map(({ network, offer, name }, index) => {
    return [decisionKey(index + 1, written[index] as string), { network, offer, name }] as const
  })
  return { text: written.join('\n'), decisions: Object.fromEntries(decisions) }
}
