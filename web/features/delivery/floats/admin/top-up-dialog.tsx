import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Float, floatSettingsRequest } from '../../../../../shared/floats.ts'
import { call } from '../../../../lib/api.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextareaField } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { useFloatRights } from './api.ts'
import { floatName } from './float-words.ts'

const FORM = 'how-to-top-up'

/** How a float is topped up, in the owner's own words, for whoever is in the shop. */
export function TopUpDialog({ float, onClose }: { float: Float; onClose: () => void }) {
  const [editing, setEditing] = useState(float.howToTopUp === '')
  return editing ? <Editor float={float} onClose={onClose} /> : <Reader float={float} onClose={onClose} onEdit={() => setEditing(true)} />
}

function Reader({ float, onClose, onEdit }: { float: Float; onClose: () => void; onEdit: () => void }) {
  const { mayEnter } = useFloatRights()
  return (
    <Dialog
      title={`Top up ${floatName(float)}`}
      onClose={onClose}
      yes={mayEnter ? { onClick: onEdit, children: 'Change this text' } : undefined}
      no="Close"
      done="Close"
    >
      <p className="text-large whitespace-pre-line">{float.howToTopUp}</p>
    </Dialog>
  )
}

function Editor({ float, onClose }: { float: Float; onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm({
    initial: { text: float.howToTopUp },
    schema: floatSettingsRequest,
    read: ({ text }) => ({ howToTopUp: { key: float.key, text } }),
    fieldAt: () => 'text',
    submit: async (body) => {
      await call('PUT /admin/suppliers/settings', { body })
      await client.invalidateQueries({ queryKey: ['suppliers'] })
      onClose()
    },
  })
  return (
    <Dialog
      title={`Top up ${floatName(float)}`}
      onClose={onClose}
      yes={{ type: 'submit', form: FORM, busy: form.busy, busyLabel: 'One moment…', children: 'Save' }}
    >
      <form id={FORM} {...form.props} className="flex flex-col gap-3">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        <TextareaField
          label="How to top up"
          hint="The account, the network and the name to pay to, so that anyone in the shop can do it."
          rows={5}
          maxLength={600}
          {...form.field('text')}
        />
      </form>
    </Dialog>
  )
}
