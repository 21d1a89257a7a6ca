import { NETWORKS } from '../../../../../shared/networks.ts'
import type { OrderCounts } from '../../../../../shared/orders.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { NetworkArt } from '../../../../ui/network-art.tsx'

export const SEGMENTS = ['all', 'to-decide', 'waiting', 'completed', 'rejected'] as const
export type Segment = (typeof SEGMENTS)[number]
const WORDS: Record<Segment, string> = {
  all: 'All',
  'to-decide': 'To decide',
  waiting: 'Waiting',
  completed: 'Completed',
  rejected: 'Rejected',
}

type Props = {
  segment: Segment
  counts: OrderCounts | undefined
  network: string
  onSegment: (segment: Segment) => void
  onNetwork: (network: string) => void
}

/** Which part of the orders is shown, each with its number, and of which network. */
export function OrderSegments({ segment, counts, network, onSegment, onNetwork }: Props) {
  const numbers = counts && countsOf(counts)
  const ofNetwork = (name: string) => {
    const found = counts?.networks.find((one) => one.network === name)
    return segment === 'waiting' ? found?.waiting : segment === 'to-decide' ? found?.toDecide : undefined
  }
  const hasPending = segment === 'to-decide' || segment === 'waiting'
  const networks: readonly string[] = hasPending ? (counts?.networks.map((one) => one.network) ?? []) : NETWORKS
  const shown = network === '' || networks.includes(network) ? networks : [...networks, network]
  return (
    <div className="mb-3 flex min-w-0 flex-col gap-1 lg:flex-row lg:items-center lg:gap-4">
      <fieldset
        aria-label="Part of the orders"
        className="-mx-4 flex min-w-0 gap-1 relative overflow-x-auto px-4 [scrollbar-width:none] lg:mx-0 lg:px-0"
      >
        {SEGMENTS.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === segment}
            onClick={() => onSegment(one)}
            className={classNames(
              'inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-box px-3 font-semibold whitespace-nowrap lg:min-h-9',
              one === segment ? 'bg-ink text-paper' : 'text-muted hover:bg-sunken',
            )}
          >
            {WORDS[one]} <span className="tabular min-w-4 text-left font-medium">{numbers?.[one].toLocaleString('en-GH')}</span>
          </button>
        ))}
      </fieldset>
      <fieldset
        aria-label="Network"
        className="-mx-4 flex min-h-13 min-w-0 items-center gap-2 relative overflow-x-auto px-4 [scrollbar-width:none] lg:mx-0 lg:ml-auto lg:min-h-9 lg:px-0"
      >
        <NetworkChip name="" selected={network === ''} onPress={onNetwork} />
        {shown.map((name) => (
          <NetworkChip key={name} name={name} count={ofNetwork(name)} selected={name === network} onPress={onNetwork} />
        ))}
      </fieldset>
    </div>
  )
}

function NetworkChip({
  name,
  count,
  selected,
  onPress,
}: {
  name: string
  count?: number | undefined
  selected: boolean
  onPress: (name: string) => void
}) {
  return (
    <button
      type="button"
      aria-pressed={selected}
      onClick={() => onPress(selected ? '' : name)}
      className={classNames(
        'inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full border px-3 whitespace-nowrap lg:min-h-8.5',
        selected ? 'border-brand bg-brand-soft font-bold text-brand-text' : 'border-line bg-surface font-medium hover:border-line-strong',
      )}
    >
      {name !== '' && <NetworkArt network={name} size={24} className="scale-90" />}
      {name === '' ? 'All networks' : name} {count !== undefined && <span className="tabular">{count}</span>}
    </button>
  )
}

function countsOf({ pending, completed, rejected, networks }: OrderCounts): Record<Segment, number> {
  const sum = (of: 'toDecide' | 'waiting') => networks.reduce((total, one) => total + one[of], 0)
  return { 'to-decide': sum('toDecide'), waiting: sum('waiting'), completed, rejected, all: pending + completed + rejected }
}
