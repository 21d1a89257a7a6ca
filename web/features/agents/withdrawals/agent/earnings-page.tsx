import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Clock, Store, Wallet } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatLongDate, formatShortTime } from '../../../../../shared/dates.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import type { Earnings, Withdrawal } from '../../../../../shared/withdrawals.ts'
import { aboutRecord } from '../../../../lib/about-record.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { messageOf } from '../../../../lib/http.ts'
import { earningsTexts } from '../../../../texts/earnings.ts'
import { ThumbBar } from '../../../../ui/agent/thumb-bar.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { CsvButton } from '../../../../ui/csv-button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Page } from '../../../../ui/page.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { earningsQuery, useCancelWithdrawal, useRemoveNumber, withdrawalsQuery } from './api.ts'

const FIRST = 10
const MOST = 50

/** What an agent's shop has earned, where it is, and what was withdrawn. */
export default function EarningsPage() {
  const { data, error, refetch } = useQuery(earningsQuery)
  return (
    <Page className="pb-4! lg:pb-16!">
      <PageHeader unseen title={earningsTexts.title} />
      {error && data === undefined ? (
        <LoadError what={earningsTexts.of} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading>
          <div className="flex flex-col gap-4 pt-3">
            <Skeleton className="h-64" />
            <Skeleton className="h-72" />
          </div>
        </Loading>
      ) : data === null ? (
        <div className="pt-4">
          <EmptyState icon={<Store />} title={earningsTexts.noShop}>
            {earningsTexts.noShopText}
          </EmptyState>
        </div>
      ) : (
        <Loaded earnings={data} />
      )}
    </Page>
  )
}

function Loaded({ earnings }: { earnings: Earnings }) {
  return (
    <div className="flex flex-col gap-x-8 gap-y-6 pt-3 lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:pt-6">
      <div className="flex min-w-0 flex-col gap-6">
        <Pots earnings={earnings} />
        {earnings.debt > 0 && (
          <p className="rounded-box bg-pending-soft px-3 py-2.5 text-body text-pending">{earningsTexts.debt(moneyText(earnings.debt))}</p>
        )}
        <Withdrawals />
      </div>
      <aside className="flex min-w-0 flex-col gap-6">
        <div className="hidden lg:block">
          <WithdrawButton earnings={earnings} />
        </div>
        <Sums earnings={earnings} />
        <Numbers earnings={earnings} />
        <Latest earnings={earnings} />
      </aside>
      <ThumbBar className="lg:hidden">
        <WithdrawButton earnings={earnings} />
      </ThumbBar>
    </div>
  )
}

function Pots({ earnings: { withdrawable, held, onTheWay } }: { earnings: Earnings }) {
  return (
    <div className="grid grid-cols-2 gap-2 lg:grid-cols-[1.3fr_1fr_1fr]">
      <Pot title={earningsTexts.canWithdraw} stub={earningsTexts.fromDelivered} className="col-span-2 lg:col-span-1" mine>
        <Money cedis={withdrawable} className="text-[min(2.5rem,13vw)] leading-[1.1] tracking-tight" />
      </Pot>
      <Pot title={earningsTexts.free(held.freeAt && whenFree(new Date(held.freeAt)))} stub={earningsTexts.delivered(held.orders)}>
        <Money cedis={held.amount} className="text-title" />
      </Pot>
      <Pot title={earningsTexts.onTheWay} stub={earningsTexts.pending(onTheWay.orders)}>
        <Money cedis={onTheWay.amount} className="text-title" />
      </Pot>
    </div>
  )
}

function Pot({
  title,
  stub,
  mine,
  className,
  children,
}: {
  title: string
  stub: string
  mine?: boolean
  className?: string
  children: ReactNode
}) {
  return (
    <div className={classNames('ticket', mine && '[--rim:var(--brand-text)]', className)}>
      <div className="flex-1 px-3 pt-3 pb-2">
        <p className="text-small text-muted">{title}</p>
        <p>{children}</p>
      </div>
      <div className="perf" aria-hidden="true" />
      <p className={classNames('px-3 pt-2 pb-2.5 text-small', mine ? 'bg-brand-soft text-brand-text' : 'text-muted')}>{stub}</p>
    </div>
  )
}

function WithdrawButton({ earnings: { withdrawable, rules } }: { earnings: Earnings }) {
  return rules.enabled ? (
    <ButtonLink block size="large" href="/agent/earnings/withdraw" stub={<Money cedis={withdrawable} />}>
      {earningsTexts.withdraw}
    </ButtonLink>
  ) : (
    <p className="py-3 text-body text-muted">{earningsTexts.closed}</p>
  )
}

function Withdrawals() {
  const [pageSize, setPageSize] = useState(FIRST)
  const { data, error, refetch } = useQuery(withdrawalsQuery(pageSize))
  return (
    <section>
      <div className="mb-2 flex min-h-11 flex-wrap items-center justify-between gap-2">
        <h2 className="text-large">{earningsTexts.withdrawals}</h2>
        {data && data.total > 0 && <CsvButton file="withdrawals" filters={{}} />}
      </div>
      {error && !data ? (
        <LoadError what={earningsTexts.withdrawalsOf} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading>
          <Skeleton className="h-48" />
        </Loading>
      ) : data.rows.length === 0 ? (
        <EmptyState icon={<Wallet />} title={earningsTexts.none}>
          {earningsTexts.noneText}
        </EmptyState>
      ) : (
        <>
          <ul className="divide-y-2 divide-dotted divide-line overflow-hidden rounded-box border border-line bg-surface">
            {data.rows.map((withdrawal) => (
              <WithdrawalRow key={withdrawal._id} withdrawal={withdrawal} />
            ))}
          </ul>
          {data.total > data.rows.length && pageSize < MOST && (
            <Button block variant="secondary" className="mt-3" onClick={() => setPageSize(MOST)}>
              {earningsTexts.more}
            </Button>
          )}
        </>
      )}
    </section>
  )
}

function WithdrawalRow({ withdrawal }: { withdrawal: Withdrawal }) {
  const { status, amount, payout, phoneNumber, reason, createdAt, askedNextAt } = withdrawal
  const cancel = useCancelWithdrawal()
  const takeBack = async () => {
    const sum = moneyText(amount)
    const about = aboutRecord(withdrawal, 'status')
    const question = earningsTexts.takeBackQuestion(sum)
    if (!(await confirmAction({ about, question, title: earningsTexts.takeBack, danger: true }))) return
    try {
      await cancel.mutateAsync(withdrawal)
      toast.success(earningsTexts.takenBack(sum))
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
  const note =
    status === 'paid'
      ? earningsTexts.youGot(moneyText(payout))
      : isBack(status)
        ? [reason, earningsTexts.isBack(moneyText(amount))].filter(Boolean).join(' ')
        : reason
  return (
    <li className={classNames('px-3 py-3', status === 'unknown' && 'bg-pending-soft')}>
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 font-normal">
          <Money cedis={amount} /> <span className="whitespace-nowrap">{earningsTexts.to(spacedPhone(phoneNumber))}</span>
        </p>
        <span className="tabular shrink-0 text-small text-muted">{formatShortTime(new Date(createdAt), shopNow())}</span>
      </div>
      <div className="flex flex-wrap items-center gap-x-3">
        <StatusWord status={status} />
        {note && <span className="text-small text-muted">{note}</span>}
      </div>
      {status === 'unknown' && (
        <p className="text-small text-pending">
          {earningsTexts.neverTwice} {askedNextAt && earningsTexts.askAt(formatShortTime(new Date(askedNextAt), shopNow()))}
        </p>
      )}
      {status === 'approval' && (
        <button
          type="button"
          disabled={cancel.isPending}
          onClick={() => void takeBack()}
          className="-mb-2 min-h-11 font-semibold text-brand-text underline underline-offset-4"
        >
          {earningsTexts.takeBack}
        </button>
      )}
    </li>
  )
}

const isBack = (status: Withdrawal['status']) => ['failed', 'declined', 'cancelled', 'reversed'].includes(status)

function StatusWord({ status }: { status: Withdrawal['status'] }) {
  const Icon = status === 'paid' ? CircleCheck : isBack(status) ? CircleX : Clock
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 text-small font-semibold',
        status === 'paid' ? 'text-done' : isBack(status) ? 'text-danger' : 'text-pending',
      )}
    >
      <Icon className="size-4" aria-hidden="true" />
      {earningsTexts.statuses[status]}
    </span>
  )
}

function Sums({ earnings: { sums, held, withdrawable } }: { earnings: Earnings }) {
  const since = formatLongDate(new Date(sums.since))
  const lines: [string, number][] = [
    [earningsTexts.before(since), sums.before],
    [earningsTexts.released(since), sums.released],
    [earningsTexts.refunds(sums.takenBack.count), -sums.takenBack.amount],
    [earningsTexts.withdrawn(sums.withdrawn.count), -sums.withdrawn.amount],
    [earningsTexts.beingPaid(sums.beingPaid.count), -sums.beingPaid.amount],
    [earningsTexts.free(held.freeAt && whenFree(new Date(held.freeAt))), -held.amount],
  ]
  const moved = lines.filter(([, cedis]) => cedis !== 0)
  const line = moved.length > 0 && 'border-t-2 border-dotted border-line pt-2'
  return (
    <section>
      <h2 className="mb-2 text-large">{earningsTexts.sums}</h2>
      <dl className="ticket grid grid-cols-[1fr_auto] gap-x-4 text-[min(1em,5vw)] gap-y-1.5 px-3 py-3.5">
        {moved.map(([words, cedis]) => (
          <Sum key={words} words={words}>
            <Money cedis={cedis} />
          </Sum>
        ))}
        <dt className={classNames('font-bold', line)}>{earningsTexts.canWithdraw}</dt>
        <dd className={classNames('text-right text-large', line)}>
          <Money cedis={withdrawable} />
        </dd>
      </dl>
      <p className="mt-2 text-small text-muted">{earningsTexts.sumsNote}</p>
    </section>
  )
}

function Sum({ words, children }: { words: string; children: ReactNode }) {
  return (
    <>
      <dt>{words}</dt>
      <dd className="text-right">{children}</dd>
    </>
  )
}

/** The numbers that money goes to without a person; one that is removed is new again. */
function Numbers({ earnings: { numbers, confirmed } }: { earnings: Earnings }) {
  const remove = useRemoveNumber()
  const phones = [...new Set([...numbers, ...confirmed].map(({ phoneNumber }) => phoneNumber))]
  const ask = async (phone: string) => {
    const shown = spacedPhone(phone)
    const yes = await confirmAction({
      question: earningsTexts.removeQuestion(shown),
      title: earningsTexts.removeTitle,
      details: earningsTexts.removeDetails,
      yes: earningsTexts.removeNumber,
      danger: true,
    })
    if (!yes) return
    try {
      await remove.mutateAsync(phone)
      toast.success(earningsTexts.removed(shown))
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
  if (phones.length === 0) return null
  return (
    <section>
      <h2 className="mb-2 text-large">{earningsTexts.numbers}</h2>
      <ul className="divide-y-2 divide-dotted divide-line rounded-box border border-line bg-surface">
        {phones.map((phone) => {
          const used = numbers.filter(({ phoneNumber }) => phoneNumber === phone)
          const times = used.reduce((sum, one) => sum + one.used, 0)
          return (
            <li key={phone} className="flex items-center justify-between gap-3 px-3 py-1">
              <span className="min-w-0">
                <span className="tabular block whitespace-nowrap">{spacedPhone(phone)}</span>
                <span className="block break-words text-small text-muted">
                  {used[0] ? `${used[0].name}. ${earningsTexts.usedTimes(times)}` : earningsTexts.confirmed}
                </span>
              </span>
              <button
                type="button"
                disabled={remove.isPending}
                aria-label={earningsTexts.removeOf(spacedPhone(phone))}
                onClick={() => void ask(phone)}
                className="min-h-11 shrink-0 font-semibold text-brand-text underline underline-offset-4"
              >
                {earningsTexts.removeNumber}
              </button>
            </li>
          )
        })}
      </ul>
      <p className="mt-2 text-small text-muted">{earningsTexts.numbersNote}</p>
    </section>
  )
}

function Latest({ earnings: { latest } }: { earnings: Earnings }) {
  return (
    <section>
      <h2 className="mb-2 text-large">{earningsTexts.latest}</h2>
      {latest.length === 0 ? (
        <p className="text-body text-muted">{earningsTexts.noLatest}</p>
      ) : (
        <ul className="divide-y-2 divide-dotted divide-line rounded-box border border-line bg-surface">
          {latest.map(({ id, details, amount }) => (
            <li key={id} className="flex items-baseline justify-between gap-3 px-3 py-2.5">
              <span className="min-w-0 break-words">{details.replace(/\d{10}/, spacedPhone)}</span>
              <Money cedis={amount} signed className={amount > 0 ? 'text-done' : 'text-danger'} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const DAY_MS = 24 * 3_600_000

/** "today, 9am", "tomorrow, 9am" or "24 November, 9am". */
function whenFree(at: Date): string {
  const days = Math.floor(at.getTime() / DAY_MS) - Math.floor(shopNow().getTime() / DAY_MS)
  const day = days <= 0 ? 'today' : days === 1 ? 'tomorrow' : formatLongDate(at)
  return `${day}, ${at.getUTCHours()}am`
}
