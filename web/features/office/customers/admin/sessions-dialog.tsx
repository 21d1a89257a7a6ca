import { useState } from 'react'
import type { Customer } from '../../../../../shared/customers.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { session } from '../../../../lib/session.ts'
import { useNow } from '../../../../lib/use-now.ts'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { toast } from '../../../../ui/toast.ts'
import { keepCustomer } from './api.ts'
import { agoWords, momentWords } from './moment-words.ts'

/** Where a customer is signed in; a lost phone is signed out from here. */
export function SessionsDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const [busy, setBusy] = useState<string | null>(null)
  const now = useNow().getTime()
  const { _id: id, username, sessions } = customer
  const isSelf = session.use()?._id === id

  const end = async (one: string | null, device: string) => {
    const yes = await confirmAction({
      question: one === null ? `Are you sure you want to sign ${username} out everywhere?` : `Are you sure you want to sign out ${device}?`,
      title: one === null ? 'End all sessions' : 'End session',
      danger: true,
      details: <p className="text-body text-muted">They can sign in again with their password.</p>,
    })
    if (!yes) return
    setBusy(one ?? 'all')
    try {
      const body = one === null ? {} : { session: one }
      keepCustomer((await call('POST /admin/customers/:id/sessions/end', { params: { id }, body })).customer)
      toast.success(one === null ? `${username} is signed out everywhere` : `${device} is signed out`)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(null)
    }
  }

  return (
    <Dialog
      title={`Sessions of ${username}`}
      onClose={onClose}
      no="Close"
      yes={
        sessions.length > 0 && !isSelf
          ? { variant: 'danger', busy: busy === 'all', onClick: () => void end(null, ''), children: 'End all sessions' }
          : undefined
      }
    >
      {sessions.length === 0 && <p className="py-6 text-center text-muted">{username} is signed in nowhere.</p>}
      <ul className="divide-y divide-line">
        {sessions.map(({ _id, device, startedAt, lastUsedAt }) => (
          <li key={_id} className="flex items-center gap-3 py-2.5">
            <span className="min-w-0 flex-1">
              <span className="block font-semibold">{device ?? 'Unknown device'}</span>
              <span className="block text-small text-muted">
                Last seen {agoWords(lastUsedAt, now)} · since {momentWords(startedAt)}
              </span>
            </span>
            {!isSelf && (
              <Button variant="secondary" busy={busy === _id} onClick={() => void end(_id, device ?? 'this device')}>
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {isSelf && <p className="pt-2 text-small text-muted">These are your own. Log out to end the one you use now.</p>}
    </Dialog>
  )
}
