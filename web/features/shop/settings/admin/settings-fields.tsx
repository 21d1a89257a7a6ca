import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { NETWORKS, type Network } from '../../../../../shared/networks.ts'
import type { SettingsReply } from '../../../../../shared/settings.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { controlClass, Field, SelectControl } from '../../../../ui/field.tsx'
import { NetworkBadge } from '../../../../ui/network-badge.tsx'
import { Card } from '../../../../ui/page.tsx'
import { PhoneField } from '../../../../ui/phone-field.tsx'
import { SwitchField } from '../../../../ui/switch-field.tsx'
import { useShop } from '../../shop/api.ts'
import type { SettingsForm } from './api.ts'
import { routeName, settingName, settingValue } from './setting-words.ts'
import type { SettingPath } from './settings-draft.ts'

type Suppliers = SettingsReply['suppliers']

export function SettingsFields({ form, suppliers }: { form: SettingsForm; suppliers: Suppliers }) {
  return (
    <>
      <RouteSettings form={form} suppliers={suppliers} />
      <DecisionSettings form={form} />
      <TopUpSettings form={form} />
      <PriceSettings form={form} />
      <MessageSettings form={form} />
    </>
  )
}

/** Which network goes to which supplier. */
function RouteSettings({ form, suppliers }: { form: SettingsForm; suppliers: Suppliers }) {
  const hasChoice = (network: Network) =>
    suppliers.some(({ networks }) => networks.includes(network)) ||
    [form.stored, form.values].some((values) => values[`routes.${network}`] !== 'by-hand')
  const routed = NETWORKS.filter(hasChoice)
  const others = NETWORKS.filter((network) => !hasChoice(network))
  return (
    <Group
      title="Who delivers"
      text={
        suppliers.length === 0
          ? 'No supplier is set up, so you process every order by hand. The guide to going live says how to add one.'
          : 'A supplier gets an order as soon as it is paid. Orders by hand wait for you in the list of orders.'
      }
      aside={
        <Link href="/admin/work" className="font-semibold text-brand-text underline underline-offset-4">
          Balances and pauses
        </Link>
      }
    >
      <Card className="divide-y divide-line">
        {routed.map((network) => (
          <RouteRow key={network} network={network} form={form} suppliers={suppliers} />
        ))}
        {others.length > 0 && (
          <div className="px-4 py-3">
            <p className="text-small text-muted">Always by hand: none of your suppliers carries them</p>
            <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-2">
              {others.map((network) => (
                <li key={network}>
                  <NetworkBadge network={network} />
                </li>
              ))}
            </ul>
          </div>
        )}
      </Card>
    </Group>
  )
}

function RouteRow({ network, form, suppliers }: { network: Network; form: SettingsForm; suppliers: Suppliers }) {
  const path = `routes.${network}` as const
  const value = String(form.values[path])
  const able = suppliers.filter(({ networks }) => networks.includes(network)).map(({ name }) => name as string)
  // A supplier that is no longer configured stays selected until another is chosen.
  const gone = [...new Set([String(form.stored[path]), value])].filter((route) => route !== 'by-hand' && !able.includes(route))
  const error = form.errors[path]
  const isChanged = form.changed.includes(path)
  return (
    <div className="px-4 py-2.5">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 [&>span]:max-w-full">
        <NetworkBadge network={network} className="min-w-0" />
        <SelectControl
          name={path}
          aria-label={`Who delivers ${network}`}
          aria-invalid={error ? true : undefined}
          value={value}
          onChange={(event) => form.setValue(path, event.currentTarget.value)}
          className={classNames(
            controlClass,
            'w-[10rem]! max-w-full min-h-11! text-body! max-lg:text-large! sm:w-52!',
            isChanged && 'border-brand-text! font-semibold',
          )}
        >
          <option value="by-hand">By hand</option>
          {able.map((name) => (
            <option key={name} value={name}>
              {routeName(name)}
            </option>
          ))}
          {gone.map((name) => (
            <option key={name} value={name}>
              {routeName(name)} (not set up)
            </option>
          ))}
        </SelectControl>
      </div>
      {gone.includes(value) && (
        <p className="mt-1 rounded-box bg-pending-soft px-3 py-2 text-small text-pending">
          {routeName(value)} is no longer set up. New {network} orders wait until you choose another way.
        </p>
      )}
      {error && <p className="mt-1 text-small font-medium text-danger">{error}</p>}
      <Meanwhile form={form} path={path} />
    </div>
  )
}

/** What the shop decides by itself, which moves money. */
function DecisionSettings({ form }: { form: SettingsForm }) {
  return (
    <Group
      title="What the shop decides by itself"
      text="Off means that you decide: the order stays pending and shows what the supplier said. Both change only what happens from now on."
    >
      <Card className="divide-y divide-line">
        <Switch
          form={form}
          path="completeDelivered"
          label="Complete delivered orders"
          hint="As soon as the supplier says that it has delivered."
        />
        <Switch
          form={form}
          path="rejectRefused"
          label="Reject and refund what was refused"
          hint="As soon as the supplier refuses an order or says that it could not deliver it. The price goes back to the buyer’s wallet."
        />
        <Switch
          form={form}
          path="refundsToSource"
          label="Refunds back to cards and phones"
          hint="A customer who paid an order by card or mobile money may send its refund on from the wallet to where it came from, with the surcharge. Paystack keeps its fee."
        />
      </Card>
    </Group>
  )
}

/** How much a customer may top up by mobile money or card, which the shop credits at once. */
function TopUpSettings({ form }: { form: SettingsForm }) {
  return (
    <Group
      title="Top-ups at once"
      text="By mobile money or card through Paystack. A bank can take a card payment back weeks later, so limit what you can lose. Amounts in cedis."
    >
      <Card className="grid gap-4 px-4 py-4 sm:grid-cols-2">
        <NumberField form={form} path="topUpMinimum" hint="Topping up exactly what is missing for a purchase may be less." />
        <NumberField form={form} path="topUpMaximum" hint="More needs a request, which you approve." />
        <NumberField
          form={form}
          path="topUpDaily"
          hint="Resets at midnight (UTC)."
          warning={form.values.topUpDaily === '0' ? 'With 0, nobody can top up at once.' : null}
        />
        <NumberField
          form={form}
          path="topUpHoldHours"
          hint="Hours until a customer whose first payment is less than 30 days old can spend a top-up. 0 for at once."
        />
      </Card>
    </Group>
  )
}

/** From which margin on a price is marked on the Prices screen. */
function PriceSettings({ form }: { form: SettingsForm }) {
  return (
    <Group title="Prices" text="What the Prices screen warns you of.">
      <Card className="px-4 py-4">
        <NumberField form={form} path="marginLinePercent" hint="In percent. Prices that leave you less than this are marked amber." />
      </Card>
    </Group>
  )
}

type NumberPath = 'topUpMinimum' | 'topUpMaximum' | 'topUpDaily' | 'topUpHoldHours' | 'marginLinePercent'

function NumberField({
  form,
  path,
  hint,
  warning = null,
}: {
  form: SettingsForm
  path: NumberPath
  hint: string
  warning?: string | null
}) {
  return (
    <div>
      <Field
        label={settingName(path)}
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        controlClassName="tabular"
        hint={hint}
        warning={warning}
        name={path}
        value={String(form.values[path])}
        error={form.errors[path]}
        onChange={(event) => form.setValue(path, event.currentTarget.value)}
      />
      <Meanwhile form={form} path={path} />
    </div>
  )
}

/** Who hears of what by SMS, and how often at most. */
function MessageSettings({ form }: { form: SettingsForm }) {
  const shop = useShop()
  const number = (path: 'smsDailyCap' | 'smsDigestAbove' | 'operatorPhone') => ({
    name: path,
    value: String(form.values[path]),
    error: form.errors[path],
  })
  const operatorPhone = String(form.values.operatorPhone)
  const isNoMobile = operatorPhone.length === 10 && !/^0[25]/.test(operatorPhone)
  return (
    <Group title="Messages (SMS)" text="You pay for each message the shop sends.">
      <Card className="divide-y divide-line">
        <Switch
          form={form}
          path="operatorSms"
          label="Message for each order"
          hint="We text you about each new order, and whether you need to process it."
        />
        <Switch
          form={form}
          path="operatorCheckerSms"
          label="Also for checkers from the stock"
          hint="Buyers get these at once, so there is nothing to process."
        />
        <Switch
          form={form}
          path="smsDigest"
          label="One message for many orders"
          hint="When many orders come at once, they share a message that lists each number, offer and network. It saves money. Off: one message for each order."
        />
        <div className="grid gap-4 px-4 py-4 sm:grid-cols-2">
          <div>
            <PhoneField
              label="Number for these messages"
              autoComplete="off"
              placeholder={shop.phone || '0241234567'}
              hint={`Leave it empty for the shop’s own number${shop.phone ? `, ${shop.phone}` : ''}.`}
              warning={isNoMobile ? 'Messages only reach mobile numbers, which begin with 02 or 05.' : null}
              {...number('operatorPhone')}
              onValue={(value) => form.setValue('operatorPhone', value)}
            />
            <Meanwhile form={form} path="operatorPhone" />
          </div>
          <div>
            <Field
              label="Single messages per minute"
              inputMode="numeric"
              autoComplete="off"
              maxLength={9}
              controlClassName="tabular"
              hint="When more come in a minute, they share messages. Only used while the switch above is on."
              {...number('smsDigestAbove')}
              onChange={(event) => form.setValue('smsDigestAbove', event.currentTarget.value)}
            />
            <Meanwhile form={form} path="smsDigestAbove" />
          </div>
        </div>
        <Switch
          form={form}
          path="buyerSms"
          label="Message when an order is done"
          hint="Also when it’s refunded, you answer a report, or the network checks a new number first. We text the buyer on the number they log in with, unless they switch it off."
        />
        <div className="grid gap-4 px-4 py-4 sm:grid-cols-2">
          <div>
            <Field
              label="Daily message limit"
              inputMode="numeric"
              autoComplete="off"
              maxLength={9}
              controlClassName="tabular"
              hint="To you and to buyers together. Resets at midnight (UTC)."
              warning={form.values.smsDailyCap === '0' ? 'With 0, no messages go out at all.' : null}
              {...number('smsDailyCap')}
              onChange={(event) => form.setValue('smsDailyCap', event.currentTarget.value)}
            />
            <Meanwhile form={form} path="smsDailyCap" />
          </div>
        </div>
      </Card>
    </Group>
  )
}

function Switch({ form, path, label, hint }: { form: SettingsForm; path: SettingPath; label: string; hint: string }) {
  return (
    <div className="px-4 py-4">
      <SwitchField
        name={path}
        label={label}
        hint={hint}
        checked={form.values[path] === true}
        onValue={(value) => form.setValue(path, value)}
      >
        <Meanwhile form={form} path={path} />
      </SwitchField>
    </div>
  )
}

/** Another admin has changed the same setting since it was touched here. */
function Meanwhile({ form, path }: { form: SettingsForm; path: SettingPath }) {
  if (!form.contested.includes(path)) return null
  const theirs = form.stored[path]
  return (
    <div
      role="status"
      className="mt-2 flex flex-wrap items-center justify-between gap-x-3 rounded-box bg-pending-soft px-3 py-1 text-small text-pending"
    >
      <p className="py-1">
        Another admin has set this to <span className="font-semibold">{settingValue(path, theirs)}</span> meanwhile. Saving puts yours in
        its place.
      </p>
      <button
        type="button"
        onClick={() => form.setValue(path, theirs)}
        className="min-h-11 font-semibold underline underline-offset-4 sm:min-h-9"
      >
        Keep theirs
      </button>
    </div>
  )
}

/** A heading with its explanation, beside what it is about on a wide screen. */
function Group({ title, text, aside, children }: { title: string; text: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-x-10 gap-y-3 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <div>
        <h2 className="text-title">{title}</h2>
        <p className="mt-1 max-w-prose text-muted">{text}</p>
        {aside && <p className="mt-2">{aside}</p>}
      </div>
      {children}
    </section>
  )
}
