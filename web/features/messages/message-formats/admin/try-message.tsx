import { useState } from 'react'
import type { Understood } from '../../../../../shared/message-format-endpoints.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Field, TextareaField } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { UnderstoodMessage } from './understood-message.tsx'

/** Any message, and what the shop would make of it. Nothing is kept. */
export function TryMessage({ onWrite }: { onWrite: ((text: string) => void) | null }) {
  const [text, setText] = useState('')
  const [sender, setSender] = useState('')
  const [reading, setReading] = useState<Understood | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const change = (set: () => void) => {
    set()
    setReading(null)
    setProblem(null)
  }
  const attempt = async () => {
    setBusy(true)
    setProblem(null)
    try {
      setReading((await call('POST /message-format/try', { body: { text, ...(sender.trim() && { sender }) } })).reading)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title="Try a message">
      <form
        className="flex flex-col gap-3 px-4 py-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() && !busy) void attempt()
        }}
      >
        <TextareaField
          label="Message"
          rows={4}
          maxLength={2_000}
          placeholder="Payment received for GHS 36.00 from…"
          value={text}
          onChange={(event) => change(() => setText(event.target.value))}
        />
        <Field
          label="Sender, if you know it"
          hint="Such as MobileMoney. A copy from a person’s number is a fake."
          maxLength={40}
          value={sender}
          onChange={(event) => change(() => setSender(event.target.value))}
        />
        <Button type="submit" variant="secondary" busy={busy} busyLabel="Reading…" disabled={text.trim() === ''} className="self-start">
          What do we understand?
        </Button>
        {problem && <NoticeBox tone="danger">{problem}</NoticeBox>}
        {reading && (
          <div aria-live="polite" className="flex flex-col gap-2 rounded-box bg-sunken px-3 py-2.5">
            <UnderstoodMessage reading={reading} />
            {onWrite && reading.format === null && (
              <Button variant="secondary" className="self-start" onClick={() => onWrite(text)}>
                Write a form from it
              </Button>
            )}
          </div>
        )}
      </form>
    </Card>
  )
}
