import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ShopRules as Rules, SubAgentsNow } from '../../../../../shared/agent-shops.ts'
import { toCedis } from '../../../../../shared/money.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { queryClient } from '../../../../lib/query-client.ts'
import { only } from '../../../../lib/use-form.ts'
import { useTyped } from '../../../../lib/use-typed.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { DigitsField } from '../../../../ui/admin/digits-field.tsx'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { moneyText } from '../../../../ui/money.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { SwitchField } from '../../../../ui/switch-field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'

const rulesQuery = queryOptions({
  queryKey: ['shop-rules'],
  queryFn: ({ signal }) => call('GET /agent-shops/rules', { signal }),
})

/** What the owner has set for all agents' shops; others of the staff read it. */
export function ShopRules({ mayChange }: { mayChange: boolean }) {
  const { data } = useQuery(rulesQuery)
  if (!data) return null
  const { rules } = data
  return (
    <Card title="Rules for all shops">
      <div className="flex flex-col gap-4 px-4 py-3">
        {mayChange ? (
          <RulesForm rules={rules} />
        ) : (
          <p className="text-body text-muted">
            {rules.enabled ? (rules.newShops ? 'Agents may open shops.' : 'No new shops at the moment.') : 'All shops are closed.'} A price
            is at most {rules.maxMarkup}% above the agent’s cost, and at least {moneyText(rules.minProfit)} above it.
          </p>
        )}
      </div>
    </Card>
  )
}

function WhatStays({ now: { openOrders, openProfit = 0, earnings = 0 } }: { now: SubAgentsNow }) {
  return (
    <div className="flex flex-col gap-2">
      <p>
        Their guests can’t buy from then on, and agents make no new links. Nobody is removed: switch it on again and they sell as before.
      </p>
      {openOrders > 0 && (
        <p>
          {openOrders === 1 ? '1 order that is paid is' : `${openOrders.toLocaleString('en')} orders that are paid are`} still delivered,
          with {moneyText(openProfit)} for the sub-agents.
        </p>
      )}
      <p>
        {earnings > 0 ? `Sub-agents keep their ${moneyText(earnings)} of earnings` : 'Sub-agents keep what they earned'}, and can withdraw
        it as before.
      </p>
    </div>
  )
}

function RulesForm({ rules }: { rules: Rules }) {
  const typed = useTyped({
    maxMarkup: String(rules.maxMarkup),
    minProfit: rules.minProfit.toFixed(2),
    mostSubAgents: String(rules.mostSubAgents),
  })
  const { maxMarkup, minProfit, mostSubAgents } = typed.values
  const [busy, setBusy] = useState(false)
  const save = async (change: Partial<Rules>) => {
    setBusy(true)
    try {
      const reply = await withPassword(() => call('PUT /agent-shops/rules', { body: change }))
      queryClient.setQueryData(rulesQuery.queryKey, (before) => before && { ...before, ...reply })
      if (typed.changed.some((name) => name in change)) typed.clear()
      toast.success('The rules were saved.')
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const turn = async (enabled: boolean) => {
    const question = 'Close all agents’ shops?'
    const details = 'Nobody can buy in any of them until you open them again. Orders already paid are still delivered.'
    if (!enabled && !(await confirmAction({ question, title: 'All shops', details, danger: true }))) return
    await save({ enabled })
  }
  const turnSubAgents = async (subAgents: boolean) => {
    if (!subAgents) {
      let now: SubAgentsNow
      try {
        now = (await queryClient.fetchQuery({ ...rulesQuery, staleTime: 0 })).subAgentsNow
      } catch (error) {
        toast.danger(messageOf(error))
        return
      }
      const question = now.shops === 1 ? 'Close 1 sub-agent’s shop?' : `Close ${now.shops.toLocaleString('en')} sub-agents’ shops?`
      if (!(await confirmAction({ question, title: 'Sub-agents', details: <WhatStays now={now} />, yes: 'Yes, close', danger: true })))
        return
    }
    await save({ subAgents })
  }
  const least = pesewasIn(minProfit)
  const most = /^\d{1,3}$/.test(maxMarkup) ? Number(maxMarkup) : 0
  const mostSubs = /^\d{1,4}$/.test(mostSubAgents) ? Number(mostSubAgents) : 0
  const isReadable = least !== null && least >= 1 && least <= 10_000 && most >= 1 && most <= 500 && mostSubs >= 1 && mostSubs <= 1000
  return (
    <>
      <SwitchField
        name="newShops"
        label="Agents may open new shops"
        hint="Off: shops that are open stay open, and nobody opens another."
        checked={rules.newShops}
        onValue={(newShops) => void save({ newShops })}
      />
      <SwitchField
        name="enabled"
        label="Shops sell"
        hint="Off: all shops are closed at once."
        checked={rules.enabled}
        onValue={(enabled) => void turn(enabled)}
      />
      <SwitchField
        name="subAgents"
        label="Agents may have sub-agents"
        hint="Off: sub-agents’ shops stop selling at once."
        checked={rules.subAgents}
        onValue={(subAgents) => void turnSubAgents(subAgents)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <DigitsField
          label="Highest price, % above the agent’s cost"
          maxLength={3}
          hint="1 to 500. Your own price is always allowed."
          {...typed.field('maxMarkup')}
        />
        <MoneyField label="Lowest profit of a sale" hint="0.01 to 100 cedis above the agent’s cost." {...typed.field('minProfit')} />
        <DigitsField label="Most sub-agents of one agent" maxLength={4} hint="1 to 1,000." {...typed.field('mostSubAgents')} />
      </div>
      <Button
        variant="secondary"
        busy={busy}
        disabled={!isReadable || typed.changed.length === 0}
        className="self-start"
        onClick={() =>
          isReadable && void save(only({ maxMarkup: most, minProfit: toCedis(least), mostSubAgents: mostSubs }, typed.changed))
        }
      >
        Save Changes
      </Button>
    </>
  )
}
