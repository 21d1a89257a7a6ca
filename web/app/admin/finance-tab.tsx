import { Disputes } from '../../features/payments/admin/disputes.tsx'
import { HeldPayments } from '../../features/payments/admin/held-payments.tsx'
import { UnmatchedPayments } from '../../features/payments/admin/unmatched-payments.tsx'
import { RechargesTable } from '../../features/recharges/admin/recharges-table.tsx'
import { CreditForm } from '../../features/wallet/admin/credit-form.tsx'

/** Manual credits and debits, recharge requests, and card payments that need attention. */
export default function FinanceTab() {
  return (
    <div className="flex flex-col gap-10">
      <CreditForm />
      <RechargesTable />
      <Disputes />
      <HeldPayments />
      <UnmatchedPayments />
    </div>
  )
}
