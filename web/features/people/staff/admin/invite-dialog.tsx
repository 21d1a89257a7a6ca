import { useState } from 'react'
import { whatsAppLink, whatsAppShareLink } from '../../../../../shared/links.ts'
import type { StaffMember } from '../../../../../shared/staff.ts'
import type { StaffRole } from '../../../../../shared/staff-rules.ts'
import type { User } from '../../../../../shared/users.ts'
import { messageOf } from '../../../../lib/http.ts'
import { buttonClass } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useShop } from '../../../shop/shop/api.ts'
import { UserCombobox } from '../../users/admin/user-combobox.tsx'
import { changeRoles } from './api.ts'
import { RoleChoice } from './role-choice.tsx'
import { roleNames } from './role-words.ts'

/** Makes a registered user a member of the staff, and writes the message that tells them so. */
export function InviteDialog({ people, onClose }: { people: readonly StaffMember[]; onClose: () => void }) {
  const shop = useShop()
  const [text, setText] = useState('')
  const [user, setUser] = useState<User | null>(null)
  const [roles, setRoles] = useState<StaffRole[]>([])
  const [busy, setBusy] = useState(false)
  const [invited, setInvited] = useState<User | null>(null)
  const origin = window.location.origin
  const isStaff = user !== null && people.some(({ _id }) => _id === user._id)

  const invite = async (chosen: User) => {
    setBusy(true)
    try {
      await changeRoles(chosen._id, roles)
      setInvited(chosen)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  if (invited) {
    const message = `Hello ${invited.username}, you now work at ${shop.name} (${roleNames({ roles })}). Log in with your phone number and password: ${origin}/login`
    return (
      <Dialog title={`${invited.username} works here now`} onClose={onClose}>
        <p className="pb-3">They sign in again to see the Admin Portal. Tell them:</p>
        <p className="rounded-box bg-sunken p-3 break-words">{message}</p>
        <a href={whatsAppLink(invited.phone, message)} target="_blank" rel="noreferrer" className={`${buttonClass()} mt-4`}>
          Send by WhatsApp
        </a>
      </Dialog>
    )
  }

  const register = `Please open an account at ${shop.name}: ${origin}/register. Then tell me, and I’ll let you in as staff.`
  return (
    <Dialog
      title="Invite someone"
      onClose={onClose}
      yes={{
        busy,
        disabled: !user || isStaff || roles.length === 0,
        onClick: () => user && void invite(user),
        children: user ? `Let ${user.username} in` : 'Let them in',
      }}
    >
      <div className="flex flex-col gap-4">
        <UserCombobox label="Who?" text={text} onText={setText} user={user} onUser={setUser} />
        {isStaff && <NoticeBox tone="pending">{user.username} works here already.</NoticeBox>}
        <p className="text-small text-muted">
          They need an account first.{' '}
          <a
            href={whatsAppShareLink(register)}
            target="_blank"
            rel="noreferrer"
            className="font-semibold text-brand-text underline underline-offset-4"
          >
            Send them the link by WhatsApp
          </a>
        </p>
        <RoleChoice roles={roles} onRoles={setRoles} />
      </div>
    </Dialog>
  )
}
