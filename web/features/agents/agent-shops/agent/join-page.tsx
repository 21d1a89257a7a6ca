import { useQuery } from '@tanstack/react-query'
import { Store } from 'lucide-react'
import { useLocation } from 'wouter'
import type { Invitation } from '../../../../../shared/sub-agents.ts'
import { messageOf, RefusedError } from '../../../../lib/http.ts'
import { subAgentTexts as texts } from '../../../../texts/sub-agents.ts'
import { Answers } from '../../../../ui/answers.tsx'
import { ButtonLink } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Page } from '../../../../ui/page.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { invitationQuery, useJoin } from './api.ts'

const SHOWN = 8

/** A link by which a customer becomes an agent's sub-agent: whose, and on what terms. */
export default function JoinPage() {
  const [path] = useLocation()
  const code = path.split('/')[2] ?? ''
  const { data, error, refetch } = useQuery(invitationQuery(code))
  const hasEnded = error instanceof RefusedError && error.code === 'NOT_FOUND'
  return (
    <Page className="max-w-2xl pb-16!">
      <PageHeader title={data ? texts.joinTitle(data.agent.username) : texts.joinLoading} />
      {data ? (
        <Terms invitation={data} code={code} />
      ) : hasEnded ? (
        <EmptyState icon={<Store />} title={texts.linkEnded} action={<ButtonLink href="/agent/shop">{texts.toShop}</ButtonLink>}>
          {texts.linkEndedText}
        </EmptyState>
      ) : error ? (
        <LoadError what={texts.joinOf} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading>
          <Skeleton className="h-72" />
        </Loading>
      )}
    </Page>
  )
}

function Terms({ invitation: { agent, offers, refusal }, code }: { invitation: Invitation; code: string }) {
  const [, navigate] = useLocation()
  const join = useJoin()
  const agree = async () => {
    try {
      toast.success(await join.mutateAsync(code))
      navigate('/agent/shop')
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="break-words text-muted">{texts.joinIntro(agent.username, agent.shop)}</p>
      {offers.length > 0 && (
        <section>
          <h2 className="mb-2 text-large">{texts.youPay}</h2>
          <ul className="divide-y-2 divide-dotted divide-line rounded-box border border-line bg-surface">
            {offers.slice(0, SHOWN).map(({ network, offer, cost, highest }) => (
              <li key={`${network} ${offer}`} className="flex items-baseline justify-between gap-3 px-3 py-2.5">
                <span className="min-w-0 break-words">
                  {network} {offer}
                </span>
                <span className="shrink-0 text-right">
                  <Money cedis={cost} className="font-bold" />
                  <span className="block text-small text-muted">{texts.upTo(moneyText(highest))}</span>
                </span>
              </li>
            ))}
          </ul>
          {offers.length > SHOWN && <p className="mt-2 text-small text-muted">{texts.more(offers.length - SHOWN)}</p>}
        </section>
      )}
      {refusal !== null ? (
        <NoticeBox tone="pending" title={texts.cannot}>
          <p>{refusal}</p>
        </NoticeBox>
      ) : (
        <Answers
          yes={{ busy: join.isPending, onClick: () => void agree(), children: texts.agree }}
          no={{ href: '/store', children: texts.notNow }}
        />
      )}
    </div>
  )
}
