import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Customer } from '../../../../shared/customers.ts'
import { call } from '../../../lib/api.ts'
import { messageOf } from '../../../lib/http.ts'
import { Card } from '../../../ui/admin/card.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { controlClass } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { keepCustomer } from './api.ts'
import { momentWords } from './moment-words.ts'

/** What the team notes about a customer, who never sees it. */
export function NotesCard({ customer }: { customer: Customer }) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const id = customer._id

  const act = async (send: () => Promise<{ customer: Customer }>, done: string): Promise<boolean> => {
    setBusy(true)
    try {
      keepCustomer((await send()).customer)
      toast.success(done)
      return true
    } catch (error) {
      toast.danger(messageOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  const add = async () => {
    const words = text.trim()
    if (words === '') return
    if (await act(() => call('POST /admin/customers/:id/notes', { params: { id }, body: { text: words } }), 'Noted for your team'))
      setText('')
  }
  const remove = async (note: Customer['notes'][number]) => {
    const yes = await confirmAction({
      question: 'Are you sure you want to delete this note?',
      title: 'Delete note',
      danger: true,
      details: <p className="text-body">“{note.text}”</p>,
    })
    if (yes) await act(() => call('DELETE /admin/customers/:id/notes/:note', { params: { id, note: note._id } }), 'Note deleted')
  }

  return (
    <Card title="Notes">
      <div className="flex flex-col gap-3 px-4 py-3">
        {customer.notes.map((note) => (
          <div key={note._id} className="flex items-start gap-2">
            <p className="min-w-0 flex-1 text-body break-words whitespace-pre-line">
              {note.text}
              <span className="block text-small text-muted">
                {note.by}, {momentWords(note.at)}
              </span>
            </p>
            {note.mine && (
              <IconButton label="Delete note" disabled={busy} onClick={() => void remove(note)}>
                <Trash2 className="size-4.5" aria-hidden="true" />
              </IconButton>
            )}
          </div>
        ))}
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            void add()
          }}
        >
          <label className="min-w-0 flex-1">
            <span className="sr-only">Note for your team</span>
            <input
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              placeholder="Add a note for your team"
              maxLength={500}
              className={classNames(controlClass, 'text-body!')}
            />
          </label>
          {text.trim() !== '' && (
            <Button type="submit" variant="secondary" busy={busy} busyLabel="Adding…">
              Add
            </Button>
          )}
        </form>
      </div>
    </Card>
  )
}
