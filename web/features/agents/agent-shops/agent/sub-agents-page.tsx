import { useQuery } from '@tanstack/react-query'
import { Copy, MessageCircle, Store, UserPlus } from 'lucide-react'
import { formatShortTime } from '../../../../../shared/dates.ts'
import { whatsAppShareLink } from '../../../../../shared/links.ts'
import type { SubAgent, SubAgentsReply } from '../../../../../shared/sub-agents.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { copyText } from '../../../../lib/copy-text.ts'
import { messageOf, RefusedError } from '../../../../lib/http.ts'
import { subAgentTexts as texts } from '../../../../texts/sub-agents.ts'
import { Button, ButtonLink, buttonClass } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Page } from '../../../../ui/page.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { SwitchField } from '../../../../ui/switch-field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { joinLink, subAgentsQuery, useChangeShop, useEndSubAgent, useInvite, useWithdrawLink } from './api.ts'
import { SubAgentPrices } from './sub-agent-prices.tsx'

/** Who sells under the agent, the links that are open, and what sub-agents pay. */
export default function SubAgentsPage() {
  const { data, error, refetch } = useQuery(subAgentsQuery)
  const hasNoShop = error instanceof RefusedError && error.code === 'NOT_FOUND'
  return (
    <Page className="pb-16!">
      <PageHeader title={texts.title}>{texts.intro}</PageHeader>
      {data ? (
        <div className="flex flex-col gap-6 lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:items-start lg:gap-8">
          <div className="flex min-w-0 flex-col gap-6 lg:col-start-2">
            <Links reply={data} />
            <People reply={data} />
            {data.subAgents.some(({ endedAt }) => endedAt === null) && <SellSwitch selling={data.selling} />}
          </div>
          <div className="min-w-0 lg:col-start-1 lg:row-start-1">
            <SubAgentPrices offers={data.offers} />
          </div>
        </div>
      ) : hasNoShop ? (
        <EmptyState icon={<Store />} title={texts.noShop} action={<ButtonLink href="/agent/shop">{texts.toShop}</ButtonLink>}>
          {texts.noShopText}
        </EmptyState>
      ) : error ? (
        <LoadError what={texts.of} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading>
          <div className="flex flex-col gap-4">
            <Skeleton className="h-48" />
            <Skeleton className="h-72" />
          </div>
        </Loading>
      )}
    </Page>
  )
}

const say = (error: unknown) => toast.danger(messageOf(error))

function Links({ reply: { allowed, invitations } }: { reply: SubAgentsReply }) {
  const invite = useInvite()
  const withdraw = useWithdrawLink()
  const make = () => void invite.mutateAsync().then(() => toast.success(texts.made), say)
  const copy = async (link: string) => {
    if (await copyText(link)) toast.success(texts.copied)
    else toast.danger(texts.notCopied(link))
  }
  const end = async (id: string) => {
    const question = { question: texts.withdrawQuestion, details: texts.withdrawDetails, yes: texts.withdraw, danger: true }
    if (await confirmAction(question)) await withdraw.mutateAsync(id).then(() => toast.success(texts.withdrawn), say)
  }
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-large">{texts.links}</h2>
      {invitations.length === 0 ? (
        <p className="text-body text-muted">{texts.noLinks}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {invitations.map(({ id, code }) => {
            const link = joinLink(code)
            return (
              <li key={id} className="ticket flex flex-col gap-2 p-3">
                <p className="break-all text-body font-semibold">{link.replace(/^https?:\/\//, '')}</p>
                <div className="flex flex-wrap gap-2">
                  <Button size="compact" icon={<Copy className="size-4" aria-hidden="true" />} onClick={() => void copy(link)}>
                    {texts.copy}
                  </Button>
                  <a
                    href={whatsAppShareLink(texts.message(link))}
                    target="_blank"
                    rel="noreferrer"
                    className={buttonClass('secondary', 'compact')}
                  >
                    <MessageCircle className="size-4" aria-hidden="true" />
                    {texts.whatsApp}
                  </a>
                  <Button size="compact" variant="danger" onClick={() => void end(id)}>
                    {texts.withdraw}
                  </Button>
                </div>
              </li>
            )
          })}
        </ul>
      )}
      {allowed ? (
        <>
          <Button block size="large" busy={invite.isPending} onClick={make}>
            {texts.make}
          </Button>
          <p className="text-small text-muted">{texts.linkHint}</p>
        </>
      ) : (
        <EmptyState title={texts.off}>{texts.offText}</EmptyState>
      )}
    </section>
  )
}

/** Stops the shops of all sub-agents for a while, whatever the own one does. */
function SellSwitch({ selling }: { selling: boolean }) {
  const change = useChangeShop()
  const turn = async (subAgentsSell: boolean) => {
    const question = { question: texts.stopQuestion, details: texts.stopDetails, yes: texts.stopYes, danger: true }
    if (!subAgentsSell && !(await confirmAction(question))) return
    await change.mutateAsync({ subAgentsSell }).then(() => toast.success(subAgentsSell ? texts.sellAgain : texts.stopped), say)
  }
  return <SwitchField name="subAgentsSell" label={texts.sell} hint={texts.sellHint} checked={selling} onValue={(sell) => void turn(sell)} />
}

function People({ reply: { subAgents, most } }: { reply: SubAgentsReply }) {
  const active = subAgents.filter(({ endedAt }) => endedAt === null).length
  return (
    <section>
      <h2 className="mb-2 text-large">{texts.people(active, most)}</h2>
      {subAgents.length === 0 ? (
        <EmptyState icon={<UserPlus />} title={texts.nobody}>
          {texts.nobodyText}
        </EmptyState>
      ) : (
        <ul className="divide-y-2 divide-dotted divide-line overflow-hidden rounded-box border border-line bg-surface">
          {subAgents.map((subAgent) => (
            <PersonRow key={subAgent.id} subAgent={subAgent} />
          ))}
        </ul>
      )}
    </section>
  )
}

function PersonRow({ subAgent: { id, username, shop, joinedAt, endedAt, orders, earned } }: { subAgent: SubAgent }) {
  const end = useEndSubAgent()
  const day = (at: string) => formatShortTime(new Date(at), shopNow())
  const ask = async () => {
    const question = { question: texts.endQuestion(username), details: texts.endDetails, yes: texts.endYes, danger: true }
    if (await confirmAction(question)) await end.mutateAsync(id).then(() => toast.success(texts.isEnded(username)), say)
  }
  return (
    <li className="flex flex-col gap-1 px-3 py-3">
      <p className="flex items-baseline justify-between gap-3">
        <b className="min-w-0 break-words">{username}</b>
        <Money cedis={earned} className="shrink-0 font-bold" />
      </p>
      <p className="flex items-baseline justify-between gap-3 text-small text-muted">
        <span className="min-w-0 break-words">
          {shop ? shop.name : texts.noShopYet}
          {shop && !shop.sells && `, ${texts.closed}`}
        </span>
        <span className="shrink-0">{texts.brought(orders)}</span>
      </p>
      <p className="flex min-h-11 items-center justify-between gap-3 text-small text-muted">
        {endedAt ? texts.ended(day(endedAt)) : texts.since(day(joinedAt))}
        {!endedAt && (
          <Button size="compact" variant="danger" busy={end.isPending} onClick={() => void ask()}>
            {texts.end}
          </Button>
        )}
      </p>
    </li>
  )
}
