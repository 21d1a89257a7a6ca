import { CARD_SURCHARGE_PERCENT, toCedis } from '../../../../../shared/money.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import { MIN_RECHARGE } from '../../../../../shared/recharge-rules.ts'
import { profileRequest, type ShopSettings } from '../../../../../shared/shop-settings.ts'
import { call } from '../../../../lib/api.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Detail, Details } from '../../../../ui/details.tsx'
import { Money } from '../../../../ui/money.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { keepShopSettings } from './api.ts'

/** What becoming an agent costs, beside what every shop asks for. Limits of top-ups through the card provider stand further down. */
export function FeesForm({ stored }: { stored: ShopSettings }) {
  const initial = { agentFee: stored.agentFee.toFixed(2) }
  const form = useForm({
    initial,
    follows: true,
    draft: { form: 'agent fee', fields: ['agentFee'] },
    schema: profileRequest,
    read: ({ agentFee }) => {
      const pesewas = pesewasIn(agentFee)
      return { agentFee: pesewas === null ? null : toCedis(pesewas) }
    },
    submit: async (body) => {
      await keepShopSettings((await call('PUT /admin/shop', { body })).shop)
      toast.success('Saved. Customers see the new fee from now on')
    },
  })
  return (
    <Card title="Limits and fees">
      <form {...form.props} className="flex flex-col gap-4 px-4 py-4" aria-label="Limits and fees">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        <Details>
          <Detail name="Smallest top-up">
            <Money cedis={MIN_RECHARGE} />
          </Detail>
          <Detail name="Card surcharge">{CARD_SURCHARGE_PERCENT} %</Detail>
        </Details>
        <MoneyField label="Become Agent" {...form.valueField('agentFee')} />
        {form.changed.length > 0 && (
          <div className="flex flex-wrap gap-2">
            <Button type="submit" busy={form.busy} busyLabel="Saving…">
              Save the fee
            </Button>
            <Button variant="secondary" onClick={form.reset}>
              Undo
            </Button>
          </div>
        )}
      </form>
    </Card>
  )
}
