import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Check, CircleSlash, Plus, TriangleAlert, X } from 'lucide-react'
import { useRef, useState } from 'react'
import type { SupplierOrderReply, SupplierOrderRequest, SupplierStanding } from '../../../../../shared/floats.ts'
import type { Network } from '../../../../../shared/networks.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import type { SupplierName } from '../../../../../shared/suppliers.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { SwitchField } from '../../../../ui/switch-field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { AfterAll } from './after-all.tsx'
import { supplierOrderQuery } from './api.ts'
import { clockTime } from './float-words.ts'
import { costWords, doneWords, ordinal } from './order-words.ts'

type Draft = { networks: Partial<Record<Network, SupplierName[]>>; sendBelowCost: boolean; verificationDays: string }

/** Which suppliers get the orders of each network, one after the other, and how each does. For the owner. */
export function SupplierOrder() {
  const { data, error, refetch } = useQuery(supplierOrderQuery)
  if (data) {
    return (
      <>
        <RefreshProblem error={error} onRetry={() => void refetch()} />
        <OrderForm reply={data} />
        <AfterAll orders={data.afterAll} />
      </>
    )
  }
  if (error) return <LoadError what="The order of your suppliers" error={error} onRetry={() => void refetch()} />
  return (
    <Loading label="Loading the order of your suppliers…">
      <Skeleton className="h-80" />
    </Loading>
  )
}

function OrderForm({ reply }: { reply: SupplierOrderReply }) {
  const client = useQueryClient()
  const [draft, setDraft] = useState<Partial<Draft>>({})
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const stored: Draft = {
    networks: Object.fromEntries(reply.networks.map(({ network, suppliers }) => [network, suppliers.map(({ name }) => name)])),
    sendBelowCost: reply.sendBelowCost,
    verificationDays: String(reply.verificationDays),
  }
  const shown: Draft = { ...stored, ...draft, networks: { ...stored.networks, ...draft.networks } }
  const changed = reply.networks.filter(({ network }) => shown.networks[network]?.join() !== stored.networks[network]?.join())
  const rulesChanged = shown.sendBelowCost !== stored.sendBelowCost || shown.verificationDays.trim() !== stored.verificationDays
  const isDirty = changed.length > 0 || rulesChanged

  const arrange = (network: Network, names: SupplierName[], what: string) => {
    setDraft((before) => ({ ...before, networks: { ...before.networks, [network]: names } }))
    setProblem(null)
    setSaid(what)
  }
  const reset = () => {
    setDraft({})
    setProblem(null)
  }

  async function save() {
    const names = ({ networks }: Draft) => Object.fromEntries(changed.map(({ network }) => [network, networks[network] ?? []]))
    const rules = (of: Draft) => ({ sendBelowCost: of.sendBelowCost, verificationDays: Number(of.verificationDays.trim() || Number.NaN) })
    const body: SupplierOrderRequest = { networks: names(shown), ...rules(shown), seen: { networks: names(stored), ...rules(stored) } }
    setBusy(true)
    try {
      client.setQueryData(supplierOrderQuery.queryKey, await call('PUT /admin/suppliers/order', { body }))
      reset()
      toast.success('Saved. Orders go that way from now on.')
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
      await client.invalidateQueries({ queryKey: ['suppliers'] })
    }
  }

  return (
    <Card title="Who gets the orders">
      <form
        className="flex flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <p className="px-4 py-3 text-muted">
          The first supplier gets each order. One that it refuses, or can’t take now, goes to the next. An order that a supplier may have
          stays with it until it says what became of it.
        </p>
        {reply.networks.map((one) => (
          <NetworkOrder
            key={one.network}
            {...one}
            names={shown.networks[one.network] ?? []}
            waits={one.network === 'Airtime' && !shown.sendBelowCost}
            onArrange={arrange}
          />
        ))}
        <div className="flex flex-col gap-4 border-t border-line px-4 py-4">
          <SwitchField
            name="sendBelowCost"
            label="Send even at a loss"
            hint="Off: no order goes to a supplier where it costs more than it was sold for. It waits for you, also after you switch this on: press Send again on its page. Where you haven’t set the cost, only the first one gets it, and no airtime."
            checked={shown.sendBelowCost}
            onValue={(sendBelowCost) => setDraft((before) => ({ ...before, sendBelowCost }))}
          />
          <div className="max-w-96">
            <Field
              label="Days for a new number"
              hint="MTN checks a number that never got such data before. Until then its order isn’t late."
              name="verificationDays"
              inputMode="numeric"
              maxLength={2}
              value={shown.verificationDays}
              onChange={(event) => {
                const { value } = event.currentTarget
                setDraft((before) => ({ ...before, verificationDays: value }))
                setProblem(null)
              }}
            />
          </div>
          {problem && <NoticeBox tone="danger">{problem}</NoticeBox>}
          {isDirty && (
            <div className="flex flex-wrap gap-2">
              <Button type="submit" busy={busy} busyLabel="Saving…">
                Save
              </Button>
              <Button variant="secondary" onClick={reset}>
                Undo
              </Button>
            </div>
          )}
        </div>
      </form>
      <p role="status" className="sr-only">
        {said}
      </p>
    </Card>
  )
}

type NetworkProps = SupplierOrderReply['networks'][number] & {
  names: SupplierName[]
  /** What would be sold at a loss waits for the owner, also at the first. */
  waits: boolean
  onArrange: (network: Network, names: SupplierName[], said: string) => void
}

function NetworkOrder({ network, packages, suppliers, others, names, waits, onArrange }: NetworkProps) {
  const list = useRef<HTMLOListElement>(null)
  const known = [...suppliers, ...others]
  const left = known.filter(({ name, configured }) => configured && !names.includes(name))

  function move(name: SupplierName, by: -1 | 1) {
    const from = names.indexOf(name)
    const next = names.toSpliced(from, 1).toSpliced(from + by, 0, name)
    onArrange(network, next, `${supplierName(name)} is ${ordinal(from + by + 1)} for ${network}.`)
    // The button moves with its row; at an end it is off, and the other one takes the focus.
    const end = by < 0 ? 0 : names.length - 1
    const direction = from + by === end ? -by : by
    setTimeout(() => list.current?.querySelector<HTMLElement>(`[data-move="${name}${direction}"]`)?.focus())
  }

  return (
    <fieldset className="min-w-0 border-t border-line px-4 py-3">
      <legend className="float-left w-full font-bold">{network}</legend>
      {names.length === 0 && <p className="clear-both py-2 text-muted">You send these orders by hand.</p>}
      <ol ref={list} className="clear-both divide-y divide-line">
        {names.map((name, index) => {
          const standing = known.find((one) => one.name === name)
          const label = supplierName(name)
          return (
            <li key={name} className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] gap-x-3 py-3">
              <span aria-hidden="true" className="tabular text-right font-bold text-muted">
                {index + 1}
              </span>
              <p className="min-w-0 font-semibold break-words">{label}</p>
              <div className="-my-2.5 flex">
                <IconButton
                  data-move={`${name}-1`}
                  label={`${label} earlier for ${network}`}
                  disabled={index === 0}
                  onClick={() => move(name, -1)}
                >
                  <ArrowUp className="size-5" aria-hidden="true" />
                </IconButton>
                <IconButton
                  data-move={`${name}1`}
                  label={`${label} later for ${network}`}
                  disabled={index === names.length - 1}
                  onClick={() => move(name, 1)}
                >
                  <ArrowDown className="size-5" aria-hidden="true" />
                </IconButton>
                <IconButton
                  label={`Take ${label} off for ${network}`}
                  onClick={() =>
                    onArrange(
                      network,
                      names.filter((one) => one !== name),
                      `${label} is off for ${network}.`,
                    )
                  }
                >
                  <X className="size-5" aria-hidden="true" />
                </IconButton>
              </div>
              {standing && (
                <div className="col-span-2 col-start-2 mt-1.5 flex flex-col items-start gap-1">
                  <Health standing={standing} />
                  <Facts waits={waits} standing={standing} packages={packages} />
                </div>
              )}
            </li>
          )
        })}
      </ol>
      {left.length > 0 && (
        <div className="flex flex-wrap gap-2 pt-1 pb-1">
          {left.map(({ name }) => (
            <Button
              key={name}
              variant="secondary"
              icon={<Plus className="size-4" aria-hidden="true" />}
              onClick={() => onArrange(network, [...names, name], `${supplierName(name)} is ${ordinal(names.length + 1)} for ${network}.`)}
            >
              {supplierName(name)}
              <span className="sr-only"> for {network}</span>
            </Button>
          ))}
        </div>
      )}
    </fieldset>
  )
}

function Health({ standing: { configured, restsUntil } }: { standing: SupplierStanding }) {
  if (!configured) {
    return (
      <StateChip tone="danger" icon={<CircleSlash />}>
        Not set up
      </StateChip>
    )
  }
  if (restsUntil !== null) {
    return (
      <StateChip tone="danger" icon={<TriangleAlert />}>
        Resting until {clockTime(restsUntil)}
      </StateChip>
    )
  }
  return (
    <StateChip tone="done" icon={<Check />}>
      Takes orders
    </StateChip>
  )
}

function Facts({ waits, standing, packages }: { waits: boolean; standing: SupplierStanding; packages: number }) {
  const { reason, notSoldMb } = standing
  const cost = costWords(standing, packages, { waits })
  return (
    <div className="flex flex-col gap-0.5 text-small text-muted">
      {reason !== '' && <p className="break-words">{reason}</p>}
      <p>{doneWords(standing)}</p>
      <p className={cost.isWarning ? 'text-pending' : undefined}>{cost.text}</p>
      {notSoldMb.length > 0 && <p>Doesn’t sell {notSoldMb.map((mb) => `${mb / 1_000}GB`).join(', ')} today.</p>}
    </div>
  )
}

type IconButtonProps = { label: string; disabled?: boolean; onClick: () => void; children: React.ReactNode; 'data-move'?: string }

function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="grid size-11 place-items-center rounded-box text-muted hover:bg-sunken disabled:opacity-30"
      {...rest}
    >
      {children}
    </button>
  )
}
