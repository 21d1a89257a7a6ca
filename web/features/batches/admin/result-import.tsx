import { useMemo } from 'react'
import type { BatchRow } from '../../../../shared/batches.ts'
import { RESULT_WORDS } from '../../../../shared/readers/heading-words.ts'
import { RESULT_ROLES, toResultRows } from '../../../../shared/readers/read-results.ts'
import type { Sheet } from '../../../../shared/readers/sheets.ts'
import { counted } from '../../../lib/admin/words.ts'
import { useTableImport } from '../../../lib/use-table-import.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ImportReview } from '../../../ui/import-review.tsx'
import { matchResults, type Outcome } from './match-results.ts'

type Props = { name: string; sheets: readonly Sheet[]; batch: readonly BatchRow[]; onClose: () => void; onTake: (text: string) => void }

/** What a portal's file says of the orders of a batch, before its lines go into the field. */
export default function ResultImport({ name, sheets, batch, onClose, onTake }: Props) {
  const from = useTableImport('results', RESULT_WORDS, sheets)
  const { table, columns, answers } = from
  const hasHeadings = table.headings.some((heading) => heading !== '')
  const missing = hasHeadings && columns.number === undefined ? (['number'] as const) : []
  const { rows, questions } = useMemo(() => toResultRows(table, columns, answers), [table, columns, answers])
  const text = rows.map((row) => row.text).join('\n')
  const { outcomes, strange } = useMemo(() => matchResults(text, batch), [text, batch])
  const heapOf = (what: Outcome['what']) => {
    const orders = batch.filter(({ order }) => outcomes.get(order._id)?.what === what)
    return { count: orders.length, cedis: orders.reduce((sum, { order }) => sum + Math.round(order.totalAmount * 100), 0) / 100 }
  }
  const unknown = rows.flatMap(({ line, text: row, reason }) => (reason === null ? [] : [{ line, text: row, reason }]))
  const lineOf = (wanted: string) => rows.find((row) => row.text.trim() === wanted)?.line ?? 0
  return (
    <Dialog
      wide
      title="Check the results"
      kicker={name}
      onClose={onClose}
      yes={{
        disabled: rows.length === 0 || missing.length > 0,
        onClick: () => {
          from.remember()
          onTake(text)
        },
        children: `Use ${counted(rows.length, 'row')}`,
      }}
    >
      <ImportReview
        counts={[
          { label: 'Delivered', ...heapOf('delivered'), tone: 'done' },
          { label: 'Failed', ...heapOf('failed') },
        ]}
        doubtful={[
          ...unknown,
          ...strange.map((row) => ({ line: lineOf(row), text: row, reason: 'Not in this batch, or not clear which order is meant.' })),
        ]}
        leftOut={table.leftOut}
        from={from}
        columns={{ roles: RESULT_ROLES, missing }}
        questions={questions}
      />
    </Dialog>
  )
}
