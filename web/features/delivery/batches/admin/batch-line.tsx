import { ChevronRight, Lock } from 'lucide-react'
import { Link } from 'wouter'
import type { BatchSummary } from '../../../../../shared/batches.ts'
import { clockTime } from '../../../../lib/admin/clock-time.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { Money } from '../../../../ui/money.tsx'
import { networkClass } from '../../../../ui/network-art.tsx'

/** A batch in the list of orders, in the place of what it locks. */
export function BatchLine({ batch }: { batch: BatchSummary }) {
  const { number, network, madeBy, madeAt, locked, lockedAmount } = batch
  return (
    <Link
      href={`/admin/batches/${number}`}
      className={classNames(
        'relative flex min-h-15 items-center gap-2.5 overflow-hidden rounded-box border border-line bg-sunken py-2 pr-3 pl-4 before:absolute before:inset-y-0 before:left-0 before:w-1 before:bg-net hover:border-line-strong',
        networkClass(network),
      )}
    >
      <Lock className="size-5 shrink-0 text-muted" aria-hidden="true" />
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          <b className="font-semibold">Batch {number}</b>: {counted(locked, `${network} order`)}
        </span>
        <span className="block truncate text-small text-muted">
          Locked by {madeBy}, {clockTime(madeAt)}
        </span>
      </span>
      <Money cedis={lockedAmount} />
      <ChevronRight className="size-4 shrink-0 text-muted" aria-hidden="true" />
    </Link>
  )
}
