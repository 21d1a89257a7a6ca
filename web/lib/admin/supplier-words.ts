import type { Order } from '../../../shared/orders.ts'
import { supplierName } from '../../../shared/supplier-names.ts'
import type { DeliveryStatus, SupplierDelivery } from '../../../shared/suppliers.ts'
import type { StatusTone } from '../../ui/status-badge.tsx'
import { capitalised } from './words.ts'

type Standing = { word: string; tone: StatusTone; meaning: (supplier: string) => string }

const STANDINGS: Record<DeliveryStatus, Standing> = {
  waiting: {
    word: 'Waiting',
    tone: 'pending',
    meaning: (supplier) => `Not sent to ${supplier} yet. The shop will send it by itself.`,
  },
  sending: { word: 'Sending', tone: 'pending', meaning: (supplier) => `It is being sent to ${supplier} right now.` },
  accepted: {
    word: 'Taken',
    tone: 'pending',
    meaning: (supplier) => `${supplier} has taken the order. We check with them until it is delivered.`,
  },
  unknown: {
    word: 'Unclear',
    tone: 'pending',
    meaning: (supplier) => `We don’t know yet whether ${supplier} has it. We keep asking and won’t send it twice.`,
  },
  rejected: { word: 'Refused', tone: 'danger', meaning: (supplier) => `${supplier} refused it. Process it by hand, or reject it.` },
  delivered: { word: 'Delivered', tone: 'done', meaning: (supplier) => `${supplier} says it is delivered.` },
  failed: {
    word: 'Failed',
    tone: 'danger',
    meaning: (supplier) => `${supplier} took it but could not deliver it. Process it by hand, or reject it.`,
  },
  cancelled: {
    word: 'Not sent',
    tone: 'neutral',
    meaning: (supplier) => `It was not sent to ${supplier}. Process or reject it by hand.`,
  },
}

/** What a delivery's detail says of why it was not sent, as a sentence. */
export function reasonWords(detail: string): string {
  const named = detail.replace(/^not sent: /, '').replace(/\b(?:hubnet|remadata|datamart|reloadly)\b/g, supplierName)
  return named && `${capitalised(named)}.`
}

export function standingWord(status: DeliveryStatus): string {
  return STANDINGS[status].word
}

/** How an order stands at its supplier: a word, its tone, and what that means for an admin. */
export function standingOf({
  name,
  status,
  verifyingSince = null,
}: Pick<SupplierDelivery, 'name' | 'status'> & { verifyingSince?: string | null }): {
  word: string
  tone: StatusTone
  meaning: string
} {
  if (status === 'accepted' && verifyingSince !== null) {
    return {
      word: 'Number check',
      tone: 'pending',
      meaning: `${supplierName(name)} has it. The network checks the number first, which takes days.`,
    }
  }
  const { word, tone, meaning } = STANDINGS[status]
  return { word, tone, meaning: meaning(supplierName(name)) }
}

/** A warning before a pending order is decided by hand while a supplier is involved; null if none is needed. */
export function decisionWarning({ supplier }: Pick<Order, 'supplier'>, status: 'completed' | 'rejected'): string | null {
  if (!supplier) return null
  const name = supplierName(supplier.name)
  switch (supplier.status) {
    case 'waiting':
      return `It is waiting to go to ${name}. If you decide it now, it won’t be sent.`
    case 'sending':
    case 'accepted':
    case 'unknown': {
      const has = supplier.status === 'accepted' ? `${name} has taken it` : `${name} may have it`
      if (status === 'rejected') return `${has} and may still deliver it. The buyer still gets the money back.`
      return `${has}. If you also deliver it by hand, it may arrive twice.`
    }
    case 'delivered':
      return status === 'rejected' ? `${name} says it is delivered. The buyer still gets the money back.` : null
    default:
      return null
  }
}
