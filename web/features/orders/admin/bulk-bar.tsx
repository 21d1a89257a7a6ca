import { X } from 'lucide-react'
import { useState } from 'react'
import type { Decision, Order } from '../../../../shared/orders.ts'
import { counted } from '../../../lib/admin/words.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { volumeToCopy } from './copy-offer.tsx'
import { isDoneByHand, listsToCopy } from './plan-decisions.ts'

type Props = {
  orders: readonly Order[]
  busy: boolean
  /** How many pending orders on this page are not selected. */
  more: number
  onSelectAll: () => void
  onClear: () => void
  onDecide: (status: Decision) => void
}

/** What can be done with the selected orders, always within reach. They stay selected from page to page. */
export function BulkBar({ orders, busy, more, onSelectAll, onClear, onDecide }: Props) {
  const [choosing, setChoosing] = useState(false)
  const lists = listsToCopy(orders)
  const left = orders.length - lists.reduce((sum, list) => sum + list.orders.length, 0)
  const copy = async ({ network, orders: those }: (typeof lists)[number]) => {
    setChoosing(false)
    const lines = those.map((order) => `${order.receiver} ${volumeToCopy(order.offer) ?? order.offer}`)
    const leftOut = left > 0 ? `. ${counted(left, 'order')} left out: ${whyLeftOut(orders)}` : ''
    if (await copyText(lines.join('\n'))) toast.info(`Copied ${counted(lines.length, 'line')} of ${network}: number and volume${leftOut}`)
    else toast.danger('We couldn’t copy. Your browser doesn’t allow it here.')
  }
  const copyList = () => {
    const [only, another] = lists
    if (another) setChoosing(true)
    else if (only) void copy(only)
    else toast.info(`There is nothing to send by hand: ${whyLeftOut(orders)}.`)
  }
  return (
    <section
      aria-label="Selected orders"
      className="fixed inset-x-2 bottom-[calc(4.25rem+env(safe-area-inset-bottom))] z-20 rounded-box border border-line-strong bg-surface p-2 [box-shadow:var(--lift)] lg:inset-x-auto lg:bottom-4 lg:left-[calc(50%+var(--rail)/2)] lg:-translate-x-1/2"
    >
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="mr-auto pl-2 font-semibold whitespace-nowrap">
          {orders.length} selected
        </p>
        {more > 0 && (
          <Button variant="quiet" size="compact" onClick={onSelectAll}>
            Select {more} more
          </Button>
        )}
        <Button variant="quiet" size="compact" onClick={copyList}>
          Copy list
        </Button>
        <IconButton label="Select none" onClick={onClear} className="md:order-last">
          <X className="size-5" aria-hidden="true" />
        </IconButton>
        <span className="grid grow grid-cols-2 gap-2 md:flex">
          <Button size="compact" busy={busy} onClick={() => onDecide('completed')}>
            Process {orders.length}
          </Button>
          <Button size="compact" variant="danger" disabled={busy} onClick={() => onDecide('rejected')}>
            Reject {orders.length}
          </Button>
        </span>
      </div>
      {choosing && (
        <Dialog title="Copy which network?" onClose={() => setChoosing(false)}>
          <p className="text-muted">One network at a time, for its own portal.</p>
          <ul className="mt-4 flex flex-col gap-2">
            {lists.map((list) => (
              <li key={list.network}>
                <Button block variant="secondary" onClick={() => void copy(list)}>
                  {list.network}: {counted(list.orders.length, 'order')}
                </Button>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </section>
  )
}

function whyLeftOut(orders: readonly Order[]): string {
  const held = orders.some(({ onHold }) => onHold)
  const atSupplier = orders.some((order) => !order.onHold && !isDoneByHand(order))
  if (held && atSupplier) return 'on hold or with a supplier'
  return held ? 'on hold' : 'with a supplier'
}
