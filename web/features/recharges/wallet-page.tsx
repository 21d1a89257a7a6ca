import { ReceiptText, Wallet } from 'lucide-react'
import { useId, useState } from 'react'
import { formatDateTime } from '../../../shared/dates.ts'
import { NOT_AN_AMOUNT, parseCedis, toCedis } from '../../../shared/money.ts'
import { MIN_RECHARGE, rechargeProblem } from '../../../shared/recharge-rules.ts'
import type { Recharge, RechargeStatus } from '../../../shared/recharges.ts'
import { readDraft, writeDraft } from '../../lib/drafts.ts'
import { messageOf } from '../../lib/http.ts'
import { session } from '../../lib/session.ts'
import { parseFields, useForm } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { type Column, DataTable, FIRST_PAGE } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money } from '../../ui/money.tsx'
import { MoneyField } from '../../ui/money-field.tsx'
import { LoadError } from '../../ui/notice-box.tsx'
import { Card } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { StatusBadge, toneOfStatus } from '../../ui/status-badge.tsx'
import { toast } from '../../ui/toast.ts'
import { Statement } from '../wallet/statement.tsx'
import { useMyRecharges, useRequestRecharge } from './api.ts'
import { PaymentNotice } from './payment-notice.tsx'

/** The draft that names the recharge whose payment instructions are open. */
const OPEN_NOTICE = 'payment notice'
const AT_LEAST = `At least ${MIN_RECHARGE}.00 cedis`

/** My Wallet: the balance, the recharge form and earlier requests. */
export default function WalletPage() {
  const user = session.use()
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
  const requestRecharge = useRequestRecharge()
  const minimumId = useId()

  const form = useForm({
    initial: { amount: '' },
    draft: { form: 'recharge', fields: ['amount'] },
    parse: ({ amount }) => parseFields({ amount: amountProblem(amount) }, () => ({ amount: toCedis(parseCedis(amount) ?? 0) })),
    submit: async ({ amount }) => {
      const { rechargeId, recharge } = await requestRecharge.mutateAsync({ amount })
      toast.success(`Recharge request submitted successfully. Your reference ID is ${rechargeId}`)
      show(recharge)
      form.reset()
    },
    onRefused: (_, error) => toast.danger(messageOf(error)),
  })
  const problem = amountProblem(form.values.amount)

  return (
    <>
      <PageHeader title="My Wallet" />
      <div className="grid gap-4 md:grid-cols-2">
        <Card className="flex flex-col justify-center gap-1 p-5 sm:p-6">
          <p className="text-body text-muted">Wallet balance</p>
          <Money cedis={user?.balance ?? 0} className="text-hero" />
          <p className="mt-2 text-small text-muted">Top up by mobile money. We check each payment by hand, during work hours.</p>
        </Card>
        <Card className="p-5 sm:p-6">
          <form {...form.props} className="flex flex-col gap-4">
            <MoneyField
              {...form.valueField('amount')}
              label="Recharge amount"
              title={AT_LEAST}
              hint={<span id={minimumId}>{AT_LEAST}</span>}
              error={form.errors.amount ?? form.formError ?? (form.values.amount.length > 1 ? problem : null) ?? undefined}
            />
            <Button type="submit" disabled={problem !== null} busy={form.busy} busyLabel="Sending…" aria-describedby={minimumId}>
              Request
            </Button>
          </form>
        </Card>
      </div>
      <h2 className="mt-10 mb-4 text-title">Wallet history</h2>
      <WalletHistory onPay={show} />
      <h2 className="mt-10 mb-4 text-title">Statement</h2>
      <Statement />
      {open && (asked || open.status === 'pending') && <PaymentNotice recharge={open} onClose={() => show(null)} />}
    </>
  )
}

function WalletHistory({ onPay }: { onPay: (recharge: Recharge) => void }) {
  const [state, setState] = useState(FIRST_PAGE)
  const { data, error, refetch } = useMyRecharges()
  if (error && !data) return <LoadError what="Your wallet history" error={error} onRetry={() => void refetch()} />
  const matching = data && searchRecharges(data, state.search)
  return (
    <DataTable
      caption="Wallet history"
      columns={columnsWith(onPay)}
      rows={matching?.slice((state.page - 1) * state.pageSize, state.page * state.pageSize)}
      rowKey={(recharge) => recharge._id}
      total={matching?.length ?? 0}
      state={state}
      onState={setState}
      searchLabel="Search my wallet history"
      card={(recharge) => (
        <div className="flex flex-col gap-2">
          <div className="flex items-center justify-between gap-3">
            <Money cedis={recharge.amount} className="text-title" />
            <RechargeBadge status={recharge.status} />
          </div>
          <div className="tabular flex items-center justify-between gap-3 text-small text-muted">
            <span>{dateOf(recharge)}</span>
            <span>{recharge.rechargeId}</span>
          </div>
          {recharge.status === 'pending' && (
            <Button variant="secondary" block icon={<ReceiptText className="size-5" aria-hidden="true" />} onClick={() => onPay(recharge)}>
              How to pay
            </Button>
          )}
        </div>
      )}
      empty={
        <EmptyState icon={<Wallet />} title="You haven't recharged your wallet yet">
          Enter an amount above and press Request. We’ll show you where to send the money and which reference to use.
        </EmptyState>
      }
    />
  )
}

function columnsWith(onPay: (recharge: Recharge) => void): Column<Recharge>[] {
  return [
    { key: 'date', header: 'Date', cell: (recharge) => <span className="tabular whitespace-nowrap">{dateOf(recharge)}</span> },
    {
      key: 'reference',
      header: 'Reference',
      cell: (recharge) => (
        <span className="flex flex-wrap items-center gap-x-4">
          <span className="tabular">{recharge.rechargeId}</span>
          {recharge.status === 'pending' && (
            <button
              type="button"
              onClick={() => onPay(recharge)}
              className="min-h-11 font-semibold text-brand-text underline underline-offset-4"
            >
              How to pay
            </button>
          )}
        </span>
      ),
    },
    { key: 'amount', header: 'Amount', align: 'right', cell: (recharge) => <Money cedis={recharge.amount} /> },
    { key: 'status', header: 'Status', align: 'right', cell: (recharge) => <RechargeBadge status={recharge.status} /> },
  ]
}

/** Customers see a declined request as rejected. */
const STATUS_WORDS: Record<RechargeStatus, string> = { pending: 'pending', approved: 'approved', declined: 'rejected' }

function RechargeBadge({ status }: { status: RechargeStatus }) {
  return <StatusBadge tone={toneOfStatus(status)}>{STATUS_WORDS[status]}</StatusBadge>
}

function searchRecharges(recharges: readonly Recharge[], search: string): readonly Recharge[] {
  const wanted = search.trim().toLowerCase()
  if (!wanted) return recharges
  return recharges.filter((recharge) =>
    [dateOf(recharge), recharge.rechargeId, recharge.amount.toFixed(2), STATUS_WORDS[recharge.status]].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  )
}

function dateOf(recharge: Recharge): string {
  return formatDateTime(new Date(recharge.createdAt))
}

function amountProblem(text: string): string | null {
  const pesewas = parseCedis(text)
  return pesewas === null ? NOT_AN_AMOUNT : rechargeProblem(toCedis(pesewas))
}
