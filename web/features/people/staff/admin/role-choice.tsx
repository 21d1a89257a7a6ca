import { STAFF_ROLES, type StaffRole } from '../../../../../shared/staff-rules.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { ROLE_NAMES } from './role-words.ts'

const WHAT: Record<StaffRole, string> = {
  orders: 'Decides orders, makes batches, answers reports. Sees no wallets and no profit.',
  finance: 'Approves top-ups, credits and debits wallets, closes the day.',
  products: 'Sets prices and costs.',
  support: 'Answers customers: reports, wallets and statements to read, bans.',
  owner: 'Everything, staff and payment numbers too.',
}

/** Chooses one or more roles; an owner needs no other. */
export function RoleChoice({ roles, onRoles }: { roles: readonly StaffRole[]; onRoles: (roles: StaffRole[]) => void }) {
  const toggle = (role: StaffRole) => onRoles(STAFF_ROLES.filter((one) => (one === role) !== roles.includes(one)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-semibold">What may they do?</legend>
      {STAFF_ROLES.map((role) => (
        <label
          key={role}
          className={classNames(
            'flex min-h-14 cursor-pointer items-center gap-3 rounded-box border px-4 py-2',
            roles.includes(role) ? 'border-brand-text bg-brand-soft' : 'border-line-strong',
          )}
        >
          <input type="checkbox" checked={roles.includes(role)} onChange={() => toggle(role)} className="size-5 shrink-0 accent-brand" />
          <span>
            <span className="block font-semibold">{ROLE_NAMES[role]}</span>
            <span className="block text-small text-muted">{WHAT[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
