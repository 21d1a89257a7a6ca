import { Lock } from 'lucide-react'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { MOMO_NETWORKS, type PaymentNumber, paymentNumbersRequest } from '../../../../../shared/shop-settings.ts'
import { aboutReply } from '../../../../lib/about-record.ts'
import { call } from '../../../../lib/api.ts'
import { queryClient } from '../../../../lib/query-client.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../../ui/details.tsx'
import { Field } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { PhoneField } from '../../../../ui/phone-field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { keepShopSettings, shopSettingsQuery } from './api.ts'

const CHANGED_ELSEWHERE = 'The numbers were changed elsewhere meanwhile. Look at them again, then save.'

type Values = Record<`${(typeof MOMO_NETWORKS)[number]}Number` | `${(typeof MOMO_NETWORKS)[number]}Name`, string>

/** Where customers send mobile money, one number for each network. */
export function PaymentNumbersForm({ stored }: { stored: PaymentNumber[] }) {
  const of = (network: string) => stored.find((one) => one.network === network)
  const initial = Object.fromEntries(
    MOMO_NETWORKS.flatMap((network) => [
      [`${network}Number`, of(network)?.phoneNumber ?? ''],
      [`${network}Name`, of(network)?.accountName ?? ''],
    ]),
  ) as Values
  const given = (values: Values) => MOMO_NETWORKS.filter((network) => values[`${network}Number`] || values[`${network}Name`])
  const form = useForm({
    initial,
    follows: true,
    draft: { form: 'payment numbers', fields: Object.keys(initial) as (keyof Values)[] },
    schema: paymentNumbersRequest,
    read: (values) => ({
      numbers: given(values).map((network) => ({
        network,
        phoneNumber: values[`${network}Number`],
        accountName: values[`${network}Name`],
      })),
    }),
    fieldAt: (path, values) => {
      const [, index = '0', field = 'phoneNumber'] = path.split('.')
      const network = given(values)[Number(index)] ?? MOMO_NETWORKS[0]
      return `${network}${field === 'accountName' ? 'Name' : 'Number'}`
    },
    confirm: async ({ numbers }) => {
      // All numbers are saved together, so an old page would take away what somebody else has just entered.
      const { paymentNumbers } = await queryClient.fetchQuery({ ...shopSettingsQuery, staleTime: 0 })
      if (JSON.stringify(paymentNumbers) !== JSON.stringify(stored)) throw new Error(CHANGED_ELSEWHERE)
      return confirmAction({
        about: aboutReply(shopSettingsQuery, (shop) => shop.paymentNumbers),
        question: 'Are you sure you want to send customers’ money here?',
        title: 'Change payment numbers',
        danger: true,
        details: (
          <>
            <Details>
              {numbers.map(({ network, phoneNumber, accountName }) => (
                <Detail key={network} name={network}>
                  {spacedPhone(phoneNumber)}, {accountName}
                </Detail>
              ))}
            </Details>
            <p className="mt-3 text-body text-muted">One wrong digit sends everybody’s money to somebody else.</p>
          </>
        ),
      })
    },
    submit: async (body) => {
      await keepShopSettings((await withPassword(() => call('PUT /admin/shop/payment-numbers', { body }))).shop)
      toast.success('Saved. Customers pay here from now on')
    },
  })
  return (
    <Card title="Where customers pay" state={<StateChip icon={<Lock aria-hidden="true" />}>Password needed</StateChip>}>
      <form {...form.props} className="flex flex-col gap-4 px-4 py-4" aria-label="Where customers pay">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        {MOMO_NETWORKS.map((network) => (
          <div key={network} className="grid gap-4 sm:grid-cols-2">
            <PhoneField
              label={`${network} number`}
              autoComplete="off"
              placeholder="None: not offered"
              {...form.phoneField(`${network}Number`)}
            />
            <Field label={`${network} account name`} autoComplete="off" maxLength={100} {...form.field(`${network}Name`)} />
          </div>
        ))}
        {form.changed.length > 0 && (
          <div className="flex flex-wrap gap-2">
            <Button type="submit" busy={form.busy} busyLabel="Saving…">
              Save payment numbers
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
