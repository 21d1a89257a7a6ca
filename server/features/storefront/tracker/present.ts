import type { OrderProgress } from '../../../../shared/orders.ts'
import { hintPhone } from '../../../../shared/phones.ts'
import type { GuestRefundStatus } from '../../../../shared/refunds.ts'
import type { TrackedOrder, TrackedRefund } from '../../../../shared/tracker.ts'
import type { AgentShopRow } from '../../agents/agent-shops/agent-shops.sql.ts'
import { presentFace } from '../../agents/agent-shops/present.ts'
import type { selectRefundOfOrder } from '../../card/refunds/refunds.sql.ts'
import type { OrderRow } from '../../orders/orders/orders.sql.ts'
import type { readOwnProgress } from '../../orders/orders/queries.ts'

type OfGuest = Pick<Awaited<ReturnType<typeof readOwnProgress>>, 'reporting'> & {
  shop: AgentShopRow
  refund: Awaited<ReturnType<typeof selectRefundOfOrder>>
  tells: boolean
  texts: boolean
}

/** `guest`: what is known besides of an order of an agent's shop. */
export function presentTrackedOrder(order: OrderRow, progress: OrderProgress, guest: OfGuest | null): TrackedOrder {
  const { seq, network, offer, status } = order
  return {
    number: String(seq),
    network,
    offer,
    receiver: hintPhone(order.receiver),
    status,
    ...progress,
    guest: guest && presentGuest(guest),
  }
}

function presentGuest({ shop, refund, reporting: { opensAt, report }, tells, texts }: OfGuest): TrackedOrder['guest'] {
  return {
    shop: presentFace(shop),
    refund: refund && { state: STATES[refund.status], byHand: refund.byHand, to: hintPhone(refund.phone) },
    reportFrom: opensAt,
    reported: report?.status === 'open',
    answer: report?.messages.findLast(({ from }) => from === 'shop')?.text ?? null,
    tells,
    texts,
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
