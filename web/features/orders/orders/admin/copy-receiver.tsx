import type { Order } from '../../../../../shared/orders.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'

export function CopyReceiver({ order }: { order: Order }) {
  return (
    <CopyButton text={order.receiver} label={`${spacedPhone(order.receiver)}, copy the number`} className="tabular font-semibold">
      {spacedPhone(order.receiver)}
    </CopyButton>
  )
}
