import { useQuery } from '@tanstack/react-query'
import { ChevronRight, KeyRound, UserRound } from 'lucide-react'
import { Link } from 'wouter'
import { Card } from '../../../../ui/admin/card.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { useNotice } from '../../notice/api.ts'
import { shopSettingsQuery } from './api.ts'
import { BrandForm } from './brand-form.tsx'
import { FeesForm } from './fees-form.tsx'
import { PaymentNumbersForm } from './payment-numbers-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SetupList } from './setup-list.tsx'

/** What customers see, and where they pay. */
export function ShopSettings() {
  const { data, error, refetch } = useQuery(shopSettingsQuery)
  if (error && !data) return <LoadError what="Your shop’s details" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading label="Loading your shop’s details…">
        <div className="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <Skeleton className="h-96" />
          <Skeleton className="h-72" />
        </div>
      </Loading>
    )
  return (
    <div className="flex flex-col gap-4 lg:grid lg:grid-cols-[minmax(0,2fr)_minmax(17rem,1fr)] lg:items-start">
      <div className="flex min-w-0 flex-col gap-4">
        <NoticeCard />
        <PaymentNumbersForm stored={data.paymentNumbers} />
        <ProfileForm stored={data} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 max-lg:contents">
        <div className="max-lg:order-first">
          <SetupList />
        </div>
        <BrandForm stored={data} />
        <FeesForm stored={data} />
        <OwnAccount />
      </div>
    </div>
  )
}

/** The owner's own way in, which stands on pages of its own. */
function OwnAccount() {
  const links = [
    { href: '/user/account', icon: <UserRound aria-hidden="true" />, label: 'Password, e-mail, phone and sessions' },
    { href: '/admin/code', icon: <KeyRound aria-hidden="true" />, label: 'Code at sign-in' },
  ]
  return (
    <Card label="Your account" className="divide-y divide-line">
      {links.map(({ href, icon, label }) => (
        <Link key={href} href={href} className="flex min-h-13 items-center gap-3 px-4 font-medium hover:bg-sunken [&>svg]:size-5">
          {icon}
          <span className="min-w-0 flex-1">{label}</span>
          <ChevronRight className="text-muted" aria-hidden="true" />
        </Link>
      ))}
    </Card>
  )
}

function NoticeCard() {
  const { data } = useNotice()
  return (
    <Card
      title="Notice"
      state={
        <Link href="/info" className="inline-flex min-h-11 items-center gap-1 font-semibold text-brand-text">
          Change <ChevronRight className="size-4" aria-hidden="true" />
        </Link>
      }
    >
      <div className="px-4 py-3">
        <p className="line-clamp-3 text-body whitespace-pre-line">
          {data?.noticeContent || <span className="text-muted">None. Customers see it when they open the store.</span>}
        </p>
      </div>
    </Card>
  )
}
