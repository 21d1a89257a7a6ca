import { Download } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../lib/http.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { useShop } from '../../shop/api.ts'
import { type CsvFile, downloadCsv } from './download-csv.ts'

/** Saves what the screen's list shows, on all its pages, as a file for a spreadsheet. The list keeps its filters in the address. */
export function CsvButton({ file }: { file: CsvFile }) {
  const { slug } = useShop()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      toast.success(`Saved ${await downloadCsv(file, window.location.search, slug)}`)
    } catch (error) {
      toast.danger(`The CSV could not be saved: ${messageOf(error)}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="secondary"
      busy={busy}
      busyLabel="Exporting…"
      icon={<Download className="size-4.5" aria-hidden="true" />}
      onClick={() => void save()}
    >
      <span className="max-sm:sr-only">Export </span>CSV
    </Button>
  )
}
