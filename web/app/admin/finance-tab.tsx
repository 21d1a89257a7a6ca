import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { hasRole, SEES_FINANCE } from '../../../shared/staff-rules.ts'
import { WithdrawalsTab } from '../../features/agents/withdrawals/admin/withdrawals-tab.tsx'
import { Disputes } from '../../features/card/payments/admin/disputes.tsx'
import { HeldPayments } from '../../features/card/payments/admin/held-payments.tsx'
import { UnmatchedPayments } from '../../features/card/payments/admin/unmatched-payments.tsx'
import { RefundsTab } from '../../features/card/refunds/admin/refunds-tab.tsx'
import { PhonesTab } from '../../features/wallet/forwarders/admin/phones-tab.tsx'
import { matchesQuery } from '../../features/wallet/received-payments/admin/api.ts'
import { MatchTab } from '../../features/wallet/received-payments/admin/match-tab.tsx'
import { RechargesTable } from '../../features/wallet/recharges/admin/recharges-table.tsx'
import { CreditForm } from '../../features/wallet/wallet/admin/credit-form.tsx'
import { session } from '../../lib/session.ts'
import { CountMark } from '../../ui/admin/count-mark.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { HeldMark, RefundsMark } from './marks.tsx'

const HREF = '/admin/finance'
const MATCH = `${HREF}/match`
const WITHDRAWALS = `${HREF}/withdrawals`
const PHONES = `${HREF}/phones`

/** Wallets to credit or debit and their recharges, mobile money to match, and card payments that need attention. */
export default function FinanceTab() {
  const [path] = useLocation()
  const roles = session.use()?.roles ?? ['owner']
  const tabs = TABS.filter(
    ({ href }) => (href !== WITHDRAWALS || hasRole({ roles }, SEES_FINANCE)) && (href !== PHONES || hasRole({ roles }, 'finance')),
  )
  const current = tabs.find(({ href }) => href !== HREF && path.startsWith(href)) ?? TABS[0]
  return (
    <div className="flex flex-col gap-4">
      <Tabs label="Finance" tabs={tabs} current={current.href} />
      <current.Content />
    </div>
  )
}

/** What an older address below this one leads to as well. */
function Wallets() {
  return (
    <div className="flex flex-col gap-8">
      <CreditForm />
      <RechargesTable />
    </div>
  )
}

function CardPayments() {
  return (
    <div className="flex flex-col gap-10">
      <HeldPayments />
      <Disputes />
      <UnmatchedPayments />
    </div>
  )
}

function MatchMark() {
  const { data } = useQuery(matchesQuery)
  if (!data) return null
  const { certain, doubtful, unmatched, questioned } = data
  return <CountMark count={certain.length + doubtful.length + unmatched.length + questioned.length} word="to decide" quiet />
}

const TABS = [
  { href: HREF, label: 'Wallets', Content: Wallets },
  { href: MATCH, label: 'Match', mark: <MatchMark />, Content: MatchTab },
  { href: PHONES, label: 'Phones', Content: PhonesTab },
  { href: WITHDRAWALS, label: 'Withdrawals', Content: WithdrawalsTab },
  { href: `${HREF}/refunds`, label: 'Refunds', mark: <RefundsMark />, Content: RefundsTab },
  { href: `${HREF}/held`, label: 'Held card payments', mark: <HeldMark />, Content: CardPayments },
] as const
