import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Copy, Gift, MessageCircle, Trophy, UserPlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatShortTime } from '../../../../../shared/dates.ts'
import { whatsAppShareLink } from '../../../../../shared/links.ts'
import type { Referral, ReferralSummary } from '../../../../../shared/referrals.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { copyText } from '../../../../lib/copy-text.ts'
import { messageOf } from '../../../../lib/http.ts'
import { inviteTexts as texts } from '../../../../texts/invite.ts'
import { Button, buttonClass } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Page } from '../../../../ui/page.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { Pagination } from '../../../../ui/pagination.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { invitedQuery, leaderboardQuery, linkOf, referralsQuery, useOpenLink } from './api.ts'

const PAGE_SIZE = 10

/** An agent's link for new customers, what it has brought, and how the agents do this week. */
export default function InvitePage() {
  const { data, error, refetch } = useQuery(referralsQuery)
  return (
    <Page className="pb-16!">
      <PageHeader title={texts.title} />
      {error && !data ? (
        <LoadError what={texts.of} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading>
          <div className="flex flex-col gap-4">
            <Skeleton className="h-64" />
            <Skeleton className="h-48" />
          </div>
        </Loading>
      ) : (
        <div className="flex flex-col gap-6 lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:items-start lg:gap-8">
          <div className="flex min-w-0 flex-col gap-6">
            {data.rules.enabled ? (
              <LinkTicket summary={data} />
            ) : (
              <EmptyState icon={<Gift />} title={texts.off}>
                {texts.offText}
              </EmptyState>
            )}
            {(data.rules.enabled || data.invited > 0) && (
              <>
                <Figures summary={data} />
                <People />
              </>
            )}
          </div>
          {data.rules.leaderboard && <Leaders />}
        </div>
      )}
    </Page>
  )
}

function LinkTicket({ summary: { rules, code } }: { summary: ReferralSummary }) {
  const open = useOpenLink()
  const link = code && linkOf(code)
  const copy = async (text: string) => {
    if (await copyText(text)) toast.success(texts.copied)
    else toast.danger(texts.notCopied(text))
  }
  const get = () => void open.mutateAsync().catch((error: unknown) => toast.danger(messageOf(error)))
  return (
    <section className="ticket" aria-label={texts.yourLink}>
      <div className="px-4 pt-4 pb-3">
        <p className="text-title font-bold">{texts.offer(moneyText(rules.reward))}</p>
        <p className="mt-1 text-body text-muted">
          {texts.how(moneyText(rules.spend))} {texts.ownPhone} {texts.most(rules.mostAMonth)}
        </p>
      </div>
      <div className="perf" aria-hidden="true" />
      <div className="flex flex-col gap-3 p-4">
        {link ? (
          <>
            <p className="break-all font-semibold">{link.replace(/^https?:\/\//, '')}</p>
            <div className="grid grid-cols-2 gap-2">
              <Button icon={<Copy className="size-4.5" aria-hidden="true" />} onClick={() => void copy(link)}>
                {texts.copy}
              </Button>
              <a href={whatsAppShareLink(texts.message(link))} target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
                <MessageCircle className="size-4.5" aria-hidden="true" />
                {texts.whatsApp}
              </a>
            </div>
          </>
        ) : (
          <Button block size="large" busy={open.isPending} onClick={get}>
            {texts.getLink}
          </Button>
        )}
      </div>
    </section>
  )
}

function Figures({ summary: { invited, rewarded, earned } }: { summary: ReferralSummary }) {
  return (
    <dl className="grid grid-cols-3 divide-x-2 divide-dotted divide-line rounded-box border border-line bg-surface text-center">
      <Figure name={texts.invited}>{invited}</Figure>
      <Figure name={texts.rewarded}>{rewarded}</Figure>
      <Figure name={texts.earned}>
        <Money cedis={earned} />
      </Figure>
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col-reverse px-2 py-3">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="text-title font-bold">{children}</dd>
    </div>
  )
}

function People() {
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery({ ...invitedQuery(page, PAGE_SIZE), placeholderData: keepPreviousData })
  return (
    <section>
      <h2 className="mb-2 text-large">{texts.people}</h2>
      {error && !data ? (
        <LoadError what={texts.peopleOf} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading>
          <Skeleton className="h-40" />
        </Loading>
      ) : data.rows.length === 0 ? (
        <EmptyState icon={<UserPlus />} title={texts.nobody}>
          {texts.nobodyText}
        </EmptyState>
      ) : (
        <>
          <ul className="divide-y-2 divide-dotted divide-line overflow-hidden rounded-box border border-line bg-surface">
            {data.rows.map((referral) => (
              <InvitedRow key={referral.createdAt} referral={referral} />
            ))}
          </ul>
          <Pagination page={page} pageCount={Math.ceil(data.total / PAGE_SIZE)} onPage={setPage} />
        </>
      )}
    </section>
  )
}

function InvitedRow({ referral: { name, status, delivered, spend, reward, createdAt } }: { referral: Referral }) {
  return (
    <li className="flex flex-col gap-2 px-3 py-3">
      <p className="flex items-baseline justify-between gap-3">
        <b className="min-w-0 truncate">{name}</b>
        <span className={classNames('shrink-0 text-body', status === 'rewarded' ? 'font-semibold text-done' : 'text-muted')}>
          {status === 'rewarded'
            ? texts.got(moneyText(reward))
            : status === 'ended'
              ? texts.ended
              : texts.soFar(moneyText(delivered), moneyText(spend))}
        </span>
      </p>
      {status === 'open' && (
        <span className="h-1.5 overflow-hidden rounded-full bg-sunken" aria-hidden="true">
          <span className="block h-full bg-brand" style={{ width: `${Math.round((delivered / spend) * 100)}%` }} />
        </span>
      )}
      <p className="text-small text-muted">{texts.came(formatShortTime(new Date(createdAt), shopNow()))}</p>
    </li>
  )
}

function Leaders() {
  const { data, error, refetch } = useQuery(leaderboardQuery)
  return (
    <section>
      <h2 className="mb-2 text-large">{texts.leaders}</h2>
      {error && data === undefined ? (
        <LoadError what={texts.leadersOf} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading>
          <Skeleton className="h-40" />
        </Loading>
      ) : data === null || data.rows.length === 0 ? (
        <EmptyState icon={<Trophy />} title={texts.noLeaders} />
      ) : (
        <ol className="divide-y-2 divide-dotted divide-line overflow-hidden rounded-box border border-line bg-surface">
          {data.rows.map(({ rank, name, orders, isOwn }) => (
            <li key={rank} className={classNames('flex items-baseline gap-3 px-3 py-2.5', isOwn && 'bg-brand-soft')}>
              <span className="tabular w-7 shrink-0 text-right text-muted">{rank}</span>
              <span className="min-w-0 flex-1 truncate">
                <b>{name}</b> {isOwn && <span className="text-small text-muted">{texts.you}</span>}
              </span>
              <span className="tabular shrink-0 text-body">{texts.orders(orders)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
