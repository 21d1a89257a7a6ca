import type { Batch } from '../../../../../shared/batches.ts'
import { saveAs } from '../../../../lib/download-csv.ts'
import { composeBatchList, composeCsv } from './compose-batch-list.ts'

/** Saves the orders that a batch still holds as the file that its network's portal accepts. The spreadsheet code is loaded when it is needed. */
export async function batchFile(batch: Batch, slug: string): Promise<string> {
  const { format, number, network } = batch
  const held = batch.rows.filter(({ status }) => status === 'locked').map(({ order }) => order)
  const lines = composeBatchList(held, format)
  const name = `${slug}-batch-${number}-${network.toLowerCase().replaceAll(' ', '-')}.${format.file}`
  saveAs(format.file === 'csv' ? new Blob([composeCsv(lines)], { type: 'text/csv;charset=utf-8' }) : await spreadsheet(lines), name)
  return name
}

/** Every cell is text, so that a spreadsheet keeps the zero that a number begins with. */
async function spreadsheet(lines: string[][]): Promise<Blob> {
  const { default: writeXlsxFile } = await import('write-excel-file/universal')
  return writeXlsxFile(lines.map((cells) => cells.map((value) => ({ value, type: String, format: '@' })))).toBlob()
}
