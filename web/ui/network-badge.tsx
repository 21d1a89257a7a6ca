import { classNames } from './class-names.ts'
import { NetworkArt } from './network-art.tsx'

/** A network's drawing beside its name. */
export function NetworkBadge({ network, hideName, className }: { network: string; hideName?: boolean; className?: string }) {
  return (
    <span className={classNames('inline-flex items-center gap-2', className)}>
      <NetworkArt network={network} size={24} />
      <span className={hideName ? 'sr-only' : 'font-medium'}>{network}</span>
    </span>
  )
}
