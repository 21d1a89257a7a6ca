import type { Receiver } from '../../../../shared/contacts.ts'
import type { ContactRow, ReceiverRow } from './contacts.sql.ts'

export function presentReceiver({ network, phone, contactId, name, productId, offer, lastBoughtAt }: ReceiverRow): Receiver {
  return { network, phoneNumber: phone, contactId, name, productId, offer, lastBoughtAt: lastBoughtAt?.toISOString() ?? null }
}

export function presentContact({ id, network, phone, name }: ContactRow) {
  return { _id: id, network, phoneNumber: phone, name }
}
