import { CreditForm } from './credit-form.tsx'
import { Disputes } from './disputes.tsx'
import { HeldPayments } from './held-payments.tsx'
import { RechargesTable } from './recharges-table.tsx'
import { UnmatchedPayments } from './unmatched-payments.tsx'

/** Wallets: credits and debits by hand, the recharges that customers ask for, and card payments that went astray. */
export function FinanceTab() {
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
