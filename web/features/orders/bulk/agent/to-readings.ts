import { type CheckedLine, NO_ORDER } from '../../../../../shared/bulk-lines.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { moneyText } from '../../../../ui/money.tsx'
import type { PadReading, PadReadings } from './paste-pad.tsx'

/** What stands at each line of a text: what was read, or what is wrong with it. Put into words only for the lines that are asked for. */
export function toReadings(text: string, lines: readonly CheckedLine[], isKnown: boolean): PadReadings {
  const rows = text.split('\n')
  const checked = new Map(lines.map((line) => [line.number, line]))
  const at = (row: number): PadReading => {
    const line = checked.get(row + 1)
    if (line) return toReading(line)
    return { tone: 'empty', text: isKnown || (rows[row] ?? '').trim() === '' ? '' : '…' }
  }
  return { count: rows.length, at }
}

function toReading({ state, item, name, receiver, network, offer, short }: CheckedLine): PadReading {
  if (state === 'skipped') return { tone: 'skipped', text: short === NO_ORDER ? short : bulkTexts.skipped }
  if (state !== 'ready' || !item) return { tone: state === 'wrong' ? 'wrong' : 'doubtful', text: short }
  return {
    tone: 'ready',
    text: `${spacedPhone(receiver ?? '')} · ${offer} · ${network} · ${moneyText(item.cedis)}${name ? ` · ${name}` : ''}`,
  }
}
