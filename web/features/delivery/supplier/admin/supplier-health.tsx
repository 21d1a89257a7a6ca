import { MessageSquareText, Truck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatDateTime } from '../../../../../shared/dates.ts'
import type { JobsReply } from '../../../../../shared/jobs.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import { waitingFor } from '../../../../lib/admin/waiting-for.ts'
import { capitalised } from '../../../../lib/admin/words.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { Money } from '../../../../ui/money.tsx'
import { Card } from '../../../../ui/page.tsx'
import { StatusBadge, type StatusTone } from '../../../../ui/status-badge.tsx'

/** Whether orders go to a supplier at the moment, and what the shop has left there. */
export function SupplierHealth({ supplier }: { supplier: JobsReply['suppliers'][number] }) {
  const { name, openUntil, reason, balance, balanceAt } = supplier
  const paused = openUntil !== null
  return (
    <Tile icon={<Truck />} title={supplierName(name)} tone={paused ? 'pending' : 'done'} status={paused ? 'Paused' : 'Ready'}>
      {balance === null ? (
        <p className="text-large text-muted">{balanceAt === null ? 'Balance not known yet' : 'Finance sees the balance'}</p>
      ) : (
        <Money cedis={balance} className={classNames('text-display', balance <= 0 && 'text-danger')} />
      )}
      <p className="text-small text-muted">
        {balanceAt === null ? 'We check it every ten minutes.' : `The shop’s balance there, ${waitingFor(balanceAt, shopNow())} ago`}
      </p>
      {paused && (
        <p className="mt-1 rounded-box bg-pending-soft px-3 py-2 text-small text-pending">
          <span className="font-semibold">Nothing is sent until {formatDateTime(new Date(openUntil)).split(' ')[1]}.</span>{' '}
          {capitalised(reason)}.
        </p>
      )}
    </Tile>
  )
}

/** Share of the day's messages from which they are "nearly used up". */
const NEARLY = 0.8

export function MessagesToday({ usedToday, dailyCap }: JobsReply['sms']) {
  const share = dailyCap === 0 ? 1 : usedToday / dailyCap
  const [tone, status]: [StatusTone, string] =
    share >= 1 ? ['danger', 'Used up'] : share >= NEARLY ? ['pending', 'Nearly used up'] : ['done', 'Ready']
  return (
    <Tile icon={<MessageSquareText />} title="Messages (SMS)" tone={tone} status={status}>
      <p className="tabular text-display">
        <span className="font-bold">{usedToday.toLocaleString('en')}</span>{' '}
        <span className="text-large text-muted">of {dailyCap.toLocaleString('en')} today</span>
      </p>
      <div aria-hidden="true" className="my-1 h-1.5 overflow-hidden rounded-full bg-sunken">
        <div
          className={classNames('h-full rounded-full', share >= 1 ? 'bg-danger' : share >= NEARLY ? 'bg-pending' : 'bg-done')}
          style={{ width: `${Math.min(100, share * 100)}%` }}
        />
      </div>
      <p className="text-small text-muted">
        {share >= 1 && 'No more messages go out today. '}Resets at midnight.{' '}
        <Link href="/admin/settings" className="font-semibold text-brand-text underline underline-offset-4">
          Change the limit
        </Link>
      </p>
    </Tile>
  )
}

function Tile({
  icon,
  title,
  tone,
  status,
  children,
}: {
  icon: ReactNode
  title: string
  tone: StatusTone
  status: string
  children: ReactNode
}) {
  return (
    <Card className="flex min-w-0 flex-col gap-1 p-4">
      <div className="flex items-center justify-between gap-3 pb-1">
        <h3 className="flex min-w-0 items-center gap-2 text-body font-semibold [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-muted">
          {icon}
          <span className="truncate">{title}</span>
        </h3>
        <StatusBadge tone={tone}>{status}</StatusBadge>
      </div>
      {children}
    </Card>
  )
}
