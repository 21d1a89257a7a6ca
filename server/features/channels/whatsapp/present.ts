import { maskPhone } from '../../../../shared/phones.ts'
import type { OwnWhatsapp, WhatsappMessage } from '../../../../shared/whatsapp.ts'
import type { ShownMessage } from './messages.sql.ts'
import type { LinkRow } from './whatsapp.sql.ts'

export function presentLink(link: LinkRow | null, shop: { isOn: boolean; number: string; phone: string }): OwnWhatsapp {
  const linkedAt = link?.linkedAt ?? null
  return { ...shop, linkedAt: linkedAt?.toISOString() ?? null, newsStopped: linkedAt !== null && link?.newsStopped === true }
}

export function presentMessage({ id, kind, phone, status, detail, createdAt, deliveredAt, readAt, failed }: ShownMessage): WhatsappMessage {
  return {
    _id: id,
    kind,
    phone: phone === null ? null : maskPhone(phone),
    status: failed === null ? status : 'failed',
    detail: failed ?? detail,
    createdAt: createdAt.toISOString(),
    deliveredAt: deliveredAt?.toISOString() ?? null,
    readAt: readAt?.toISOString() ?? null,
  }
}
