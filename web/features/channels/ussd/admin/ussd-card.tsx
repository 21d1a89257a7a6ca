import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toCedis } from '../../../../../shared/money.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import {
  LEAST_CHARACTERS,
  MOST_CHARACTERS,
  USSD_GATEWAY_WORDS,
  USSD_GATEWAYS,
  type UssdGatewayName,
} from '../../../../../shared/ussd-rules.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { queryClient } from '../../../../lib/query-client.ts'
import { only, parseFields, useForm } from '../../../../lib/use-form.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { Field, SelectField, TextareaField } from '../../../../ui/field.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Skeleton } from '../../../../ui/skeleton.tsx'
import { SwitchField } from '../../../../ui/switch-field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { refreshUssd, ussdQuery } from './api.ts'

type Ussd = NonNullable<ReturnType<typeof useUssd>['data']>
const useUssd = () => useQuery(ussdQuery)

/** Buying with a code such as *928#: the switch, the limits, and how the gateway reaches the shop. */
export function UssdCard() {
  const { data, error, refetch } = useUssd()
  if (data) return <Loaded ussd={data} stale={error} onRetry={() => void refetch()} />
  if (error) return <LoadError what="USSD" error={error} onRetry={() => void refetch()} />
  return <Skeleton className="h-96 max-w-5xl" />
}

function Loaded({ ussd, stale, onRetry }: { ussd: Ussd; stale: Error | null; onRetry: () => void }) {
  const [busy, setBusy] = useState<'switch' | 'address' | 'test' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [address, setAddress] = useState<string | null>(null)
  const [tested, setTested] = useState<{ text: string; characters: number } | null>(null)
  const does = async (what: NonNullable<typeof busy>, act: () => Promise<void>) => {
    setBusy(what)
    setProblem(null)
    try {
      await act()
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(null)
      refreshUssd()
    }
  }
  const turn = async (isOn: boolean) => {
    const question = isOn ? 'Let customers buy by USSD?' : 'Stop buying by USSD?'
    if (!(await confirmAction({ question, title: 'USSD', yes: isOn ? 'Yes, switch it on' : 'Yes, switch it off' }))) return
    await does('switch', async () => {
      await withPassword(() => call('PUT /admin/channel/:channel', { params: { channel: 'ussd' }, body: { isOn } }))
    })
  }
  const makeAddress = async () => {
    const question = ussd.hasAddress ? 'Make a new address? The one before ends at once.' : 'Make the address for your gateway?'
    if (!(await confirmAction({ question, title: 'Address for the gateway', yes: 'Yes, make it' }))) return
    await does('address', async () => setAddress((await withPassword(() => call('POST /admin/ussd/address'))).address))
  }
  return (
    <Card title="USSD">
      <div className="flex flex-col gap-4 px-4 py-3">
        <RefreshProblem error={stale} onRetry={onRetry} />
        <p className="text-body text-muted">
          Customers dial your code and buy from their wallet with their PIN, without data. You rent the code from a gateway; your technician
          finds the steps in docs/going-live.md, under USSD.
        </p>
        <SwitchField name="ussd-on" label="Customers can buy by USSD" checked={ussd.isOn} onValue={(isOn) => void turn(isOn)} />
        <SettingsForm ussd={ussd} />
        {address && (
          <NoticeBox tone="info">
            <p>Give this to your gateway now: it is shown this once.</p>
            <p className="mt-2 break-all font-semibold">{address}</p>
            <CopyButton text={address} label="Copy the address">
              Copy
            </CopyButton>
          </NoticeBox>
        )}
        <p className="text-body text-muted">{lastCallWords(ussd)}</p>
        {ussd.problem && <NoticeBox tone="danger">{ussd.problem.message}</NoticeBox>}
        {tested && (
          <div>
            <p className="text-body font-semibold">Your own phone would show ({tested.characters} characters):</p>
            <pre className="mt-2 overflow-x-auto whitespace-pre-wrap rounded-box bg-sunken p-3 text-body">{tested.text}</pre>
          </div>
        )}
        {problem && <NoticeBox tone="danger">{problem}</NoticeBox>}
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" busy={busy === 'address'} onClick={() => void makeAddress()}>
            {ussd.hasAddress ? 'Make a new address' : 'Make the address'}
          </Button>
          <Button
            variant="secondary"
            busy={busy === 'test'}
            onClick={() => void does('test', async () => setTested(await call('GET /admin/ussd/test')))}
          >
            Try the first screen
          </Button>
        </div>
      </div>
    </Card>
  )
}

const LIMIT = 'Enter at least 1 cedi and at most 10,000.'
const CHARACTERS = `Enter a whole number from ${LEAST_CHARACTERS} to ${MOST_CHARACTERS}.`

function settingsOf({ mostPerOrder, mostPerDay, gateway, mostCharacters, addresses }: Ussd) {
  return { mostPerOrder, mostPerDay, gateway, mostCharacters, addresses }
}

/** The limits, and how the gateway reaches the shop. */
function SettingsForm({ ussd }: { ussd: Ussd }) {
  const stored = settingsOf(ussd)
  const initial = {
    mostPerOrder: String(stored.mostPerOrder),
    mostPerDay: String(stored.mostPerDay),
    gateway: stored.gateway as string,
    mostCharacters: String(stored.mostCharacters),
    addresses: stored.addresses.join('\n'),
  }
  const form = useForm({
    initial,
    follows: true,
    draft: { form: 'ussd', fields: Object.keys(initial) as (keyof typeof initial)[] },
    parse: ({ mostPerOrder, mostPerDay, gateway, mostCharacters, addresses }) => {
      const [order, day] = [pesewasIn(mostPerOrder), pesewasIn(mostPerDay)]
      const limitProblem = (pesewas: number | null) => (pesewas === null || pesewas < 100 || pesewas > 1_000_000 ? LIMIT : null)
      const characters = /^\d{1,3}$/.test(mostCharacters) ? Number(mostCharacters) : 0
      const problems = {
        mostPerOrder: limitProblem(order),
        mostPerDay: limitProblem(day) ?? ((day ?? 0) < (order ?? 0) ? 'A day allows at least as much as one order.' : null),
        mostCharacters: characters < LEAST_CHARACTERS || characters > MOST_CHARACTERS ? CHARACTERS : null,
      }
      return parseFields(problems, () => ({
        rules: { mostPerOrder: toCedis(order ?? 0), mostPerDay: toCedis(day ?? 0) },
        reach: {
          gateway: gateway as UssdGatewayName,
          mostCharacters: characters,
          addresses: addresses.split(/[\s,]+/).filter((one) => one !== ''),
        },
      }))
    },
    submit: async ({ rules, reach }, _, changed) => {
      await call('PUT /admin/ussd', { body: only(reach, changed) })
      await call('PUT /admin/channel/:channel', { params: { channel: 'ussd' }, body: only(rules, changed) })
      await queryClient.refetchQueries({ queryKey: ussdQuery.queryKey })
      toast.success('The USSD settings were saved.')
    },
  })
  return (
    <form {...form.props} aria-label="USSD" className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <MoneyField {...form.valueField('mostPerOrder')} label="Most for one order, in cedis" />
        <MoneyField {...form.valueField('mostPerDay')} label="Most for one customer in a day, in cedis" />
        <SelectField {...form.field('gateway')} label="Gateway">
          {USSD_GATEWAYS.map((one) => (
            <option key={one} value={one}>
              {USSD_GATEWAY_WORDS[one]}
            </option>
          ))}
        </SelectField>
        <Field
          {...form.field('mostCharacters')}
          label="Characters on a screen"
          hint={`From ${LEAST_CHARACTERS} to ${MOST_CHARACTERS}. Ask your gateway; Nalo allows 120.`}
          inputMode="numeric"
          maxLength={3}
        />
      </div>
      <TextareaField
        {...form.field('addresses')}
        label="The gateway’s IP addresses"
        hint="One on each line. Leave it empty to take calls from anywhere that knows the address below."
        rows={2}
      />
      {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="secondary" busy={form.busy}>
          Save USSD
        </Button>
        {form.changed.length > 0 && (
          <Button variant="quiet" onClick={form.reset}>
            Undo
          </Button>
        )}
      </div>
    </form>
  )
}

function lastCallWords({ seenAt, hasAddress }: Ussd): string {
  if (seenAt) return `Last call: ${new Date(seenAt).toLocaleString('en-GB', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' })}.`
  return hasAddress ? 'The gateway has not called yet.' : 'There is no address for the gateway yet.'
}
