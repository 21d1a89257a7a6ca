import { useState } from 'react'
import { toCedis } from '../../../../../shared/money.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import type { StaffReply } from '../../../../../shared/staff.ts'
import { messageOf } from '../../../../lib/http.ts'
import { only } from '../../../../lib/use-form.ts'
import { useTyped } from '../../../../lib/use-typed.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { SwitchField } from '../../../../ui/switch-field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { changeStaffRules } from './api.ts'

type Rules = StaffReply['rules']
const shown = (limit: number | null) => (limit === null ? '' : limit.toFixed(2))
/** Undefined for what is no amount; an empty field is never. */
const read = (text: string) => {
  if (text.trim() === '') return null
  const pesewas = pesewasIn(text)
  return pesewas === null || pesewas < 0 ? undefined : toCedis(pesewas)
}

/** When money needs more than a role. */
export function RulesCard({ rules }: { rules: Rules }) {
  const typed = useTyped({ passwordAbove: shown(rules.passwordAbove), secondPersonAbove: shown(rules.secondPersonAbove) })
  const [busy, setBusy] = useState(false)
  const [passwordAbove, secondPersonAbove] = [read(typed.values.passwordAbove), read(typed.values.secondPersonAbove)]
  const isSame = passwordAbove === rules.passwordAbove && secondPersonAbove === rules.secondPersonAbove

  const save = async (change: Partial<Rules>) => {
    setBusy(true)
    try {
      await changeStaffRules(change)
      if (typed.changed.some((name) => name in change)) typed.clear()
      toast.success('The rules were saved.')
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const limits = passwordAbove === undefined || secondPersonAbove === undefined ? null : { passwordAbove, secondPersonAbove }
  return (
    <Card title="Rules for money">
      <div className="flex flex-col gap-4 px-4 py-3">
        <SwitchField
          name="secondFactorRequired"
          label="A code for whoever moves money"
          hint="Owners and finance can’t move money before they have set one up."
          checked={rules.secondFactorRequired}
          onValue={(secondFactorRequired) => void save({ secondFactorRequired })}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <MoneyField
            label="Password again above"
            placeholder="Never"
            hint="For credits and debits by hand, a day’s added up. Empty: never"
            {...typed.field('passwordAbove')}
            error={passwordAbove === undefined ? 'Enter an amount in cedis.' : undefined}
          />
          <MoneyField
            label="Second person above"
            placeholder="Never"
            hint="For credits, debits and top-ups, a day’s added up, once two people may move money. Empty: never"
            {...typed.field('secondPersonAbove')}
            error={secondPersonAbove === undefined ? 'Enter an amount in cedis.' : undefined}
          />
        </div>
        <Button
          variant="secondary"
          busy={busy}
          disabled={isSame || limits === null}
          onClick={() => limits && void save(only(limits, typed.changed))}
          className="self-start"
        >
          Save Changes
        </Button>
      </div>
    </Card>
  )
}
