import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Customer } from '../../../../../shared/customers.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { controlClass } from '../../../../ui/field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { keepCustomer } from './api.ts'
import { momentWords } from './moment-words.ts'

/** What the team notes about a customer, who never sees it. */
export function NotesCard({ customer }: { customer: Customer }) {
  const [removing, setRemoving] = useState(false)
  const id = customer._id
  const form = useForm({
    initial: { text: '' },
    draft: { form: `note ${id}`, fields: ['text'] },
    parse: ({ text }) => (text.trim() === '' ? { errors: {} } : { output: { text: text.trim() } }),
    submit: async (body) => {
      keepCustomer((await call('POST /admin/customers/:id/notes', { params: { id }, body })).customer)
      toast.success('Noted for your team')
      form.reset()
    },
    onRefused: (message) => toast.danger(message),
  })

  const remove = async (note: Customer['notes'][number]) => {
    const yes = await confirmAction({
      question: 'Are you sure you want to delete this note?',
      title: 'Delete note',
      danger: true,
      details: <p className="text-body">“{note.text}”</p>,
    })
    if (!yes) return
    setRemoving(true)
    try {
      keepCustomer((await call('DELETE /admin/customers/:id/notes/:note', { params: { id, note: note._id } })).customer)
      toast.success('Note deleted')
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setRemoving(false)
    }
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
              <IconButton label="Delete note" disabled={removing} onClick={() => void remove(note)}>
                <Trash2 className="size-4.5" aria-hidden="true" />
              </IconButton>
            )}
          </div>
        ))}
        <form {...form.props} className="flex gap-2">
          <label className="min-w-0 flex-1">
            <span className="sr-only">Note for your team</span>
            <input
              name="text"
              value={form.values.text}
              onChange={(event) => form.setValue('text', event.currentTarget.value)}
              placeholder="Add a note for your team"
              maxLength={500}
              className={classNames(controlClass, 'text-body! max-lg:text-large!')}
            />
          </label>
          {form.values.text.trim() !== '' && (
            <Button type="submit" variant="secondary" busy={form.busy} busyLabel="Adding…">
              Add
            </Button>
          )}
        </form>
      </div>
    </Card>
  )
}
