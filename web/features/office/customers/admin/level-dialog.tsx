import { useState } from 'react'
import type { Customer } from '../../../../../shared/customers.ts'
import { USER_LEVELS, type UserLevel } from '../../../../../shared/users.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { changeCustomer } from './change-customer.tsx'

const WHAT: Record<UserLevel, string> = {
  Customer: 'Buys at the customer price.',
  Agent: 'Buys at the agent price.',
  Admin: 'Works in this portal.',
}

/** Chooses a customer's level, which decides the price. */
export function LevelDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const [level, setLevel] = useState<UserLevel>(customer.userLevel)
  const save = async () => {
    if (await changeCustomer(customer, { level })) onClose()
  }
  return (
    <Dialog
      title={`Level of ${customer.username}`}
      onClose={onClose}
      yes={{ disabled: level === customer.userLevel, onClick: () => void save(), children: 'Change level' }}
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">Level</legend>
        {USER_LEVELS.map((one) => (
          <label
            key={one}
            className={classNames(
              'flex min-h-14 cursor-pointer items-center gap-3 rounded-box border px-4 py-2',
              one === level ? 'border-brand-text bg-brand-soft' : 'border-line-strong',
            )}
          >
            <input
              type="radio"
              name="level"
              value={one}
              checked={one === level}
              onChange={() => setLevel(one)}
              className="size-5 accent-brand"
            />
            <span>
              <span className="block font-semibold">{one}</span>
              <span className="block text-small text-muted">{WHAT[one]}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Dialog>
  )
}
