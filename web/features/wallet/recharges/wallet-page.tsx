import { ReceiptText, Wallet } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { formatDateTime } from '../../../../shared/dates.ts'
import { toCedis, toPesewas } from '../../../../shared/money.ts'
import type { Recharge, RechargeStatus } from '../../../../shared/recharges.ts'
import { readDraft, writeDraft } from '../../../lib/drafts.ts'
import { session } from '../../../lib/session.ts'
import { paymentTexts } from '../../../texts/payments.ts'
import { walletTexts } from '../../../texts/wallet.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../ui/money.tsx'
import { LoadError, NoticeBox } from '../../../ui/notice-box.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StatusBadge, toneOfStatus } from '../../../ui/status-badge.tsx'
import { useLastPage, useListState } from '../../../ui/use-list-state.ts'
import { PaymentBoxes } from '../../card/payments/payment-boxes.tsx'
import { useTopUpRules } from '../../card/payments/use-top-up-rules.ts'
import { RedeemCode } from '../wallet/redeem-code.tsx'
import { useRememberedPurchase } from '../wallet/remembered-purchase.ts'
import { Statement } from '../wallet/statement.tsx'
import { useMyRecharges } from './api.ts'
import { PaymentNotice } from './payment-notice.tsx'
import { PendingRequest } from './pending-request.tsx'
import { TopUpForm } from './top-up-form.tsx'
import { useArrivedMoney } from './use-arrived-money.ts'
import { useDecidedRecharges } from './use-decided-recharges.ts'

const ClaimForm = lazy(() => import('./claim-form.tsx'))

/** The draft that names the recharge whose payment instructions are open. */
const OPEN_NOTICE = 'payment notice'

/** My Wallet: the balance, a request that waits for its money, two ways to top up, and the statement. */
export default function WalletPage() {
  const user = session.use()
  const [, navigate] = useLocation()
  const [asked, setAsked] = useState<Recharge | null>(null)
  const userId = user?._id ?? null
  // After a visit to the mobile-money menu the page may have been reloaded.
  const [openId, setOpenId] = useState(() => readDraft(userId, OPEN_NOTICE)?.id ?? null)
  const { data: recharges } = useMyRecharges()
  const open = openId === null ? null : (recharges?.find(({ _id }) => _id === openId) ?? (asked?._id === openId ? asked : null))
  const show = (recharge: Recharge | null) => {
    setAsked(recharge)
    setOpenId(recharge?._id ?? null)
    writeDraft(userId, OPEN_NOTICE, recharge && { id: recharge._id })
  }
  const remembered = useRememberedPurchase()
  /** After a top-up at once, whoever came for a bundle goes on with it. */
  const goBackIfEnough = () => {
    const { purchase, forget } = remembered
    if (!purchase || toPesewas(session.get()?.balance ?? 0) < toPesewas(purchase.price)) return
    forget()
    navigate(purchase.path)
  }
  // Open when it was decided, it says so before it goes.
  if (open?.status === 'pending' && asked?._id !== open._id) setAsked(open)
  const waiting = recharges?.filter(({ status }) => status === 'pending') ?? []
  const { decided, dismiss } = useDecidedRecharges(recharges)
  return (
    <>
      <div className="sr-only">
        <PageHeader title={walletTexts.title} />
      </div>
      <div className="grid gap-x-8 gap-y-6 pt-3 lg:grid-cols-[23rem_minmax(0,1fr)] lg:pt-6">
        <div className="flex min-w-0 flex-col gap-6">
          <Balance cedis={user?.balance ?? 0} saysArrivals={decided.length === 0} />
          <PurchaseToReturnTo {...remembered} />
          <PaymentBoxes about={({ purpose, items }) => purpose === 'top-up' && items.length === 0} />
          {decided.map((recharge) => (
            <DecidedRequest key={recharge._id} recharge={recharge} onDismiss={() => dismiss(recharge)} />
          ))}
          {waiting[0] && <PendingRequest key={waiting[0]._id} recharge={waiting[0]} others={waiting.length - 1} />}
          <TopUpForm onRequested={show} neededPesewas={remembered.missingPesewas} onToppedUp={goBackIfEnough} />
          <RedeemCode />
          <FindPayment />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <h2 className="text-large">{walletTexts.statement}</h2>
          <Statement />
          <h2 className="mt-6 text-large">{walletTexts.history}</h2>
          <WalletHistory onPay={show} />
        </div>
      </div>
      {open && (asked || open.status === 'pending') && <PaymentNotice recharge={open} onClose={() => show(null)} />}
    </>
  )
}

/** What the wallet still lacks for the bundle that somebody came from, and the way back to it. */
function PurchaseToReturnTo({ purchase, missingPesewas, forget }: ReturnType<typeof useRememberedPurchase>) {
  if (!purchase) return null
  const { name, price, path } = purchase
  const isEnough = missingPesewas === 0
  return (
    <NoticeBox
      tone={isEnough ? 'done' : 'info'}
      title={isEnough ? walletTexts.enoughFor(name) : walletTexts.missingFor(moneyText(toCedis(missingPesewas)), name)}
      action={
        // In one line on the narrowest phone, so that the button that tops up stays in sight.
        <div className="-my-1 flex w-full flex-wrap">
          <ButtonLink href={path} variant={isEnough ? 'primary' : 'secondary'} onClick={forget}>
            {walletTexts.backTo(path === '/cart')}
          </ButtonLink>
          <Button variant="quiet" onClick={forget}>
            {paymentTexts.dismiss}
          </Button>
        </div>
      }
    >
      {!isEnough && <p className="text-small">{walletTexts.itCosts(moneyText(price))}</p>}
    </NoticeBox>
  )
}

/** What became of a request that waited here, where its payment instructions were. */
function DecidedRequest({ recharge, onDismiss }: { recharge: Recharge; onDismiss: () => void }) {
  const isApproved = recharge.status === 'approved'
  return (
    <NoticeBox
      tone={isApproved ? 'done' : 'danger'}
      title={isApproved ? walletTexts.inWallet(moneyText(recharge.credited ?? recharge.amount)) : walletTexts.declined}
      action={
        <Button variant="quiet" size="compact" className="max-sm:ml-4" onClick={onDismiss}>
          {paymentTexts.dismiss}
        </Button>
      }
    >
      {!isApproved && walletTexts.declinedText}
      <Reason recharge={recharge} />
    </NoticeBox>
  )
}

/** For whoever forgot the reference; most never open it. */
function FindPayment() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold text-brand-text">{walletTexts.forgotReference}</summary>
      {isOpen && (
        <Suspense fallback={<Skeleton className="h-40" />}>
          <ClaimForm />
        </Suspense>
      )}
    </details>
  )
}

function Balance({ cedis, saysArrivals }: { cedis: number; saysArrivals: boolean }) {
  const { data: rules } = useTopUpRules()
  const arrived = useArrivedMoney(cedis)
  return (
    <section aria-label={walletTexts.balance}>
      <p className="text-small text-muted">{walletTexts.balance}</p>
      <p className="text-figure tracking-tight">
        <Money cedis={cedis} className="text-[min(1em,13vw)]" />
      </p>
      <p role="status" className="text-small font-semibold text-done">
        {saysArrivals && arrived > 0 && walletTexts.arrived(moneyText(arrived))}
      </p>
      {rules?.onHold.map(({ reference, amount, until }) => (
        <p key={reference} className="mt-1 text-small text-pending">
          {walletTexts.onHold(moneyText(amount), formatDateTime(new Date(until)))}
        </p>
      ))}
    </section>
  )
}

function WalletHistory({ onPay }: { onPay: (recharge: Recharge) => void }) {
  const list = useListState(undefined, 'history-')
  const { page, pageSize } = list.table
  const { data, error, refetch } = useMyRecharges()
  // A top-up by card is no request, and stands in the statement.
  const hasHadMoney = (session.use()?.balanceVersion ?? 0) > 0
  const matching = data && searchRecharges(data, list.table.search)
  const rows = matching?.slice((page - 1) * pageSize, page * pageSize)
  useLastPage(rows && matching && { rows, total: matching.length }, list)
  if (error && !data) return <LoadError what={walletTexts.historyOf} error={error} onRetry={() => void refetch()} />
  return (
    <DataTable
      caption={walletTexts.history}
      columns={columnsWith(onPay)}
      rows={rows}
      rowKey={(recharge) => recharge._id}
      total={matching?.length ?? 0}
      state={list.table}
      onState={list.setTable}
      searchLabel={walletTexts.searchHistory}
      card={(recharge) => (
        <div className="flex flex-col gap-2">
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            <Money cedis={recharge.credited ?? recharge.amount} className="text-title" />
            <RechargeBadge status={recharge.status} />
          </div>
          <div className="tabular flex flex-wrap items-center justify-between gap-x-3 text-small text-muted">
            <span>{dateOf(recharge)}</span>
            <span>{recharge.rechargeId}</span>
          </div>
          <Reason recharge={recharge} />
          {recharge.status === 'pending' && (
            <Button variant="secondary" block icon={<ReceiptText className="size-5" aria-hidden="true" />} onClick={() => onPay(recharge)}>
              {walletTexts.howToPay}
            </Button>
          )}
        </div>
      )}
      empty={
        <EmptyState icon={<Wallet />} title={hasHadMoney ? walletTexts.noRequests : walletTexts.noHistory}>
          {walletTexts.noHistoryText}
        </EmptyState>
      }
    />
  )
}

function columnsWith(onPay: (recharge: Recharge) => void): Column<Recharge>[] {
  return [
    { key: 'date', header: walletTexts.date, cell: (recharge) => <span className="tabular whitespace-nowrap">{dateOf(recharge)}</span> },
    {
      key: 'reference',
      header: walletTexts.referenceColumn,
      cell: (recharge) => (
        <span className="flex flex-wrap items-center gap-x-4">
          <span className="tabular">{recharge.rechargeId}</span>
          {recharge.status === 'pending' && (
            <button
              type="button"
              onClick={() => onPay(recharge)}
              className="min-h-11 font-semibold text-brand-text underline underline-offset-4"
            >
              {walletTexts.howToPay}
            </button>
          )}
        </span>
      ),
    },
    { key: 'amount', header: walletTexts.sum, align: 'right', cell: (recharge) => <Money cedis={recharge.credited ?? recharge.amount} /> },
    {
      key: 'status',
      header: walletTexts.status,
      align: 'right',
      cell: (recharge) => (
        <>
          <RechargeBadge status={recharge.status} />
          <Reason recharge={recharge} />
        </>
      ),
    },
  ]
}

/** Customers see a declined request as rejected. */
const STATUS_WORDS: Record<RechargeStatus, string> = { pending: 'pending', approved: 'approved', declined: 'rejected' }

function RechargeBadge({ status }: { status: RechargeStatus }) {
  return <StatusBadge tone={toneOfStatus(status)}>{STATUS_WORDS[status]}</StatusBadge>
}

/** Why a request was rejected, where the shop said so, or that another amount came in than was asked for. */
function Reason({ recharge: { declineReason, amount, credited } }: { recharge: Recharge }) {
  const differs = credited !== null && credited !== amount
  const says = declineReason ? walletTexts.reason(declineReason) : differs && walletTexts.askedFor(moneyText(amount))
  return says && <p className="text-small break-words text-muted">{says}</p>
}

function searchRecharges(recharges: readonly Recharge[], search: string): readonly Recharge[] {
  const wanted = search.trim().toLowerCase()
  if (!wanted) return recharges
  return recharges.filter((recharge) =>
    [dateOf(recharge), recharge.rechargeId, (recharge.credited ?? recharge.amount).toFixed(2), STATUS_WORDS[recharge.status]].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  )
}

function dateOf(recharge: Recharge): string {
  return formatDateTime(new Date(recharge.createdAt))
}
