import type { GroupLine } from '../../../../shared/bulk.ts'
import type { CheckedLine } from '../../../../shared/bulk-lines.ts'

/** The lines that a group can keep: what is doubtful is kept as it was written, since nothing is paid for yet. */
export function toGroupLines(lines: readonly CheckedLine[]): GroupLine[] {
  return lines.flatMap(({ item, name }) =>
    item ? [{ name: name.slice(0, 100), phoneNumber: item.receiver, network: item.network, offer: item.offer }] : [],
  )
}

/** A group's lines as text, each of which reads back as itself. */
export function groupText(lines: readonly GroupLine[]): string {
  return lines.map(({ name, phoneNumber, network, offer }) => `${phoneNumber} ${offer} ${network} ${name}`.trim()).join('\n')
}
