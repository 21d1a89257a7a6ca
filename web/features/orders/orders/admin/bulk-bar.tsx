import { X } from 'lucide-react'
import { useState } from 'react'
import type { Decision, Order } from '../../../../../shared/orders.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { copyText } from '../../../../lib/copy-text.ts'
import { ActBar } from '../../../../ui/admin/act-bar.tsx'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { toast } from '../../../../ui/toast.ts'
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
  onBatch: (network: string, orders: readonly Order[]) => void
}

/** What can be done with the selected orders, always within reach. They stay selected from page to page. */
export function BulkBar({ orders, busy, more, onSelectAll, onClear, onDecide, onBatch }: Props) {
  const [choosing, setChoosing] = useState<'copy' | 'batch' | null>(null)
  const lists = listsToCopy(orders)
  const left = orders.length - lists.reduce((sum, list) => sum + list.orders.length, 0)
  const copy = async ({ network, orders: those }: (typeof lists)[number]) => {
    const lines = those.map((order) => `${order.receiver} ${volumeToCopy(order.offer) ?? order.offer}`)
    const leftOut = left > 0 ? `. ${counted(left, 'order')} left out: ${whyLeftOut(orders)}` : ''
    if (await copyText(lines.join('\n'))) toast.info(`Copied ${counted(lines.length, 'line')} of ${network}: number and volume${leftOut}`)
    else toast.danger('We couldn’t copy. Your browser doesn’t allow it here.')
  }
  const act = (what: 'copy' | 'batch', list: (typeof lists)[number]) => {
    setChoosing(null)
    if (what === 'copy') void copy(list)
    else onBatch(list.network, list.orders)
  }
  const begin = (what: 'copy' | 'batch') => {
    const [only, another] = lists
    if (another) setChoosing(what)
    else if (only) act(what, only)
    else toast.info(`There is nothing to send by hand: ${whyLeftOut(orders)}.`)
  }
  const total = orders.reduce((sum, order) => sum + Math.round(order.totalAmount * 100), 0) / 100
  const kinds = [...Map.groupBy(orders, ({ network }) => network)].map(([network, those]) => `${network} ${those.length}`)
  return (
    <ActBar
      label="Selected orders"
      note={<span role="status">{orders.length} selected</span>}
      detail={
        <span className="tabular">
          {moneyText(total)} <span className="max-sm:hidden">· {kinds.join(', ')}</span>
        </span>
      }
    >
      <IconButton label="Select none" onClick={onClear} className="max-sm:hidden">
        <X className="size-5" aria-hidden="true" />
      </IconButton>
      {more > 0 && (
        <Button variant="quiet" className="max-lg:hidden" onClick={onSelectAll}>
          Select {more} more
        </Button>
      )}
      <Button variant="secondary" className="max-sm:hidden" onClick={() => begin('copy')}>
        Copy list
      </Button>
      <Button variant="secondary" className="max-sm:px-3!" onClick={() => begin('batch')} disabled={busy}>
        Batch
      </Button>
      <Button
        variant="danger"
        className="max-sm:px-3!"
        disabled={busy}
        aria-label={`Reject ${orders.length}`}
        onClick={() => onDecide('rejected')}
      >
        Reject<span className="max-sm:hidden"> {orders.length}</span>
      </Button>
      <Button className="max-sm:px-3!" busy={busy} onClick={() => onDecide('completed')}>
        Process {orders.length}
      </Button>
      {choosing && (
        <Dialog title={choosing === 'copy' ? 'Copy which network?' : 'Batch which network?'} onClose={() => setChoosing(null)}>
          <p className="text-muted">One network at a time, for its own portal.</p>
          <ul className="mt-4 flex flex-col gap-2">
            {lists.map((list) => (
              <li key={list.network}>
                <Button block variant="secondary" onClick={() => act(choosing, list)}>
                  {list.network}: {counted(list.orders.length, 'order')}
                </Button>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </ActBar>
  )
}

function whyLeftOut(orders: readonly Order[]): string {
  const held = orders.some(({ onHold }) => onHold)
  const atSupplier = orders.some((order) => !order.onHold && !isDoneByHand(order))
  if (held && atSupplier) return 'on hold or with a supplier'
  return held ? 'on hold' : 'with a supplier'
}
