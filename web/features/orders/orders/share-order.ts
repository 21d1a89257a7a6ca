import type { Order } from '../../../../shared/orders.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { orderTexts } from '../../../texts/orders.ts'
import { toast } from '../../../ui/toast.ts'

/** Shares an order's link by what the phone offers, or copies it. Behind the link are neither its price nor its buyer. */
export async function shareOrder({ network, offer, reference }: Pick<Order, 'network' | 'offer' | 'reference'>): Promise<void> {
  const url = new URL(`/t/${reference}`, location.href).href
  if (typeof navigator.share === 'function') {
    // Whoever closes the phone's own dialog has changed their mind.
    await navigator.share({ title: `${network} ${offer}`, url }).catch(() => undefined)
    return
  }
  if (await copyText(url)) toast.success(orderTexts.linkCopied)
  else toast.danger(orderTexts.linkNotCopied(url))
}
