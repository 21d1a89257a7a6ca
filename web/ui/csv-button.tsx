import { Download } from 'lucide-react'
import { useState } from 'react'
import { type CsvFile, downloadCsv } from '../lib/download-csv.ts'
import { messageOf } from '../lib/http.ts'
import { exportTexts } from '../texts/export.ts'
import { Button } from './button.tsx'
import { toast } from './toast.ts'

/**
 * Saves what a list shows, on all its pages, as a file for a spreadsheet. Without `filters` they are those in the address,
 * where admins' lists keep them. `of` says what, where the header has a file of its own.
 */
export function CsvButton({ file, filters, of }: { file: CsvFile; filters?: Record<string, string>; of?: string }) {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      toast.success(exportTexts.saved(await downloadCsv(file, filters ?? filtersInAddress())))
    } catch (error) {
      toast.danger(exportTexts.failed(messageOf(error)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="secondary"
      busy={busy}
      busyLabel={exportTexts.exporting}
      icon={<Download className="size-4.5" aria-hidden="true" />}
      onClick={() => void save()}
    >
      <span className="max-sm:sr-only">{exportTexts.export} </span>
      {of && `${of} `}
      {exportTexts.csv}
    </Button>
  )
}

function filtersInAddress(): Record<string, string> {
  const { page: _page, pageSize: _pageSize, ...filters } = Object.fromEntries(new URLSearchParams(window.location.search))
  return filters
}
