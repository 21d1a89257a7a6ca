import { useState } from 'react'
import { FORWARDER_APPS, type Forwarder, type ForwarderApp, WALLET_NETWORKS, type WalletNetwork } from '../../../../../shared/forwarders.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field, SelectField } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { withPassword } from '../../../../ui/with-password.tsx'
import { refreshPhones } from './api.ts'
import { APP_WORDS } from './phone-words.ts'

type Props = { onClose: () => void; onAdded: (added: { forwarder: Forwarder; key: string }) => void }

/** Adds a phone: what it is called, its app, and whose wallets are on it. */
export function NewPhoneDialog({ onClose, onAdded }: Props) {
  const [name, setName] = useState('')
  const [app, setApp] = useState<ForwarderApp>('sms-gateway')
  const [networks, setNetworks] = useState<readonly WalletNetwork[]>(['MTN'])
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const add = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const added = await withPassword(() => call('POST /forwarder', { body: { name, app, networks: [...networks] } }))
      refreshPhones()
      onAdded(added)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const isReady = name.trim() !== '' && networks.length > 0
  return (
    <Dialog
      title="Add a phone"
      onClose={onClose}
      yes={{ type: 'submit', form: 'new-phone', busy, busyLabel: 'One moment…', disabled: !isReady, children: 'Add the phone' }}
    >
      <form
        id="new-phone"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !busy) void add()
        }}
      >
        {problem && <NoticeBox tone="danger">{problem}</NoticeBox>}
        <Field
          label="What do you call it?"
          hint="Such as “Shop till”."
          maxLength={40}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <SelectField label="App on the phone" value={app} onChange={(event) => setApp(event.currentTarget.value as ForwarderApp)}>
          {FORWARDER_APPS.map((one) => (
            <option key={one} value={one}>
              {APP_WORDS[one].name}
            </option>
          ))}
        </SelectField>
        <p className="-mt-2 text-small text-muted">{APP_WORDS[app].hint}</p>
        <fieldset>
          <legend className="font-semibold">Wallets on this phone</legend>
          {WALLET_NETWORKS.map((network) => (
            <label key={network} className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                className="size-5 shrink-0 accent-brand"
                checked={networks.includes(network)}
                onChange={(event) => {
                  const isOn = event.currentTarget.checked
                  setNetworks(WALLET_NETWORKS.filter((one) => (one === network ? isOn : networks.includes(one))))
                }}
              />
              <span>
                {network}
                {network === 'AirtelTigo' && <span className="text-small text-muted"> – its messages wait for you at first</span>}
              </span>
            </label>
          ))}
        </fieldset>
      </form>
    </Dialog>
  )
}
