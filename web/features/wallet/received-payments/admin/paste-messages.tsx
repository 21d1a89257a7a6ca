import { lazy, Suspense, useRef, useState } from 'react'
import type { Sheet } from '../../../../../shared/readers/sheets.ts'
import type { ReadReply } from '../../../../../shared/received-payments.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { queryClient, refreshSoon } from '../../../../lib/query-client.ts'
import { readSheetFile } from '../../../../lib/read-sheet-file.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { controlClass, FieldFrame } from '../../../../ui/field.tsx'
import { FileButton } from '../../../../ui/file-button.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { matchesQuery } from './api.ts'
import { isStatement } from './is-statement.ts'
import { readBackup } from './read-backup.ts'

const StatementDialog = lazy(() => import('./statement-dialog.tsx'))

/** Reads messages as soon as they are pasted, or the rows of a statement once its columns are confirmed. */
export function PasteMessages({ reading, onRead }: { reading: ReadReply | null; onRead: (reading: ReadReply) => void }) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [statement, setStatement] = useState<{ name: string; sheets: readonly Sheet[] } | null>(null)
  const pasted = useRef(false)

  const read = async (all: string) => {
    if (all.trim() === '' || busy) return
    setBusy(true)
    setProblem(null)
    try {
      const reply = await call('POST /received-payment/messages', { body: { text: all } })
      setText('')
      // The lists and what is said about them change together.
      await queryClient.invalidateQueries({ queryKey: matchesQuery.queryKey })
      onRead(reply)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
      refreshSoon(['admin-actions'])
    }
  }
  const open = async (chosen: File) => {
    setProblem(null)
    try {
      const sheets = await readSheetFile(chosen)
      const text = await chosen.text()
      if (isStatement(text, sheets)) {
        setStatement({ name: chosen.name, sheets })
        return
      }
      const messages = readBackup(text)
      if (messages.trim() === '') setProblem('There are neither payment messages nor rows of a statement in this file.')
      else await read(messages)
    } catch (error) {
      setProblem(messageOf(error))
    }
  }

  return (
    <Card label="Paste payment messages" className="px-4 py-3">
      <FieldFrame label="Paste payment messages">
        {(control) => (
          <textarea
            {...control}
            value={text}
            disabled={busy}
            placeholder="One SMS or fifty, as they came"
            onPaste={() => {
              pasted.current = true
            }}
            onChange={(event) => {
              const all = event.currentTarget.value
              setText(all)
              if (pasted.current) void read(all)
              pasted.current = false
            }}
            className={`${controlClass} h-12 resize-none lg:h-32 text-body! max-lg:text-large!`}
          />
        )}
      </FieldFrame>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <p role="status" className="min-w-36 flex-1 basis-[9rem] text-small text-muted lg:flex-none lg:basis-full">
          {busy ? 'Reading…' : reading ? summaryOf(reading) : 'Nothing is credited before you approve it.'}
        </p>
        {text.trim() !== '' && (
          <Button variant="secondary" size="compact" busy={busy} className="lg:flex-1" onClick={() => void read(text)}>
            Read messages
          </Button>
        )}
        <FileButton
          size="compact"
          label="Statement"
          accept=".csv,.tsv,.xlsx,.xlsm,.xls,.xml,.json,.txt"
          className="lg:flex-1 lg:whitespace-nowrap"
          onFile={open}
        >
          Upload a statement
        </FileButton>
      </div>
      {problem && (
        <NoticeBox tone="danger" className="mt-2">
          {problem}
        </NoticeBox>
      )}
      {statement && (
        <Suspense fallback={null}>
          <StatementDialog
            {...statement}
            onClose={() => setStatement(null)}
            onRead={(reply) => {
              setStatement(null)
              onRead(reply)
              toast.success('Statement read')
              refreshSoon(['recharges'], ['stats'], ['admin-actions'])
            }}
          />
        </Suspense>
      )}
    </Card>
  )
}

function summaryOf({ read, certain, doubtful, unmatched, notCounted }: ReadReply): string {
  return `Read ${read}: ${certain} certain, ${doubtful} doubtful, ${unmatched} unmatched, ${notCounted.length} not counted.`
}
