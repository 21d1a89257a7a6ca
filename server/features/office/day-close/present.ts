import type { DaySheet, SignedClose, WholeClose } from '../../../../shared/day-close.ts'
import { toCedis } from '../../../../shared/money.ts'
import type { CloseRow, StoredCounted } from './day-close.sql.ts'

export function presentClose(row: CloseRow): SignedClose {
  const { id, from, until, openingPesewas, closingPesewas, profit, note, signedBy, signedAt, corrects, correctedBy } = row
  return {
    _id: String(id),
    from: from.toISOString(),
    until: until.toISOString(),
    opening: toCedis(openingPesewas),
    closing: toCedis(closingPesewas),
    profit,
    note,
    signedBy,
    signedAt: signedAt.toISOString(),
    corrects: corrects === null ? null : String(corrects),
    correctedBy: correctedBy === null ? null : String(correctedBy),
  }
}

export function presentWholeClose(row: CloseRow & { sheet: DaySheet; counted: StoredCounted[] }): WholeClose {
  return {
    ...presentClose(row),
    sheet: row.sheet,
    counted: row.counted.map(({ key, name, expectedPesewas, movedPesewas, countedPesewas, note, parts = [] }) => ({
      key,
      name,
      expected: expectedPesewas === null ? null : toCedis(expectedPesewas),
      moved: toCedis(movedPesewas),
      counted: toCedis(countedPesewas),
      note,
      parts: parts.map((part) => ({ key: part.key, name: part.name, counted: toCedis(part.countedPesewas) })),
    })),
  }
}
