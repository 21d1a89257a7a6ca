import { useState } from 'react'
import type { Decision, Order } from '../../../../../shared/orders.ts'
import { capitalised } from '../../../../lib/admin/words.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { OrderFacts } from './order-facts.tsx'
import { SupplierWarning } from './order-supplier.tsx'
import { LEAST_REASON, ReasonField } from './reason-field.tsx'
import { refundPlan } from './refund-words.ts'

type Props = { order: Order; status: Decision; onDecide: (reason: string) => void; onClose: () => void }

/** Decides one order that the server decides only with a reason: it is on hold, or a supplier has it. */
export function DecideOrderDialog({ order, status, onDecide, onClose }: Props) {
  const [reason, setReason] = useState('')
  const verb = status === 'completed' ? 'process' : 'reject'
  return (
    <Dialog
      role="alertdialog"
      title={`${capitalised(verb)} order`}
      onClose={onClose}
      yes={{
        children: 'Yes',
        variant: status === 'rejected' ? 'danger' : 'primary',
        disabled: reason.trim().length < LEAST_REASON,
        onClick: () => onDecide(reason.trim()),
      }}
    >
      <p className="text-large">
        Are you sure you want to {verb} order {order.id}?
      </p>
      <div className="mt-4">
        <OrderFacts order={order} />
      </div>
      {order.onHold && (
        <NoticeBox tone="danger" className="mt-4" title="This order is on hold">
          <p>{HELD[status](order.onHold)}</p>
        </NoticeBox>
      )}
      <SupplierWarning order={order} status={status} />
      {status === 'rejected' && <p className="mt-3 text-body text-muted">{refundPlan(order)}</p>}
      <ReasonField value={reason} onValue={setReason} />
    </Dialog>
  )
}

const HELD: Record<Decision, (why: string) => string> = {
  completed: (why) => `${capitalised(why)}. If you send the data and the money goes back, you lose both.`,
  rejected: (why) => `${capitalised(why)}. See what to do about it under Finance first.`,
}
