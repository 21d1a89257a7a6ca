import { useMemo } from 'react'
import { LIST_WORDS } from '../../../../shared/readers/heading-words.ts'
import { LIST_ROLES, missingInList, toListRows } from '../../../../shared/readers/read-list.ts'
import type { Sheet } from '../../../../shared/readers/sheets.ts'
import { sumLines } from '../../../../shared/sum-bulk-lines.ts'
import { useTableImport } from '../../../lib/use-table-import.ts'
import { bulkTexts } from '../../../texts/bulk.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ImportReview } from '../../../ui/import-review.tsx'
import { useCheckLines } from './bulk-draft.ts'

const PREVIEWED = 3

type Props = { name: string; sheets: readonly Sheet[]; onClose: () => void; onTake: (text: string) => void }

/** What a list's file says, before its lines go into the list. */
export default function BulkImport({ name, sheets, onClose, onTake }: Props) {
  const from = useTableImport('list', LIST_WORDS, sheets)
  const { table, columns, answers } = from
  const check = useCheckLines()
  const missing = missingInList(table, columns)
  const { rows, questions } = useMemo(() => toListRows(table, columns, answers), [table, columns, answers])
  const text = rows.map((row) => row.text).join('\n')
  const { ready, doubtful, wrong, cedis } = useMemo(() => sumLines(check?.(text) ?? []), [check, text])
  const longer = rows.flatMap((row) => (row.isLonger ? [{ line: row.line, text: row.text, reason: bulkTexts.moreCells }] : []))
  const asked = [...doubtful, ...wrong].toSorted((one, other) => one.number - other.number)
  return (
    <Dialog
      wide
      title={bulkTexts.checkFile}
      kicker={name}
      onClose={onClose}
      yes={{
        disabled: rows.length === 0 || missing.length > 0,
        onClick: () => {
          from.remember()
          onTake(text)
        },
        children: bulkTexts.addLines(rows.length),
      }}
    >
      <ImportReview
        counts={[{ label: bulkTexts.readyLines, count: ready.length, cedis, tone: 'done' }]}
        doubtful={[
          ...longer,
          ...asked.map((line) => ({ line: rows[line.number - 1]?.line ?? line.number, text: line.text, reason: line.why })),
        ]}
        leftOut={table.leftOut}
        from={from}
        columns={{ roles: LIST_ROLES, missing }}
        questions={questions}
      >
        {rows.length > 0 && (
          <section aria-label={bulkTexts.firstLines}>
            <h3 className="font-semibold">{bulkTexts.firstLines}</h3>
            <ul className="tabular text-body">
              {rows.slice(0, PREVIEWED).map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: of two tables side by side a line comes twice.
                <li key={`${row.line} ${at}`} className="break-words">
                  {row.text}
                </li>
              ))}
            </ul>
          </section>
        )}
      </ImportReview>
    </Dialog>
  )
}
