import { Download } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../lib/http.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { useShop } from '../shop/shop.ts'
import { type CsvFile, downloadCsv } from './download-csv.ts'

const NO_FILTERS = {}

/** Saves what a list shows, on all its pages, as a file for a spreadsheet. */
export function CsvButton({ file, query = NO_FILTERS }: { file: CsvFile; query?: Record<string, string | number> }) {
  const { slug } = useShop()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      toast.success(`Saved ${await downloadCsv(file, query, slug)}`)
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
      Export CSV
    </Button>
  )
}
