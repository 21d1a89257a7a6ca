import { useState } from 'react'
import { useLocation } from 'wouter'
import type { WholeClose } from '../../../../../shared/day-close.ts'
import { toCedis } from '../../../../../shared/money.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'

/** Signs the same range once more, with what was really counted. The figures of the ledger are as they are. */
export function CorrectDialog({ close, onClose }: { close: WholeClose; onClose: () => void }) {
  const [lines, setLines] = useState(close.counted.map((line) => ({ ...line, text: line.counted.toFixed(2) })))
  const [note, setNote] = useState('')
  const [, navigate] = useLocation()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const save = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const counted = lines.map((line) => ({
        key: line.key,
        counted: cedisOf(line.text) ?? line.counted,
        moved: line.moved,
        note: line.note,
        // What was counted number by number stays so until somebody counts again.
        ...(cedisOf(line.text) === line.counted && {
          parts: line.parts.map(({ key, counted }) => ({ key, counted })),
        }),
      }))
      const { close: made } = await call('POST /admin/day-close', {
        body: { from: close.from, until: close.until, closing: close.closing, counted, note, corrects: close._id },
      })
      toast.success('The correction is signed off.')
      onClose()
      navigate(`/admin/day-close/${made._id}`)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const change = (key: string, part: Partial<(typeof lines)[number]>) =>
    setLines(lines.map((line) => (line.key === key ? { ...line, ...part } : line)))
  return (
    <Dialog
      title="Correct this close"
      onClose={onClose}
      yes={{
        busy,
        busyLabel: 'One moment…',
        disabled: note.trim() === '' || lines.some(({ text }) => cedisOf(text) === null),
        onClick: () => void save(),
        children: 'Sign the correction',
      }}
    >
      <div className="flex flex-col gap-3">
        {problem && <NoticeBox tone="danger">{problem}</NoticeBox>}
        <p>The close stays as it was signed. This adds a further one of the same time, with your name.</p>
        {lines.map((line) => (
          <div key={line.key} className="flex flex-col gap-2">
            <MoneyField label={line.name} allowNegative value={line.text} onValue={(text) => change(line.key, { text })} />
            {line.expected !== null && cedisOf(line.text) !== line.expected && (
              <Field
                label={`${line.name}: why it differs`}
                hideLabel
                placeholder="Why? One sentence."
                value={line.note}
                onChange={(event) => change(line.key, { note: event.currentTarget.value })}
              />
            )}
          </div>
        ))}
        <Field label="What was wrong" maxLength={500} value={note} onChange={(event) => setNote(event.currentTarget.value)} />
      </div>
    </Dialog>
  )
}

function cedisOf(text: string): number | null {
  const pesewas = pesewasIn(text, { negative: true })
  return pesewas === null ? null : toCedis(pesewas)
}
