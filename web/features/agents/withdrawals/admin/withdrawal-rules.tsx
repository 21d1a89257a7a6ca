import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toCedis } from '../../../../../shared/money.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import type { WithdrawalRules as Rules } from '../../../../../shared/withdrawals.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { queryClient } from '../../../../lib/query-client.ts'
import { only } from '../../../../lib/use-form.ts'
import { useTyped } from '../../../../lib/use-typed.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { DigitsField } from '../../../../ui/admin/digits-field.tsx'
import { Button } from '../../../../ui/button.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { SwitchField } from '../../../../ui/switch-field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'

const rulesQuery = queryOptions({ queryKey: ['withdrawal-rules'], queryFn: ({ signal }) => call('GET /withdrawals/rules', { signal }) })

/** What the owner has set for withdrawals; others of the staff read it. */
export function WithdrawalRules({ mayChange }: { mayChange: boolean }) {
  const { data } = useQuery(rulesQuery)
  if (!data) return null
  const { rules, available } = data
  return (
    <Card title="Rules for withdrawals">
      <div className="flex flex-col gap-4 px-4 py-3">
        {!available && <p className="text-body text-pending">The card provider is not set up here, so each withdrawal is paid by hand.</p>}
        {mayChange ? (
          <RulesForm rules={rules} />
        ) : (
          <p className="text-body text-muted">
            At least {moneyText(rules.minimum)}, a fee of {moneyText(rules.fee)}. Up to {moneyText(rules.unapproved)} a day goes out without
            asking, to a number that was paid before or confirmed by a code. Earnings rest {rules.holdNights}{' '}
            {rules.holdNights === 1 ? 'night' : 'nights'}.
          </p>
        )}
      </div>
    </Card>
  )
}

function RulesForm({ rules }: { rules: Rules }) {
  const typed = useTyped({
    minimum: rules.minimum.toFixed(2),
    fee: rules.fee.toFixed(2),
    unapproved: rules.unapproved.toFixed(2),
    holdNights: String(rules.holdNights),
    numberHoldHours: String(rules.numberHoldHours),
  })
  const { minimum, fee, unapproved, holdNights, numberHoldHours } = typed.values
  const [busy, setBusy] = useState(false)
  const save = async (change: Partial<Rules>) => {
    setBusy(true)
    try {
      queryClient.setQueryData(rulesQuery.queryKey, await withPassword(() => call('PUT /withdrawals/rules', { body: change })))
      if (typed.changed.some((name) => name in change)) typed.clear()
      toast.success('The rules were saved.')
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const amounts = [minimum, fee, unapproved].map((text) => pesewasIn(text))
  const [least, price, free] = amounts
  const isReadable = least != null && price != null && free != null && /^\d{1,2}$/.test(holdNights) && /^\d{1,3}$/.test(numberHoldHours)
  return (
    <>
      <SwitchField
        name="enabled"
        label="Agents may withdraw"
        hint="Off: nothing new is asked for. What waits here can still be decided."
        checked={rules.enabled}
        onValue={(enabled) => void save({ enabled })}
      />
      <SwitchField
        name="byHand"
        label="I pay every withdrawal by hand"
        hint="Off: the card provider sends the money from your balance there."
        checked={rules.byHand}
        onValue={(byHand) => void save({ byHand })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <MoneyField label="Lowest withdrawal" {...typed.field('minimum')} />
        <MoneyField label="Fee" hint="Paystack takes ¢1.00 for a transfer to mobile money." {...typed.field('fee')} />
        <MoneyField
          label="Goes out without asking, a day"
          hint="To a number that was paid before or confirmed by a code. 0: nothing does"
          {...typed.field('unapproved')}
        />
        <DigitsField
          label="Nights that earnings rest"
          maxLength={2}
          hint="0 to 14. Free at 9 in the morning."
          {...typed.field('holdNights')}
        />
        <DigitsField
          label="Hours that a new number waits"
          maxLength={3}
          hint="If the agent’s phone, e-mail or password was changed in the week before. 0 to 168. Until then you look first."
          {...typed.field('numberHoldHours')}
        />
      </div>
      <Button
        variant="secondary"
        busy={busy}
        disabled={!isReadable || typed.changed.length === 0}
        className="self-start"
        onClick={() =>
          isReadable &&
          void save(
            only(
              {
                minimum: toCedis(least),
                fee: toCedis(price),
                unapproved: toCedis(free),
                holdNights: Number(holdNights),
                numberHoldHours: Number(numberHoldHours),
              },
              typed.changed,
            ),
          )
        }
      >
        Save Changes
      </Button>
    </>
  )
}
