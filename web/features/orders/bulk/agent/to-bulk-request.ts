import type { NewBulkLine, PlaceBulkRequest } from '../../../../../shared/bulk.ts'
import { type CheckedLine, decisionKey, NO_ORDER } from '../../../../../shared/bulk-lines.ts'
import { toCedis, toPesewas } from '../../../../../shared/money.ts'
import type { BulkDraft } from './bulk-draft.ts'

const MOST_CHARACTERS = 200
const MOST_OF_A_NAME = 100

/** What to send for these lines of a list; the other lines are named with the reason why they were left out. */
export function toBulkRequest(
  paid: readonly CheckedLine[],
  all: readonly CheckedLine[],
  draft: BulkDraft,
  reasons: { skipped: string; unpaid: string },
): PlaceBulkRequest {
  const { origin, retries = {} } = draft
  const numbers = new Set(paid.map(({ number }) => number))
  const leftOut = all
    .filter(({ number, short }) => !numbers.has(number) && short !== NO_ORDER)
    .map(({ number, text, state, why }) => {
      return { number, text: cut(text), why: cut(state === 'skipped' ? reasons.skipped : state === 'ready' ? reasons.unpaid : why) }
    })
  return {
    total: toCedis(paid.reduce((sum, { item }) => sum + toPesewas(item?.cedis ?? 0), 0)),
    lines: paid.flatMap((line) => toNewLine(line, retries)),
    ...(leftOut.length > 0 && { leftOut }),
    ...(origin?.name && { name: origin.name }),
    ...(origin?.groupId && { groupId: origin.groupId }),
    ...(origin?.scheduleId && { scheduleId: origin.scheduleId }),
  }
}

function toNewLine({ number, text, name, item }: CheckedLine, retries: Record<string, string>): NewBulkLine[] {
  if (!item) return []
  const retryOf = retries[decisionKey(number, text)]
  return [
    {
      number,
      text: cut(text),
      name: name.slice(0, MOST_OF_A_NAME),
      productId: item.productId,
      offer: item.offer,
      phoneNumber: item.receiver,
      amount: item.cedis,
      ...(retryOf && { retryOf }),
    },
  ]
}

function cut(text: string): string {
  return text.slice(0, MOST_CHARACTERS)
}
