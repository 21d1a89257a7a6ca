import { Ban, ChevronRight, Flag, KeyRound, UserCheck, Users, Wallet } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Customer } from '../../../../../shared/customers.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { changeCustomer } from './change-customer.tsx'
import { LevelDialog } from './level-dialog.tsx'
import { RechargesDialog } from './recharges-dialog.tsx'
import { ReportsDialog } from './reports-dialog.tsx'
import { SessionsDialog } from './sessions-dialog.tsx'

type Open = 'recharges' | 'reports' | 'sessions' | 'level'

/** What is needed less often, each with how it stands. */
export function CustomerMenu({ customer }: { customer: Customer }) {
  const [open, setOpen] = useState<Open | null>(null)
  const { username, userLevel, status, waitingTopUps, openReports, sessions } = customer
  const close = () => setOpen(null)
  return (
    <>
      <Card label="More about this customer" className="divide-y divide-line">
        <Item
          icon={<Wallet />}
          name="Top-up requests"
          state={waitingTopUps > 0 ? `${waitingTopUps} waiting` : 'none waiting'}
          onClick={() => setOpen('recharges')}
        />
        <Item
          icon={<Flag />}
          name="Reports"
          state={openReports > 0 ? `${openReports} open` : 'none open'}
          onClick={() => setOpen('reports')}
        />
        <Item
          icon={<KeyRound />}
          name="Sessions"
          state={sessions.length === 0 ? 'signed out' : sessions.length === 1 ? '1 device' : `${sessions.length} devices`}
          onClick={() => setOpen('sessions')}
        />
        <Item icon={<Users />} name="Level" state={userLevel} onClick={() => setOpen('level')} />
        {status === 'Active' ? (
          <Item danger icon={<Ban />} name={`Ban ${username}`} onClick={() => void changeCustomer(customer, { status: 'Banned' })} />
        ) : (
          <Item
            icon={<UserCheck />}
            name={`Let ${username} in again`}
            onClick={() => void changeCustomer(customer, { status: 'Active' })}
          />
        )}
      </Card>
      {open === 'recharges' && <RechargesDialog customer={customer} onClose={close} />}
      {open === 'reports' && <ReportsDialog customer={customer} onClose={close} />}
      {open === 'sessions' && <SessionsDialog customer={customer} onClose={close} />}
      {open === 'level' && <LevelDialog customer={customer} onClose={close} />}
    </>
  )
}

function Item({
  icon,
  name,
  state,
  danger,
  onClick,
}: {
  icon: ReactNode
  name: string
  state?: string
  danger?: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={classNames(
        'flex min-h-13 w-full items-center gap-3 px-4 py-1 text-left font-medium hover:bg-sunken',
        danger && 'text-danger',
      )}
    >
      <span aria-hidden="true" className="[&>svg]:size-5">
        {icon}
      </span>
      <span className="min-w-0 flex-1 break-words">{name}</span>
      {state && <span className="text-small font-normal text-muted">{state}</span>}
      <ChevronRight className="size-4 text-muted" aria-hidden="true" />
    </button>
  )
}
