import { type CheckedLine, NO_ORDER } from '../../../../shared/bulk-lines.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { bulkTexts } from '../../../texts/bulk.ts'
import { moneyText } from '../../../ui/money.tsx'
import type { PadReading } from './paste-pad.tsx'

/** What stands at each line of a text: what was read, or what is wrong with it. */
export function toReadings(text: string, lines: readonly CheckedLine[], isKnown: boolean): PadReading[] {
  const rows: PadReading[] = text.split('\n').map((line) => ({ tone: 'empty', text: line.trim() === '' || isKnown ? '' : '…' }))
  for (const line of lines) if (rows[line.number - 1]) rows[line.number - 1] = toReading(line)
  return rows
}

function toReading({ state, item, name, receiver, network, offer, short }: CheckedLine): PadReading {
  if (state === 'skipped') return { tone: 'skipped', text: short === NO_ORDER ? short : bulkTexts.skipped }
  if (state !== 'ready' || !item) return { tone: state === 'wrong' ? 'wrong' : 'doubtful', text: short }
  return {
    tone: 'ready',
    text: `${spacedPhone(receiver ?? '')} · ${offer} · ${network} · ${moneyText(item.cedis)}${name ? ` · ${name}` : ''}`,
  }
}
