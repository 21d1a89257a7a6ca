import { useQuery } from '@tanstack/react-query'
import { CreditCard, Hand, Inbox, Wallet } from 'lucide-react'
import { waitingFor } from '../../../lib/admin/waiting-for.ts'
import { counted } from '../../../lib/admin/words.ts'
import { ActBar } from '../../../ui/admin/act-bar.tsx'
import { Row, RowGroup } from '../../../ui/admin/row.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { moneyText } from '../../../ui/money.tsx'
import { LoadError } from '../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { statsQuery } from '../../stats/admin/api.ts'

/** What waits for a decision, with the way to it. */
export function InboxPage() {
  const { data, error, refetch } = useQuery(statsQuery)
  if (!data && error) return <LoadError what="The inbox" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading label="Loading the inbox…">
        <Skeleton className="h-72" />
      </Loading>
    )
  const { orders, recharges, heldPayments } = data.waiting
  const none = { count: 0, value: 0, oldest: null }
  const groups = [
    { ...orders, title: counted(orders.count, 'order'), icon: <Hand />, href: '/admin/orders?status=pending' },
    { ...none, ...recharges, title: counted(recharges?.count ?? 0, 'top-up'), icon: <Wallet />, href: '/admin/finance' },
    {
      ...none,
      ...heldPayments,
      title: counted(heldPayments?.count ?? 0, 'held payment'),
      icon: <CreditCard />,
      href: '/admin/finance/held',
    },
  ].filter(({ count }) => count > 0)
  if (groups.length === 0)
    return (
      <EmptyState icon={<Inbox />} title="Nothing waits for you">
        New orders and top-ups show up here by themselves.
      </EmptyState>
    )
  const [next] = groups as [(typeof groups)[number]]
  return (
    <>
      <RowGroup title="Waiting">
        {groups.map(({ title, icon, href, value, oldest }) => (
          <Row
            key={href + title}
            icon={icon}
            tone="pending"
            title={title}
            subtitle={`${moneyText(value)}${oldest ? ` · oldest: ${waitingFor(oldest, new Date())}` : ''}`}
            act={
              <ButtonLink href={href} variant="secondary">
                Open
              </ButtonLink>
            }
          />
        ))}
      </RowGroup>
      <ActBar note={`Next: ${next.title}`} detail={moneyText(next.value)}>
        <ButtonLink href={next.href}>Open</ButtonLink>
      </ActBar>
    </>
  )
}
