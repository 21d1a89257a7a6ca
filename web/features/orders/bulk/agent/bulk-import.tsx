import { useMemo } from 'react'
import { LIST_WORDS } from '../../../../../shared/readers/heading-words.ts'
import { isDoubtful } from '../../../../../shared/readers/read-column.ts'
import { toListRows } from '../../../../../shared/readers/read-list.ts'
import type { Sheet } from '../../../../../shared/readers/sheets.ts'
import { sumLines } from '../../../../../shared/sum-bulk-lines.ts'
import { useTableImport } from '../../../../lib/use-table-import.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { ImportDialog } from '../../../../ui/import-dialog.tsx'
import { useCheckLines } from './bulk-draft.ts'

const PREVIEWED = 3
const LIST = { name: 'list', words: LIST_WORDS, read: toListRows }

type Props = { name: string; sheets: readonly Sheet[]; onClose: () => void; onTake: (text: string) => void }

/** What a list's file says, before its lines go into the list. */
export default function BulkImport({ name, sheets, onClose, onTake }: Props) {
  const from = useTableImport(LIST, sheets)
  const { rows } = from.read
  const check = useCheckLines()
  const text = rows.map((row) => row.text).join('\n')
  const { ready, doubtful, wrong, cedis } = useMemo(() => sumLines(check?.(text) ?? []), [check, text])
  const asked = [...doubtful, ...wrong].toSorted((one, other) => one.number - other.number)
  return (
    <ImportDialog
      title={bulkTexts.checkFile}
      file={name}
      from={from}
      counts={[{ label: bulkTexts.readyLines, count: ready.length, cedis, tone: 'done' }]}
      doubtful={[
        ...rows.filter(isDoubtful),
        ...asked.map((line) => ({ line: rows[line.number - 1]?.line ?? line.number, text: line.text, reason: line.why })),
      ]}
      take={bulkTexts.addLines(rows.length)}
      isEmpty={rows.length === 0}
      onTake={() => onTake(text)}
      onClose={onClose}
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
    </ImportDialog>
  )
}
