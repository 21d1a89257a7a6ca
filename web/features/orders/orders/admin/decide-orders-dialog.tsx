import { type ReactNode, useState } from 'react'
import type { DecideManyRequest, Decision, Order } from '../../../../../shared/orders.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import { standingOf } from '../../../../lib/admin/supplier-words.ts'
import { capitalised, counted } from '../../../../lib/admin/words.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { asksForReason, planDecisions, type SetAside, toRequest } from './plan-decisions.ts'
import { LEAST_REASON, ReasonField } from './reason-field.tsx'
import { refundPlanOf } from './refund-words.ts'

type Props = {
  orders: readonly Order[]
  status: Decision
  onDecide: (orders: readonly Order[], request: DecideManyRequest) => void
  onClose: () => void
}

/** Decides many orders at once. Orders that a supplier may have are left out until they are ticked. */
export function DecideOrdersDialog({ orders, status, onDecide, onClose }: Props) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [reason, setReason] = useState('')
  const [asked] = useState(orders)
  const gone = asked.filter(({ _id }) => orders.every((order) => order._id !== _id))
  const { ready, aside } = planDecisions(orders)
  const chosen = aside.flatMap((kind) => kind.orders).filter(({ _id }) => ticked.has(_id))
  const deciding = [...ready, ...chosen]
  const verb = status === 'completed' ? 'process' : 'reject'
  const total = deciding.reduce((sum, order) => sum + Math.round(order.totalAmount * 100), 0) / 100
  const wantsReason = asksForReason(chosen, status)
  const left = aside.reduce((sum, kind) => sum + kind.orders.length, 0) - chosen.length

  const tick = (those: readonly Order[], on: boolean) => {
    const ids = those.map(({ _id }) => _id)
    setTicked(on ? new Set([...ticked, ...ids]) : new Set([...ticked].filter((id) => !ids.includes(id))))
  }
  return (
    <Dialog
      role="alertdialog"
      title={`${capitalised(verb)} orders`}
      onClose={onClose}
      yes={{
        children: 'Yes',
        variant: status === 'rejected' ? 'danger' : 'primary',
        disabled: deciding.length === 0 || (wantsReason && reason.trim().length < LEAST_REASON),
        onClick: () => onDecide(deciding, toRequest(ready, chosen, status, reason)),
      }}
    >
      <p className="text-large" aria-live="polite">
        {asked.length === gone.length
          ? 'There is nothing left to decide here.'
          : deciding.length === 0
            ? `Tick the orders that you want to ${verb}.`
            : `Are you sure you want to ${verb} ${counted(deciding.length, 'order')} worth ${moneyText(total)}?`}
      </p>
      {gone.length > 0 && (
        <NoticeBox tone="pending" className="mt-4" title={`${counted(gone.length, 'order')} changed since you opened this`}>
          Somebody else has decided or batched {gone.length === 1 ? 'it' : 'them'}: {gone.map(({ id }) => id).join(', ')}. Not counted here
          any more.
        </NoticeBox>
      )}
      <Kinds orders={deciding} />
      {status === 'rejected' && deciding.length > 0 && <p className="mt-3 text-body text-muted">{refundPlanOf(deciding)}</p>}
      {aside.length > 0 && (
        <NoticeBox tone="pending" className="mt-4" title={left > 0 ? `${counted(left, 'order')} left out` : 'You have ticked all of these'}>
          {aside.some(({ locked }) => !locked) && <p>{ASIDE[status]}</p>}
          {aside.some(({ title }) => title === 'On hold') && (
            <p>Orders on hold are decided one at a time, with a reason, or released under Finance.</p>
          )}
          {aside.some(({ title }) => title === 'In a batch') && <p>Orders in a batch are decided on the batch’s own page.</p>}
        </NoticeBox>
      )}
      {aside.map((kind) => (
        <AsideList key={kind.title} kind={kind} status={status} ticked={ticked} onTick={tick} />
      ))}
      {wantsReason && <ReasonField value={reason} onValue={setReason} />}
    </Dialog>
  )
}

const ASIDE: Record<Decision, string> = {
  completed: 'A supplier is working on them, or soon will be. Tick one only if you’ve sent the data yourself or know that it has arrived.',
  rejected: 'The receiver may already have the data, or still get it. Tick one only if you’ve checked with the supplier.',
}

type AsideProps = {
  kind: SetAside
  status: Decision
  ticked: ReadonlySet<string>
  onTick: (orders: readonly Order[], on: boolean) => void
}

function AsideList({ kind, status, ticked, onTick }: AsideProps) {
  // While a call to the supplier is under way, it is unknown whether the order may be refunded.
  const open = kind.locked ? [] : kind.orders.filter(({ supplier }) => status === 'completed' || supplier?.status !== 'sending')
  const all = open.length > 0 && open.every(({ _id }) => ticked.has(_id))
  return (
    <fieldset className="mt-4 min-w-0">
      <legend className="sr-only">{kind.title}</legend>
      {kind.locked ? (
        <p className="py-1 font-semibold">{`${kind.title} (${kind.orders.length})`}</p>
      ) : (
        <Tick
          label={<span className="font-semibold">{`${kind.title} (${kind.orders.length})`}</span>}
          checked={all}
          disabled={open.length === 0}
          onChange={(on) => onTick(open, on)}
        />
      )}
      <ul className="max-h-56 overflow-y-auto border-l border-line pl-3">
        {kind.orders.map((order) => (
          <li key={order._id}>
            {kind.locked ? (
              <p className="py-1.5 break-words">
                <OrderLine order={order} />
              </p>
            ) : (
              <Tick
                label={<OrderLine order={order} />}
                checked={ticked.has(order._id)}
                disabled={!open.includes(order)}
                onChange={(on) => onTick([order], on)}
              />
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

function OrderLine({ order }: { order: Order }) {
  const { supplier, onHold } = order
  return (
    <>
      Order {order.id}: {order.network} {order.offer} to {spacedPhone(order.receiver)}
      {supplier && (
        <span className="block text-small text-muted">
          {supplierName(supplier.name)}: {standingOf(supplier).word}
        </span>
      )}
      {onHold && <span className="block text-small text-muted">{capitalised(onHold)}</span>}
    </>
  )
}

type TickProps = { label: ReactNode; checked: boolean; disabled: boolean; onChange: (on: boolean) => void }

function Tick({ label, checked, disabled, onChange }: TickProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 py-1">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className="size-5 shrink-0 accent-brand"
      />
      <span className="min-w-0 break-words">{label}</span>
    </label>
  )
}

/** How many of which network and offer. */
function Kinds({ orders }: { orders: readonly Order[] }) {
  const kinds = Map.groupBy(orders, (order) => `${order.network} ${order.offer}`)
  return (
    <ul className="mt-4 flex max-h-56 flex-col gap-1 overflow-y-auto text-body">
      {[...kinds].map(([kind, those]) => (
        <li key={kind} className="flex justify-between gap-4">
          <span className="text-muted">{kind}</span>
          <span className="tabular font-medium">{those.length}</span>
        </li>
      ))}
    </ul>
  )
}
