import type { Customer } from '../../../../../shared/customers.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import type { UserLevel, UserStatus } from '../../../../../shared/users.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { refreshSoon, replaceInLists } from '../../../../lib/query-client.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../../ui/details.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { changeLevel } from '../../../people/users/api.ts'

/** Asks, changes a customer's level or status, and says what became of it. True when it was changed. */
export async function changeCustomer(customer: Customer, to: { level: UserLevel } | { status: UserStatus }): Promise<boolean> {
  const { _id, username, userLevel } = customer
  const [what, before, after] =
    'level' in to ? (['level', userLevel, to.level] as const) : (['status', customer.status, to.status] as const)
  const yes = await confirmAction({
    question: `Are you sure you want to change ${username}'s ${what} from ${before} to ${after}?`,
    title: `Change ${what}`,
    danger: [before, after].includes('Admin') || after === 'Banned',
    details: <Whose customer={customer} remark={REMARKS[after] ?? null} />,
  })
  if (!yes) return false
  try {
    const changed =
      'level' in to
        ? await withPassword(() => changeLevel(_id, to.level))
        : (await call('PUT /user/:id/status', { params: { id: _id }, body: { status: to.status } })).user
    replaceInLists(['users'], changed)
    toast.success(`User ${what} updated successfully`)
    return true
  } catch (error) {
    toast.danger(messageOf(error))
    return false
  } finally {
    refreshSoon(['users'], ['admin-actions'])
  }
}

const REMARKS: Partial<Record<UserLevel | UserStatus, string>> = {
  Admin: 'An admin can move money and change everything in the shop.',
  Banned: 'A banned user is signed out at once and can’t log in.',
}

function Whose({ customer, remark }: { customer: Customer; remark: string | null }) {
  return (
    <>
      <Details>
        <Detail name="Phone">{spacedPhone(customer.phone)}</Detail>
        <Detail name="Email">{customer.email}</Detail>
      </Details>
      {remark && <p className="mt-3 text-body text-muted">{remark}</p>}
    </>
  )
}
