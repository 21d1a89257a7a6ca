import { useState } from 'react'
import { spacedPhone } from '../../../../../shared/phones.ts'
import type { StaffMember } from '../../../../../shared/staff.ts'
import type { StaffRole } from '../../../../../shared/staff-rules.ts'
import { messageOf } from '../../../../lib/http.ts'
import { session } from '../../../../lib/session.ts'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { toast } from '../../../../ui/toast.ts'
import { changeRoles, resetCode } from './api.ts'
import { RoleChoice } from './role-choice.tsx'

/** One person's roles; letting them go; a new start for a lost phone. */
export function PersonDialog({ person, onClose }: { person: StaffMember; onClose: () => void }) {
  const [roles, setRoles] = useState<StaffRole[]>(person.roles)
  const [busy, setBusy] = useState(false)
  const isSelf = session.use()?._id === person._id
  const isSame = roles.toSorted().join() === person.roles.toSorted().join()

  const attempt = async (act: () => Promise<void>, done: string) => {
    setBusy(true)
    try {
      await act()
      toast.success(done)
      onClose()
    } catch (error) {
      toast.danger(messageOf(error))
      setBusy(false)
    }
  }
  const remove = async () => {
    const question = `Are you sure you want to remove ${person.username} from the staff?`
    if (!(await confirmAction({ question, title: 'Remove', danger: true }))) return
    await attempt(() => changeRoles(person._id, []), `${person.username} no longer works here.`)
  }
  const reset = async () => {
    const question = `Switch off ${person.username}’s code? They are signed out and set up a new one.`
    if (!(await confirmAction({ question, title: 'Lost phone', danger: true }))) return
    await attempt(() => resetCode(person._id), `${person.username} can sign in without a code now.`)
  }

  return (
    <Dialog
      title={person.username}
      onClose={onClose}
      yes={{
        busy,
        disabled: isSame || roles.length === 0,
        onClick: () => void attempt(() => changeRoles(person._id, roles), `${person.username}’s roles were saved.`),
        children: 'Save roles',
      }}
    >
      <p className="tabular pb-3 text-muted">{spacedPhone(person.phone)}</p>
      <RoleChoice roles={roles} onRoles={setRoles} />
      <div className="mt-4 flex flex-wrap gap-3">
        {person.hasCode && !isSelf && (
          <Button variant="secondary" disabled={busy} onClick={() => void reset()}>
            Lost phone
          </Button>
        )}
        <Button variant="danger" disabled={busy} onClick={() => void remove()}>
          Remove from staff
        </Button>
      </div>
    </Dialog>
  )
}
