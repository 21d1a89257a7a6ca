import { offerVolumeMb } from '../../../../../shared/offers.ts'
import type { Order } from '../../../../../shared/orders.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'

export function CopyOffer({ order }: { order: Order }) {
  const volume = volumeToCopy(order.offer)
  if (volume === null) return <span>{order.offer}</span>
  return (
    <CopyButton text={volume} label={`${order.offer}, copy the volume`}>
      {order.offer}
    </CopyButton>
  )
}

/** The volume as operators' portals expect it: gigabytes without a unit. Null when the offer names none. */
export function volumeToCopy(offer: string): string | null {
  const megabytes = offerVolumeMb(offer)
  return megabytes === null ? null : String(megabytes / 1000)
}
