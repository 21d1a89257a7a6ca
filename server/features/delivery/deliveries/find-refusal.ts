import type { DeliveryStatus } from '../../../../shared/suppliers.ts'

/** How an order stands that somebody wants to send again or correct; `standing` is null where a person sends it. */
export type Stand = {
  status: string
  holdReason: string | null
  batch: { number: number; by: string } | null
  standing: DeliveryStatus | null
  notFound: number
  isResent: boolean
}

const BUSY: Partial<Record<DeliveryStatus, string>> = {
  sending: 'That order is being sent to the supplier at this moment. Please try again in a minute.',
  accepted: 'The supplier has that order and may still deliver it.',
  delivered: 'The supplier has delivered that order.',
}

/** Why an order cannot be sent again now; null when it can. One whose outcome is unclear needs two clear answers first. */
export function findResendRefusal({ status, holdReason, batch, standing, notFound, isResent }: Stand): string | null {
  const general = findGeneralRefusal({ status, batch })
  if (general !== null) return general
  if (holdReason !== null) return `That order is on hold, because ${holdReason}.`
  if (isResent) return 'That order was sent again because of a report. Look at it under Reports.'
  if (standing === 'unknown' && notFound < 2)
    return 'The supplier may have that order: it has not said twice that it can’t find it. Ask it again first.'
  return (standing && BUSY[standing]) ?? null
}

/** Why the receiver cannot be corrected now; null when it can: nothing was sent yet, or the supplier has refused it. */
export function findCorrectionRefusal({ status, batch, standing }: Stand): string | null {
  const general = findGeneralRefusal({ status, batch })
  if (general !== null) return general
  if (standing === 'unknown') return 'The supplier may have that order, with the number as it is.'
  return (standing && BUSY[standing]) ?? null
}

function findGeneralRefusal({ status, batch }: Pick<Stand, 'status' | 'batch'>): string | null {
  if (status !== 'pending') return `That order is already ${status}.`
  return batch && `That order is in Batch ${batch.number}, locked by ${batch.by}.`
}
