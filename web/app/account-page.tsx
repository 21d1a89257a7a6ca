import { useQuery } from '@tanstack/react-query'
import { WhatsappCard } from '../features/channels/whatsapp/whatsapp-card.tsx'
import { accountQuery } from '../features/people/account/api.ts'
import { ContactForm } from '../features/people/account/contact-form.tsx'
import { PasswordForm } from '../features/people/account/password-form.tsx'
import { SessionList } from '../features/people/account/session-list.tsx'
import { PinCard } from '../features/people/transaction-pin/pin-card.tsx'
import { call } from '../lib/api.ts'
import { session } from '../lib/session.ts'
import { accountTexts } from '../texts/account.ts'
import { LoadError } from '../ui/notice-box.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Loading, Skeleton } from '../ui/skeleton.tsx'

/** One's own password, e-mail address, phone number and sessions. */
export default function AccountPage() {
  const user = session.use()
  const { data, error, refetch } = useQuery(accountQuery)
  if (!data && error) return <LoadError what={accountTexts.loadFailed} error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageHeader title={accountTexts.title}>{user?.username}</PageHeader>
      {data ? (
        <div className="flex max-w-[45rem] flex-col gap-5">
          <PasswordForm workingKeys={data.workingKeys} />
          <PinCard />
          <WhatsappCard />
          <ContactForm user={data.user} />
          <SessionList
            sessions={data.sessions}
            onEnd={(one) => call('POST /user/me/sessions/end', { body: one === null ? {} : { session: one } })}
          />
        </div>
      ) : (
        <Loading label={accountTexts.loading}>
          <Skeleton className="h-96" />
        </Loading>
      )}
    </>
  )
}
