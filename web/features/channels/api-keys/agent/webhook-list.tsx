import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Check, Clock, Plus, Webhook, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { formatShortTime } from '../../../../../shared/dates.ts'
import type { WebhookDelivery, WebhookEndpoint } from '../../../../../shared/webhooks.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { messageOf } from '../../../../lib/http.ts'
import { developerTexts } from '../../../../texts/developer.ts'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { sentQuery, useWebhookActs, webhooksQuery } from './api.ts'
import { ModeWord } from './mode-word.tsx'
import { ShownOnce } from './shown-once.tsx'

const WebhookDialog = lazy(async () => ({ default: (await import('./webhook-dialog.tsx')).WebhookDialog }))

type Made = { url: string; secret: string }

/** Where the agent's programs are told what became of orders, and what they were told. */
export function WebhookList() {
  const { data, error, refetch } = useQuery(webhooksQuery)
  const [changing, setChanging] = useState<WebhookEndpoint | 'new' | null>(null)
  const [made, setMade] = useState<Made | null>(null)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {made && (
        <ShownOnce
          title={developerTexts.secretOf(hostOf(made.url))}
          secret={made.secret}
          copy={developerTexts.copySecret}
          hint={developerTexts.copySecretNow}
          onSaved={() => setMade(null)}
        />
      )}
      <section>
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
          <h2 className="text-large">{developerTexts.webhooks}</h2>
          <button
            type="button"
            onClick={() => setChanging('new')}
            className="inline-flex min-h-11 items-center gap-1 font-semibold text-brand-text"
          >
            <Plus className="size-4.5" aria-hidden="true" />
            {developerTexts.newWebhook}
          </button>
        </div>
        {error && !data ? (
          <LoadError what={developerTexts.webhooksOf} error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading>
            <Skeleton className="h-48" />
          </Loading>
        ) : data.length === 0 ? (
          <EmptyState icon={<Webhook />} title={developerTexts.noWebhooks}>
            {developerTexts.noWebhooksText}
          </EmptyState>
        ) : (
          <ul className="flex flex-col gap-3">
            {data.map((webhook) => (
              <WebhookCard key={webhook._id} webhook={webhook} onChange={() => setChanging(webhook)} onMade={setMade} />
            ))}
          </ul>
        )}
      </section>
      {changing && (
        <Suspense fallback={null}>
          <WebhookDialog
            webhook={changing === 'new' ? null : changing}
            onClose={() => setChanging(null)}
            onSaved={(next) => {
              setChanging(null)
              if (next) setMade(next)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

type CardProps = { webhook: WebhookEndpoint; onChange: () => void; onMade: (made: Made) => void }

function WebhookCard({ webhook, onChange, onMade }: CardProps) {
  const { _id, url, isTest, disabledAt, failingSince, oldSecretUntil } = webhook
  const { rotate, sendTest, end, resend } = useWebhookActs(_id)
  const now = shopNow()
  const act = async (work: () => Promise<unknown>, done?: string) => {
    try {
      await work()
      if (done) toast.success(done)
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
  const makeSecret = async () => {
    if (!(await confirmAction({ question: developerTexts.secretQuestion, details: developerTexts.secretDetails }))) return
    await act(async () => onMade({ url, secret: (await rotate.mutateAsync()).secret }))
  }
  const remove = async () => {
    const question = developerTexts.removeQuestion(hostOf(url))
    if (!(await confirmAction({ question, details: developerTexts.removeDetails, title: developerTexts.remove, danger: true }))) return
    await act(() => end.mutateAsync(), developerTexts.removed)
  }
  const until = oldSecretUntil && Date.parse(oldSecretUntil) > now.getTime() ? new Date(oldSecretUntil) : null
  return (
    <li className="divide-y-2 divide-dotted divide-line overflow-hidden rounded-box border border-line bg-surface">
      <div className="px-3 py-2.5">
        <p className="wrap-anywhere">
          <span className="font-mono text-small">{url}</span> <ModeWord isTest={isTest} />
        </p>
        <p className="text-small text-muted">
          {developerTexts.signed}. {until && developerTexts.bothUntil(formatShortTime(until, now))}
        </p>
        {(disabledAt ?? failingSince) && (
          <p className="mt-1 rounded-box bg-pending-soft px-2.5 py-1.5 text-small text-pending">
            {(disabledAt ? developerTexts.off : developerTexts.failing)(formatShortTime(new Date(failingSince ?? disabledAt ?? ''), now))}
          </p>
        )}
        <div className="-mb-1 flex flex-wrap gap-x-4">
          <Act onPress={onChange}>{developerTexts.change}</Act>
          <Act onPress={() => void act(() => sendTest.mutateAsync(), developerTexts.testSent)}>{developerTexts.sendTest}</Act>
          <Act onPress={() => void makeSecret()}>{developerTexts.newSecret}</Act>
          <Act onPress={() => void remove()}>{developerTexts.remove}</Act>
        </div>
      </div>
      <Sent id={_id} onResend={(deliveryId) => act(() => resend.mutateAsync(deliveryId), developerTexts.resent)} />
    </li>
  )
}

function Act({ onPress, children }: { onPress: () => void; children: string }) {
  return (
    <button type="button" onClick={onPress} className="min-h-11 font-semibold text-brand-text">
      {children}
    </button>
  )
}

/** What was sent to one endpoint, the newest first. */
function Sent({ id, onResend }: { id: string; onResend: (deliveryId: string) => Promise<void> }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(sentQuery(id))
  const [all, setAll] = useState(false)
  if (error && !data) return <LoadError what={developerTexts.deliveriesOf} error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading>
        <Skeleton className="h-24" />
      </Loading>
    )
  const sent = data.pages.flatMap(({ deliveries }) => deliveries)
  if (sent.length === 0) return <p className="px-3 py-3 text-small text-muted">{developerTexts.noDeliveries}</p>
  const shown = all ? sent : sent.slice(0, FIRST)
  return (
    <>
      <ul className="divide-y-2 divide-dotted divide-line">
        {shown.map((delivery) => (
          <SentRow key={delivery._id} delivery={delivery} onResend={() => onResend(delivery._id)} />
        ))}
      </ul>
      {((!all && sent.length > FIRST) || hasNextPage) && (
        <Button
          block
          variant="quiet"
          busy={isFetchingNextPage}
          onClick={() => {
            if (all) void fetchNextPage()
            else setAll(true)
          }}
        >
          {developerTexts.more}
        </Button>
      )}
    </>
  )
}

const FIRST = 5

function SentRow({ delivery, onResend }: { delivery: WebhookDelivery; onResend: () => Promise<void> }) {
  const { event, order, status, attempts, answer, problem, tookMs, createdAt, nextAt } = delivery
  const [busy, setBusy] = useState(false)
  const now = shopNow()
  const facts = [
    formatShortTime(new Date(createdAt), now),
    status === 'delivered' && tookMs !== null && developerTexts.seconds(tookMs),
    attempts > 1 && developerTexts.tries(attempts),
    status === 'waiting' && attempts > 0 && nextAt && developerTexts.next(formatShortTime(new Date(nextAt), now)),
    order,
  ]
  const Icon = status === 'delivered' ? Check : status === 'waiting' ? Clock : X
  return (
    <li className="flex min-h-14.5 items-center justify-between gap-2 py-1.5 pr-1.5 pl-3">
      <div className="min-w-0">
        <p className="font-mono text-small font-semibold wrap-anywhere">{event}</p>
        <p className="text-small text-muted wrap-anywhere">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <span className="flex shrink-0 items-center gap-2">
        <span
          className={classNames(
            'inline-flex max-w-28 items-center gap-1 text-small font-semibold',
            status === 'delivered' ? 'text-done' : status === 'waiting' ? 'text-pending' : 'text-danger',
          )}
        >
          <Icon className="size-4 shrink-0" aria-hidden="true" />
          {answer ?? problem ?? (status === 'waiting' ? developerTexts.waiting : developerTexts.failed)}
        </span>
        <Button
          variant="secondary"
          size="compact"
          busy={busy}
          aria-label={`${developerTexts.resend} ${event} ${order ?? ''}`}
          onClick={() => {
            setBusy(true)
            void onResend().finally(() => setBusy(false))
          }}
        >
          {developerTexts.resend}
        </Button>
      </span>
    </li>
  )
}

function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}
