import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toCedis } from '../../../../../shared/money.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import type { ReferralRules as Rules } from '../../../../../shared/referrals.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { queryClient } from '../../../../lib/query-client.ts'
import { only } from '../../../../lib/use-form.ts'
import { useTyped } from '../../../../lib/use-typed.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { DigitsField } from '../../../../ui/admin/digits-field.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Money } from '../../../../ui/money.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { SwitchField } from '../../../../ui/switch-field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'

const rulesQuery = queryOptions({ queryKey: ['referral-rules'], queryFn: ({ signal }) => call('GET /referrals/rules', { signal }) })

/** What agents get for new customers, and what it has cost so far. */
export function ReferralRules({ mayChange }: { mayChange: boolean }) {
  const { data, error, refetch } = useQuery(rulesQuery)
  return (
    <Card title="Rewards for new customers">
      <div className="flex flex-col gap-4 px-4 py-3">
        {error && !data ? (
          <LoadError what="The rules" error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading label="Loading the rules…">
            <Skeleton className="h-40" />
          </Loading>
        ) : (
          <>
            <p className="text-body text-muted">
              {data.paid.rewards === 0 ? (
                'No reward so far.'
              ) : (
                <>
                  {data.paid.rewards} {data.paid.rewards === 1 ? 'reward' : 'rewards'} so far, <Money cedis={data.paid.amount} />.
                </>
              )}{' '}
              {data.open > 0 && `${data.open} invited ${data.open === 1 ? 'customer has' : 'customers have'} not bought enough yet.`}
            </p>
            {mayChange && <RulesForm rules={data.rules} />}
          </>
        )}
      </div>
    </Card>
  )
}

function RulesForm({ rules }: { rules: Rules }) {
  const typed = useTyped({ reward: rules.reward.toFixed(2), spend: rules.spend.toFixed(2), mostAMonth: String(rules.mostAMonth) })
  const { reward, spend, mostAMonth } = typed.values
  const [busy, setBusy] = useState(false)
  const save = async (change: Partial<Rules>) => {
    setBusy(true)
    try {
      await withPassword(() => call('PUT /referrals/rules', { body: change }))
      await queryClient.invalidateQueries({ queryKey: rulesQuery.queryKey })
      if (typed.changed.some((name) => name in change)) typed.clear()
      toast.success('The rules were saved.')
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const [rewardPesewas, spendPesewas] = [pesewasIn(reward), pesewasIn(spend)]
  const isReadable = rewardPesewas != null && spendPesewas != null && /^\d{1,4}$/.test(mostAMonth)
  return (
    <>
      <SwitchField
        name="referrals"
        label="Agents are rewarded for new customers"
        hint="Off: nobody is invited any more, and no reward is paid until it is on again."
        checked={rules.enabled}
        onValue={(enabled) => void save({ enabled })}
      />
      <SwitchField
        name="leaderboard"
        label="Agents see the week’s busiest agents"
        hint="By delivered orders, with the first letters of each name."
        checked={rules.leaderboard}
        onValue={(leaderboard) => void save({ leaderboard })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <MoneyField label="Reward" hint="Into the agent’s wallet, once for each customer." {...typed.field('reward')} />
        <MoneyField label="After deliveries of" hint="To that customer, a day after the last one." {...typed.field('spend')} />
        <DigitsField label="Most rewards a month for an agent" maxLength={4} {...typed.field('mostAMonth')} />
      </div>
      <Button
        variant="secondary"
        busy={busy}
        disabled={!isReadable || typed.changed.length === 0}
        className="self-start"
        onClick={() =>
          isReadable &&
          void save(only({ reward: toCedis(rewardPesewas), spend: toCedis(spendPesewas), mostAMonth: Number(mostAMonth) }, typed.changed))
        }
      >
        Save Changes
      </Button>
    </>
  )
}
