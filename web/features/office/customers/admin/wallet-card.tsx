import { Ban, Check, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Customer } from '../../../../../shared/customers.ts'
import { call } from '../../../../lib/api.ts'
import { isOutcomeUnknown, messageOf } from '../../../../lib/http.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'
import { useNow } from '../../../../lib/use-now.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { keepCustomer } from './api.ts'
import { agoWords, dayWords } from './moment-words.ts'

/** The balance, whether the customer may sign in, and the last credit while it can be undone. */
export function WalletCard({ customer }: { customer: Customer }) {
  const { wallet, status, createdAt, email } = customer
  return (
    <Card label="Wallet">
      <div className="flex flex-wrap items-start justify-between gap-3 px-4 py-4">
        <div className="min-w-0">
          {wallet ? (
            <>
              <p className="text-small text-muted">Wallet Balance</p>
              <Money cedis={wallet.balance} className="text-[min(2.5rem,11vw)] leading-[1.1] tracking-[-0.02em]" />
            </>
          ) : (
            <p className="text-body text-muted">You don’t see wallets. Ask whoever handles the money.</p>
          )}
          <p className="mt-1 text-small break-all text-muted">{email}</p>
        </div>
        <div className="ml-auto flex shrink-0 flex-col items-end gap-1.5 text-right">
          {status === 'Active' ? (
            <StateChip tone="done" icon={<Check aria-hidden="true" />}>
              Active
            </StateChip>
          ) : (
            <StateChip tone="danger" icon={<Ban aria-hidden="true" />}>
              Banned
            </StateChip>
          )}
          {wallet && (
            <p className="text-small text-muted">
              <span className="block">Total Purchase</span>
              <Money cedis={wallet.totalPurchase} />
            </p>
          )}
          <p className="text-small whitespace-nowrap text-muted">
            Since {dayWords(createdAt)} {createdAt.slice(0, 4)}
          </p>
        </div>
      </div>
      {wallet?.lastCredit && <UndoBar customerId={customer._id} credit={wallet.lastCredit} />}
    </Card>
  )
}

type LastCredit = NonNullable<NonNullable<Customer['wallet']>['lastCredit']>

function UndoBar({ customerId, credit }: { customerId: string; credit: LastCredit }) {
  const [busy, setBusy] = useState(false)
  const now = useNow().getTime()
  const { entry, amount, mine, by, at } = credit
  const undo = async () => {
    setBusy(true)
    try {
      const { customer } = await withPassword(() =>
        call('POST /admin/customers/:id/credit/undo', { params: { id: customerId }, body: { entry } }),
      )
      keepCustomer(customer)
      toast.success(`Undone. The wallet holds ${moneyText(customer.wallet?.balance ?? 0)} again.`)
    } catch (error) {
      // It happens once at most, so pressing again is safe.
      toast.danger(
        isOutcomeUnknown(error) ? 'We don’t know yet if it was undone. Press Undo again: it only happens once.' : messageOf(error),
      )
      refreshSoon(['users'])
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 border-t border-line bg-sunken px-4 py-2">
      <p className="min-w-0 flex-1 basis-32 text-small">
        {mine ? 'You' : (by ?? 'The shop')} credited <Money cedis={amount} />, {agoWords(at, now)}
      </p>
      <Button
        variant="secondary"
        busy={busy}
        busyLabel="Undoing…"
        icon={<Undo2 className="size-4.5" aria-hidden="true" />}
        onClick={() => void undo()}
      >
        Undo
      </Button>
    </div>
  )
}
