import type { OrderEvent } from '../../../../shared/deliveries.ts'
import type { OrderRow } from '../../orders/orders/orders.sql.ts'
import type { StoredEvents } from './deliveries.sql.ts'

type Event = Omit<OrderEvent, 'at'> & { at: string | Date | null }

/**
 * All that is known to have happened to an order, oldest first. Of the delivery before an admin sent it again, what is kept is
 * when it was sent and taken.
 */
export function gatherEvents(order: OrderRow, stored: StoredEvents): OrderEvent[] {
  const { told, restarts, delivery, corrections, batches, reports, decidedBy } = stored
  const by = decidedBy === null ? {} : { by: decidedBy }
  // What led to another outcome than "taken" has its call's time with it.
  const sentBefore = new Set(told.flatMap(({ sentAt }) => (sentAt === null ? [] : [time(sentAt)])))
  const sendings = [
    ...restarts.map(({ from, fromReference, sentAt, acceptedAt }) => ({ supplier: from, reference: fromReference, sentAt, acceptedAt })),
    ...(delivery ? [delivery] : []),
  ]
  const events: Event[] = [
    { kind: 'paid', at: order.createdAt },
    ...told.flatMap(({ kind, supplier, reference, detail, sentAt, at }): Event[] => [
      { kind: 'sent', supplier, reference, at: sentAt },
      { kind, supplier, reference, detail, at: later(at, sentAt) },
    ]),
    ...sendings.flatMap(({ supplier, reference, sentAt, acceptedAt }): Event[] => [
      { kind: 'sent', supplier, reference, at: sentAt !== null && sentBefore.has(time(sentAt)) ? null : sentAt },
      { kind: 'accepted', supplier, reference, at: acceptedAt && later(acceptedAt, sentAt) },
    ]),
    ...(delivery
      ? [
          {
            kind: 'delivered' as const,
            supplier: delivery.supplier,
            reference: delivery.reference,
            at: delivery.deliveredAt && later(delivery.deliveredAt, delivery.sentAt),
          },
        ]
      : []),
    ...restarts.map(
      ({ from, to, by: who, why, at }): Event => ({
        kind: 'restarted',
        supplier: from,
        to,
        ...(who === null ? {} : { by: who }),
        ...(why === null ? {} : { detail: why }),
        at,
      }),
    ),
    ...corrections.map(
      ({ by: who, ...correction }): Event => ({
        kind: 'corrected',
        by: who,
        at: correction.at,
        correction: { ...correction, at: new Date(correction.at).toISOString() },
      }),
    ),
    ...batches.flatMap(({ number, by: who, at, releasedBy, releasedAt }): Event[] => [
      { kind: 'batched', batch: number, by: who, at },
      { kind: 'released', batch: number, ...(releasedBy === null ? {} : { by: releasedBy }), at: releasedAt },
    ]),
    ...reports.map(({ at }): Event => ({ kind: 'reported', at })),
    { kind: 'completed', ...by, at: order.status === 'completed' ? order.decidedAt : null },
    {
      kind: 'refunded',
      ...by,
      ...(order.refundReason === null ? {} : { detail: order.refundReason }),
      at: order.status === 'rejected' ? order.decidedAt : null,
    },
  ]
  return events
    .flatMap(({ at, ...event }) => (at === null ? [] : [{ ...event, at: new Date(at).toISOString() }]))
    .sort((one, other) => time(one.at) - time(other.at))
}

/** Calls are noted by the database's clock and outcomes by the shop's, which may be a moment behind. */
function later(at: string, sentAt: string | null): string {
  return sentAt !== null && time(sentAt) > time(at) ? sentAt : at
}

function time(at: string): number {
  return new Date(at).getTime()
}
