import { useState } from 'react'
import type { OwnAccount } from '../../../../shared/account.ts'
import { formatDateTime } from '../../../../shared/dates.ts'
import { messageOf } from '../../../lib/http.ts'
import { accountTexts } from '../../../texts/account.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { Card } from '../../../ui/page.tsx'
import { toast } from '../../../ui/toast.ts'
import { refreshAccount } from './api.ts'

type Props = {
  sessions: OwnAccount['sessions']
  /** Ends one session, or with null all but this one. */
  onEnd: (session: string | null) => Promise<{ message: string }>
}

/** Where one is signed in. */
export function SessionList({ sessions, onEnd }: Props) {
  const [busy, setBusy] = useState(false)
  const end = async (session: string | null, question: string) => {
    if (!(await confirmAction({ question, danger: true }))) return
    setBusy(true)
    try {
      toast.success((await onEnd(session)).message)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
      refreshAccount()
    }
  }
  return (
    <Card className="p-5">
      <h2 className="text-title">{accountTexts.sessions}</h2>
      <ul className="mt-2 divide-y divide-line">
        {sessions.map(({ _id, device, lastUsedAt, current }) => {
          const name = device ?? accountTexts.unknownDevice
          return (
            <li key={_id} className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
              <span className="min-w-0">
                <span className="block font-semibold break-words">{name}</span>
                <span className="block text-small text-muted">
                  {current ? accountTexts.thisDevice : accountTexts.lastUsed(formatDateTime(new Date(lastUsedAt)))}
                </span>
              </span>
              {!current && (
                <Button variant="secondary" disabled={busy} onClick={() => void end(_id, accountTexts.askSignOut(name))}>
                  {accountTexts.signOut}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {sessions.length > 1 && (
        <Button variant="secondary" disabled={busy} onClick={() => void end(null, accountTexts.askSignOutOthers)} className="mt-3">
          {accountTexts.signOutOthers}
        </Button>
      )}
    </Card>
  )
}
