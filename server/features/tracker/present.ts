import { hintPhone } from '../../../shared/phones.ts'
import type { GuestRefundStatus } from '../../../shared/refunds.ts'
import type { TrackedOrder, TrackedRefund } from '../../../shared/tracker.ts'
import type { OrderRow } from '../orders/orders.sql.ts'
import type { readOwnProgress } from '../orders/queries.ts'
import type { selectRefundOfOrder } from '../refunds/refunds.sql.ts'

type Progress = Pick<Awaited<ReturnType<typeof readOwnProgress>>, 'progress'> &
  Partial<Pick<Awaited<ReturnType<typeof readOwnProgress>>, 'reporting'>>

export function presentTrackedOrder(
  order: OrderRow,
  { progress, reporting }: Progress,
  refund: Awaited<ReturnType<typeof selectRefundOfOrder>>,
): TrackedOrder {
  const { seq, network, offer, status } = order
  return {
    number: String(seq),
    network,
    offer,
    receiver: hintPhone(order.receiver),
    status,
    ...progress,
    guest: reporting
      ? {
          refund: refund && { state: STATES[refund.status], byHand: refund.byHand, to: hintPhone(refund.phone) },
          reportFrom: reporting.opensAt,
          reported: reporting.report?.status === 'open',
        }
      : null,
  }
}

const STATES: Record<GuestRefundStatus, TrackedRefund['state']> = {
  due: 'owed',
  sending: 'owed',
  unknown: 'owed',
  review: 'owed',
  accepted: 'on-its-way',
  paid: 'back',
  returned: 'back',
  code: 'code',
  claimed: 'in-a-wallet',
  wallet: 'in-a-wallet',
}
