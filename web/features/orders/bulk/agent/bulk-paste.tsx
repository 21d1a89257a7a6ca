import { ChevronRight } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { MAX_BULK_LINES } from '../../../../../shared/bulk-rules.ts'
import type { Sheet } from '../../../../../shared/readers/sheets.ts'
import { sumLines } from '../../../../../shared/sum-bulk-lines.ts'
import { messageOf } from '../../../../lib/http.ts'
import { readSheetFile } from '../../../../lib/read-sheet-file.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { ThumbBar } from '../../../../ui/agent/thumb-bar.tsx'
import { Button } from '../../../../ui/button.tsx'
import { FileButton } from '../../../../ui/file-button.tsx'
import { Money } from '../../../../ui/money.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { Page } from '../../../../ui/page.tsx'
import { toast } from '../../../../ui/toast.ts'
import { bulkDraft, setBulkText, useBulkLines } from './bulk-draft.ts'
import { BulkHead } from './bulk-head.tsx'
import { addToList, pasteList } from './paste-list.ts'
import { PastePad } from './paste-pad.tsx'
import { SavedGroups } from './saved-groups.tsx'
import { ScheduleQuestions } from './schedule-questions.tsx'
import { toReadings } from './to-readings.ts'

const BulkImport = lazy(() => import('./bulk-import.tsx'))

/** Numbers and sizes, typed, pasted or from a file, with what was read at each line. */
export function BulkPaste() {
  const { text } = bulkDraft.use()
  const { lines, isKnown } = useBulkLines()
  const [, navigate] = useLocation()
  const [isReading, setIsReading] = useState(false)
  const [file, setFile] = useState<{ name: string; sheets: readonly Sheet[] } | null>(null)
  const readings = useMemo(() => toReadings(text, lines, isKnown), [text, lines, isKnown])
  const { ready, doubtful, wrong, cedis } = sumLines(lines)
  const count = ready.length + doubtful.length + wrong.length
  const isTooLong = lines.length > MAX_BULK_LINES

  const read = async (chosen: File) => {
    setIsReading(true)
    try {
      const sheets = await readSheetFile(chosen)
      const hasNumber = sheets.some(({ rows }) => rows.some(({ cells }) => cells.some((cell) => /\d{6}/.test(cell.replace(/\D/g, '')))))
      if (hasNumber) setFile({ name: chosen.name, sheets })
      else toast.danger(bulkTexts.noNumbers)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setIsReading(false)
    }
  }

  return (
    <Page>
      <BulkHead title={bulkTexts.title}>
        <Link href="/agent/bulk/past" className="inline-flex min-h-11 items-center gap-1 font-semibold text-brand-text">
          {bulkTexts.pastOrders}
          <ChevronRight className="size-4.5" aria-hidden="true" />
        </Link>
      </BulkHead>
      <ScheduleQuestions />
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_22.5rem] lg:items-start lg:gap-8">
        <div>
          <PastePad value={text} onValue={setBulkText} readings={readings} onPaste={() => void pasteList()} disabled={isReading} />
          <FileButton
            block
            label={bulkTexts.upload}
            accept=".csv,.txt,.tsv,.xlsx,.xlsm,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            className="mt-2"
            busy={isReading}
            busyLabel={bulkTexts.reading}
            onFile={read}
          >
            {bulkTexts.upload}
          </FileButton>
          <p className="mt-2 text-small text-muted">{bulkTexts.anyOrder(MAX_BULK_LINES)}</p>
        </div>
        <div className="contents lg:sticky lg:top-20 lg:flex lg:flex-col">
          {isTooLong && (
            <NoticeBox tone="pending" className="mt-3 lg:mt-0">
              {bulkTexts.tooMany(MAX_BULK_LINES)}
            </NoticeBox>
          )}
          <SavedGroups />
          <ThumbBar
            className="lg:order-first"
            note={
              count > 0 ? (
                <span>
                  <b className="text-ink">{bulkTexts.lines(count)}</b> · <span className="text-done">{bulkTexts.ready(ready.length)}</span>
                  {doubtful.length > 0 && <span className="text-pending"> · {bulkTexts.toDecide(doubtful.length)}</span>}
                  {wrong.length > 0 && <span className="text-danger"> · {bulkTexts.wrong(wrong.length)}</span>}
                </span>
              ) : (
                <span>{bulkTexts.nothingYet}</span>
              )
            }
          >
            <Button
              block
              size="large"
              disabled={count === 0 || isTooLong || isReading}
              stub={<Money cedis={cedis} />}
              onClick={() => navigate('/agent/bulk/check')}
            >
              {bulkTexts.check(count)}
            </Button>
          </ThumbBar>
        </div>
      </div>
      {file && (
        <Suspense fallback={null}>
          <BulkImport
            {...file}
            onClose={() => setFile(null)}
            onTake={(lines) => {
              setFile(null)
              addToList(lines)
            }}
          />
        </Suspense>
      )}
    </Page>
  )
}
