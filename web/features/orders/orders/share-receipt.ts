import { receiptTexts } from '../../../texts/receipts.ts'
import type { ShownReceipt } from './receipt-ticket.tsx'

/**
 * Shares the receipt as a picture with its link, where the browser shares files. `ticket` is the one on screen. False where it
 * can't, and the link alone should be shared; true also when the phone's own dialog was closed.
 */
export async function shareReceipt(ticket: HTMLElement, shown: ShownReceipt, link: string): Promise<boolean> {
  if (typeof navigator.canShare !== 'function' || !navigator.canShare({ files: [new File([], 'a.png', { type: 'image/png' })] }))
    return false
  try {
    const { drawReceipt } = await import('./draw-receipt.ts')
    const picture = await drawReceipt(ticket, shown)
    const file = new File([picture], receiptTexts.fileName(shown.order.number), { type: 'image/png' })
    await navigator.share({ files: [file], text: link })
    return true
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError'
  }
}
