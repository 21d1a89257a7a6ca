import { useState } from 'react'
import { BATCH_COLUMNS, BATCH_FILES, type BatchColumn, NUMBER_FORMATS, type NumberFormat } from '../../../../../shared/batch-rules.ts'
import type { Batch, BatchFormat } from '../../../../../shared/batches.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { SelectField } from '../../../../ui/field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { changeFormat } from './api.ts'
import { composeBatchList, numberAs } from './compose-batch-list.ts'

export const COLUMN_WORDS: Record<BatchColumn, string> = { number: 'Number', gb: 'GB', mb: 'MB', offer: 'Offer', reference: 'Reference' }
const EXAMPLE = '0241234567'

/** The file that a network's portal accepts, remembered for its next batches. */
export function FormatDialog({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const [format, setFormat] = useState(batch.format)
  const [busy, setBusy] = useState(false)
  const set = (change: Partial<BatchFormat>) => setFormat({ ...format, ...change })
  const setColumn = (place: number, column: string) => {
    const columns = format.columns.filter((_, at) => at !== place)
    if (column !== '') columns.splice(place, 0, column as BatchColumn)
    set({ columns: columns.filter((one, at) => columns.indexOf(one) === at) })
  }
  const save = async () => {
    setBusy(true)
    try {
      await changeFormat(batch.number, format)
      toast.success(`${batch.network} files look like this from now on`)
      onClose()
    } catch (error) {
      toast.danger(messageOf(error))
      setBusy(false)
    }
  }
  const sample = composeBatchList(
    batch.rows.slice(0, 3).map(({ order }) => order),
    format,
  )
  const places = [...format.columns, ...(format.columns.length < BATCH_COLUMNS.length ? [''] : [])]
  return (
    <Dialog
      title={`File for the ${batch.network} portal`}
      onClose={onClose}
      yes={{ busy, disabled: format.columns.length === 0, onClick: () => void save(), children: 'Save' }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="File" value={format.file} onChange={(event) => set({ file: event.currentTarget.value as BatchFormat['file'] })}>
          {BATCH_FILES.map((file) => (
            <option key={file} value={file}>
              {file.toUpperCase()}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Numbers"
          value={format.numberFormat}
          onChange={(event) => set({ numberFormat: event.currentTarget.value as NumberFormat })}
        >
          {NUMBER_FORMATS.map((one) => (
            <option key={one} value={one}>
              {numberAs(EXAMPLE, one)}
            </option>
          ))}
        </SelectField>
        {places.map((column, place) => (
          <SelectField
            key={column || 'new'}
            label={`Column ${place + 1}`}
            value={column}
            onChange={(event) => setColumn(place, event.currentTarget.value)}
          >
            <option value="">None</option>
            {BATCH_COLUMNS.map((one) => (
              <option key={one} value={one}>
                {COLUMN_WORDS[one]}
              </option>
            ))}
          </SelectField>
        ))}
        <label className="flex min-h-11 items-center gap-3 sm:col-span-2">
          <input
            type="checkbox"
            checked={format.withHeader}
            onChange={(event) => set({ withHeader: event.currentTarget.checked })}
            className="size-5 accent-brand"
          />
          The first line names the columns
        </label>
      </div>
      <pre className="mt-4 overflow-x-auto rounded-box border border-line bg-sunken px-3 py-2 text-small">
        {sample.map((cells) => cells.join(',')).join('\n')}
      </pre>
    </Dialog>
  )
}
