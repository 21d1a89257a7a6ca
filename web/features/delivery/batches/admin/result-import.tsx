import { useMemo } from 'react'
import type { BatchRow } from '../../../../../shared/batches.ts'
import { RESULT_WORDS } from '../../../../../shared/readers/heading-words.ts'
import { isDoubtful } from '../../../../../shared/readers/read-column.ts'
import { toResultRows } from '../../../../../shared/readers/read-results.ts'
import type { Sheet } from '../../../../../shared/readers/sheets.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { useTableImport } from '../../../../lib/use-table-import.ts'
import { ImportDialog } from '../../../../ui/import-dialog.tsx'
import { matchResults, type Outcome } from './match-results.ts'

type Props = { name: string; sheets: readonly Sheet[]; batch: readonly BatchRow[]; onClose: () => void; onTake: (text: string) => void }

const RESULTS = { name: 'results', words: RESULT_WORDS, read: toResultRows }

/** What a portal's file says of the orders of a batch, before its lines go into the field. */
export default function ResultImport({ name, sheets, batch, onClose, onTake }: Props) {
  const from = useTableImport(RESULTS, sheets)
  const { rows } = from.read
  const text = rows.map((row) => row.text).join('\n')
  const { outcomes, strange } = useMemo(() => matchResults(text, batch), [text, batch])
  const heapOf = (what: Outcome['what']) => {
    const orders = batch.filter(({ order }) => outcomes.get(order._id)?.what === what)
    return { count: orders.length, cedis: orders.reduce((sum, { order }) => sum + Math.round(order.totalAmount * 100), 0) / 100 }
  }
  const lineOf = (wanted: string) => rows.find((row) => row.text.trim() === wanted)?.line ?? 0
  const notHere = 'Not in this batch, or not clear which order is meant.'
  return (
    <ImportDialog
      title="Check the results"
      file={name}
      from={from}
      counts={[
        { label: 'Delivered', ...heapOf('delivered'), tone: 'done' },
        { label: 'Failed', ...heapOf('failed') },
      ]}
      doubtful={[...rows.filter(isDoubtful), ...strange.map((row) => ({ line: lineOf(row), text: row, reason: notHere }))]}
      take={`Use ${counted(rows.length, 'row')}`}
      isEmpty={rows.length === 0}
      onTake={() => onTake(`${text}\n`)}
      onClose={onClose}
    />
  )
}
