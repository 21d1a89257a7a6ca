import { useQuery } from '@tanstack/react-query'
import { MessageCircle, UserX } from 'lucide-react'
import { useState } from 'react'
import type { Customer } from '../../../../../shared/customers.ts'
import { whatsAppLink } from '../../../../../shared/links.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { RefusedError } from '../../../../lib/http.ts'
import { ActBar } from '../../../../ui/admin/act-bar.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { useScreenTitle } from '../../../../ui/admin/screen-title.ts'
import { Button, ButtonLink, buttonClass } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { customerQuery } from './api.ts'
import { ChangeWalletDialog } from './change-wallet-dialog.tsx'
import { CustomerMenu } from './customer-menu.tsx'
import { NotesCard } from './notes-card.tsx'
import { OrdersCard } from './orders-card.tsx'
import { StatementCard } from './statement-card.tsx'
import { WalletCard } from './wallet-card.tsx'

/** Everything about one customer. */
export function CustomerView({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(customerQuery(id))
  // What is not an id at all is refused as 400.
  if (!data && error instanceof RefusedError && [400, 404].includes(error.status))
    return (
      <EmptyState icon={<UserX />} title="No such customer" action={<ButtonLink href="/admin/customers">See the customers</ButtonLink>}>
        Look for the name, the phone number or an order’s number.
      </EmptyState>
    )
  if (error && !data) return <LoadError what="This customer" error={error} onRetry={() => void refetch()} />
  if (!data) return <Waiting />
  return (
    <>
      <RefreshProblem error={error} onRetry={() => void refetch()} />
      <Shown customer={data} />
    </>
  )
}

function Shown({ customer }: { customer: Customer }) {
  const [changing, setChanging] = useState<'credit' | 'debit' | null>(null)
  const { _id, username, userLevel, phone, wallet } = customer
  useScreenTitle({ title: username, subtitle: `${userLevel} · ${spacedPhone(phone)}`, back: '/admin/customers' })
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(18rem,2fr)] lg:items-start">
        <div className="flex min-w-0 flex-col gap-4">
          <WalletCard customer={customer} />
          {wallet && <StatementCard customerId={_id} />}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <OrdersCard customer={customer} />
          <NotesCard key={customer._id} customer={customer} />
          <CustomerMenu customer={customer} />
        </div>
      </div>
      <ActBar label="What to do for this customer" className="max-lg:[&_:is(a,button)]:px-3 max-lg:[&>div]:hidden">
        <a href={whatsAppLink(phone)} target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
          <MessageCircle className="size-5" aria-hidden="true" />
          <span className="max-[24rem]:sr-only">WhatsApp</span>
        </a>
        {wallet && (
          <>
            <Button variant="secondary" onClick={() => setChanging('debit')}>
              Debit
            </Button>
            <Button className="max-lg:flex-1 lg:whitespace-nowrap" onClick={() => setChanging('credit')}>
              Credit wallet…
            </Button>
          </>
        )}
      </ActBar>
      {changing && wallet && <ChangeWalletDialog customer={customer} way={changing} onClose={() => setChanging(null)} />}
    </>
  )
}

function Waiting() {
  return (
    <Loading label="Loading the customer">
      <div className="grid gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(18rem,2fr)]">
        <div className="flex flex-col gap-4">
          <Skeleton className="h-28" />
          <Skeleton className="h-96" />
        </div>
        <div className="flex flex-col gap-4">
          <Skeleton className="h-64" />
          <Skeleton className="h-40" />
        </div>
      </div>
    </Loading>
  )
}
