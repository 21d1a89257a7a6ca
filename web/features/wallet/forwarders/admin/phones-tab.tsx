import { useQuery } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { hasRole } from '../../../../../shared/staff-rules.ts'
import { session } from '../../../../lib/session.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { Button } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { MessageForms } from '../../../messages/message-formats/admin/message-forms.tsx'
import { forwardersQuery } from './api.ts'
import { CreditRulesCard } from './credit-rules-card.tsx'
import { NewPhoneDialog } from './new-phone-dialog.tsx'
import { PhoneCard } from './phone-card.tsx'

/** The shop's phones that send their mobile-money messages on, so that wallets fill by themselves. */
export function PhonesTab() {
  const [path] = useLocation()
  return path.endsWith('/forms') ? <MessageForms /> : <Phones />
}

function Phones() {
  const { data, error, refetch } = useQuery(forwardersQuery)
  const roles = session.use()?.roles ?? ['owner']
  const mayChange = hasRole({ roles }, 'owner')
  const [isAdding, setAdding] = useState(false)
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({})
  const keep = (id: string, secret: string) => setSecrets((before) => ({ ...before, [id]: secret }))
  if (error && !data) return <LoadError what="The phones" error={error} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <Loading>
        <Skeleton className="h-72" />
      </Loading>
    )
  }
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <RefreshProblem error={error} onRetry={() => void refetch()} />
      {data.forwarders.length === 0 ? (
        <EmptyState icon={<Smartphone />} title="No phone sends its messages here yet">
          An app on the phone with your mobile-money SIM sends us each payment message, and we credit the customer within seconds. Nothing
          else on the phone is read.
        </EmptyState>
      ) : (
        data.forwarders.map((forwarder) => (
          <PhoneCard
            key={forwarder._id}
            forwarder={forwarder}
            secret={secrets[forwarder._id] ?? null}
            mayChange={mayChange}
            onSecret={(secret) => keep(forwarder._id, secret)}
          />
        ))
      )}
      {mayChange && (
        <Button className="self-start" onClick={() => setAdding(true)}>
          Add a phone
        </Button>
      )}
      <Card title="How messages read">
        <p className="px-4 py-3 text-body text-muted">
          The networks change their words now and then.{' '}
          <Link href="/admin/finance/phones/forms" className="inline-flex min-h-11 items-center font-semibold text-brand-text">
            Forms of messages
          </Link>
        </p>
      </Card>
      <CreditRulesCard rules={data.rules} mayChange={mayChange} />
      {isAdding && (
        <NewPhoneDialog
          onClose={() => setAdding(false)}
          onAdded={({ forwarder, key }) => {
            keep(forwarder._id, key)
            setAdding(false)
          }}
        />
      )}
    </div>
  )
}
