import { CreditForm } from './credit-form.tsx'

/** Wallets: credits and debits by hand, and the recharges that customers ask for. */
export function FinanceTab() {
  return (
    <div className="flex flex-col gap-8">
      <CreditForm />
    </div>
  )
}
