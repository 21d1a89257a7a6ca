import { useState } from 'react'
import type { CreditRules } from '../../../../../shared/forwarders.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { DigitsField } from '../../../../ui/admin/digits-field.tsx'
import { Button } from '../../../../ui/button.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { refreshPhones } from './api.ts'

const FIELDS = [
  ['most', 'Most for one payment, in cedis', '0: nothing is credited by itself.'],
  ['daily', 'Most in a day, in cedis', 'What comes after that waits for you under Match.'],
  ['unsigned', 'Most from an app that can’t sign, in cedis', 'All apps but SMS Gateway for Android.'],
  ['claim', 'Most on a transaction ID alone, in cedis', 'MTN names no number. 0: such claims wait for you.'],
  ['silentMinutes', 'Tell me after so many silent minutes', 'In your work hours, by SMS and in the inbox. 0: never.'],
] as const

/** What is credited without anybody looking at it. Others of the staff read it. */
export function CreditRulesCard({ rules, mayChange }: { rules: CreditRules; mayChange: boolean }) {
  const [typed, setTyped] = useState<Partial<Record<keyof CreditRules, string>>>({})
  const [busy, setBusy] = useState(false)
  const changed = FIELDS.flatMap(([name]) => {
    const text = typed[name]
    return text !== undefined && text !== '' && Number(text) !== rules[name] ? [[name, Number(text)] as const] : []
  })
  const save = async () => {
    setBusy(true)
    try {
      await withPassword(() => call('PUT /forwarder/rules', { body: Object.fromEntries(changed) }))
      refreshPhones()
      setTyped({})
      toast.success('The rules were saved.')
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title="Credited by itself">
      <div className="flex flex-col gap-4 px-4 py-3">
        <p className="text-body text-muted">
          A payment is credited by itself when its reference or number names one open request of the same amount, and its balance follows
          from the message before. Everything else waits under Match.
        </p>
        {mayChange ? (
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              if (changed.length > 0 && !busy) void save()
            }}
          >
            <div className="grid gap-4 sm:grid-cols-2">
              {FIELDS.map(([name, label, hint]) => (
                <DigitsField
                  key={name}
                  label={label}
                  hint={hint}
                  maxLength={7}
                  value={typed[name] ?? String(rules[name])}
                  onValue={(digits) => setTyped({ ...typed, [name]: digits })}
                />
              ))}
            </div>
            <Button type="submit" variant="secondary" busy={busy} disabled={changed.length === 0} className="self-start">
              Save Changes
            </Button>
          </form>
        ) : (
          <p className="text-body">
            Up to {moneyText(rules.most)} for one payment, {moneyText(rules.unsigned)} from an app that can’t sign, {moneyText(rules.daily)}{' '}
            in a day.
          </p>
        )}
      </div>
    </Card>
  )
}
