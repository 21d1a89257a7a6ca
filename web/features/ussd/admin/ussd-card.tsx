import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  LEAST_CHARACTERS,
  MOST_CHARACTERS,
  USSD_GATEWAY_WORDS,
  USSD_GATEWAYS,
  type UssdGatewayName,
} from '../../../../shared/ussd-rules.ts'
import { call } from '../../../lib/api.ts'
import { messageOf } from '../../../lib/http.ts'
import { Card } from '../../../ui/admin/card.tsx'
import { RefreshProblem } from '../../../ui/admin/refresh-problem.tsx'
import { Button } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Field, SelectField, TextareaField } from '../../../ui/field.tsx'
import { LoadError, NoticeBox } from '../../../ui/notice-box.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { withPassword } from '../../account/with-password.tsx'
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

type Typed = Partial<Record<'mostPerOrder' | 'mostPerDay' | 'mostCharacters' | 'addresses', string>> & { gateway?: UssdGatewayName }

function Loaded({ ussd, stale, onRetry }: { ussd: Ussd; stale: Error | null; onRetry: () => void }) {
  const [typed, setTyped] = useState<Typed>({})
  const [busy, setBusy] = useState<'save' | 'switch' | 'address' | 'test' | null>(null)
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
  const isChanged = Object.keys(typed).length > 0
  const save = () =>
    does('save', async () => {
      const { mostPerOrder, mostPerDay, mostCharacters, addresses, gateway } = typed
      const rules = { ...(mostPerOrder && { mostPerOrder: Number(mostPerOrder) }), ...(mostPerDay && { mostPerDay: Number(mostPerDay) }) }
      const reach = {
        ...(gateway && { gateway }),
        ...(mostCharacters && { mostCharacters: Number(mostCharacters) }),
        ...(addresses !== undefined && { addresses: addresses.split(/[\s,]+/).filter((one) => one !== '') }),
      }
      if (Object.keys(rules).length > 0) {
        await withPassword(() => call('PUT /admin/channel/:channel', { params: { channel: 'ussd' }, body: rules }))
      }
      if (Object.keys(reach).length > 0) await withPassword(() => call('PUT /admin/ussd', { body: reach }))
      setTyped({})
      toast.success('The USSD settings were saved.')
    })
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
  const set = (change: Typed) => setTyped({ ...typed, ...change })
  return (
    <Card title="USSD">
      <form
        className="flex flex-col gap-4 px-4 py-3"
        aria-label="USSD"
        onSubmit={(event) => {
          event.preventDefault()
          if (isChanged && busy === null) void save()
        }}
      >
        <RefreshProblem error={stale} onRetry={onRetry} />
        <p className="text-body text-muted">
          Customers dial your code and buy from their wallet with their PIN, without data. You rent the code from a gateway; the guide is in
          docs/going-live.md.
        </p>
        {problem && <NoticeBox tone="danger">{problem}</NoticeBox>}
        <SwitchField name="ussd-on" label="Customers can buy by USSD" checked={ussd.isOn} onValue={(isOn) => void turn(isOn)} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Most for one order, in cedis"
            inputMode="decimal"
            maxLength={8}
            value={typed.mostPerOrder ?? String(ussd.mostPerOrder)}
            onChange={(event) => set({ mostPerOrder: event.currentTarget.value })}
          />
          <Field
            label="Most for one customer in a day, in cedis"
            inputMode="decimal"
            maxLength={8}
            value={typed.mostPerDay ?? String(ussd.mostPerDay)}
            onChange={(event) => set({ mostPerDay: event.currentTarget.value })}
          />
          <SelectField
            label="Gateway"
            value={typed.gateway ?? ussd.gateway}
            onChange={(event) => set({ gateway: event.currentTarget.value as UssdGatewayName })}
          >
            {USSD_GATEWAYS.map((one) => (
              <option key={one} value={one}>
                {USSD_GATEWAY_WORDS[one]}
              </option>
            ))}
          </SelectField>
          <Field
            label="Characters on a screen"
            hint={`From ${LEAST_CHARACTERS} to ${MOST_CHARACTERS}. Ask your gateway; Nalo allows 120.`}
            inputMode="numeric"
            maxLength={3}
            value={typed.mostCharacters ?? String(ussd.mostCharacters)}
            onChange={(event) => set({ mostCharacters: event.currentTarget.value.replace(/\D/g, '') })}
          />
        </div>
        <TextareaField
          label="The gateway’s IP addresses"
          hint="One on each line. Leave it empty to take calls from anywhere that knows the address below."
          rows={2}
          value={typed.addresses ?? ussd.addresses.join('\n')}
          onChange={(event) => set({ addresses: event.currentTarget.value })}
        />
        <Button type="submit" variant="secondary" busy={busy === 'save'} disabled={!isChanged} className="self-start">
          Save USSD
        </Button>
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
      </form>
    </Card>
  )
}

function lastCallWords({ seenAt, hasAddress }: Ussd): string {
  if (seenAt) return `Last call: ${new Date(seenAt).toLocaleString('en-GB', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' })}.`
  return hasAddress ? 'The gateway has not called yet.' : 'There is no address for the gateway yet.'
}
