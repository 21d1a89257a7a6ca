import { classNames } from './class-names.ts'

const ACCENTS: Record<string, { edge: string; letters: string; dark?: boolean }> = {
  MTN: { edge: 'bg-mtn', letters: 'M', dark: true },
  AirtelTigo: { edge: 'bg-airteltigo', letters: 'AT' },
  Telecel: { edge: 'bg-telecel', letters: 'T' },
  Airtime: { edge: 'bg-airtime', letters: '¢', dark: true },
  AFA: { edge: 'bg-afa', letters: 'AF' },
  'WAEC Checkers': { edge: 'bg-waec', letters: 'W' },
  'MTN PULSE': { edge: 'bg-pulse', letters: 'P', dark: true },
}
const OTHER = { edge: 'bg-line-strong', letters: '?', dark: false }

/** The networks that have a badge, in the order of the catalogue. */
export const NETWORK_NAMES: readonly string[] = Object.keys(ACCENTS)

/** The colour that stands for a network, for an edge. */
export function networkEdge(network: string): string {
  return (ACCENTS[network] ?? OTHER).edge
}

/** Our own badge beside the network's name, not the operator's logo. */
export function NetworkBadge({ network, hideName, className }: { network: string; hideName?: boolean; className?: string }) {
  const { edge, letters, dark } = ACCENTS[network] ?? OTHER
  return (
    <span className={classNames('inline-flex items-center gap-2', className)}>
      <span
        aria-hidden="true"
        className={classNames(
          'inline-flex size-6 shrink-0 items-center justify-center rounded-full text-[0.6875rem] font-bold',
          edge,
          dark ? 'text-[#1a1d1a]' : 'text-white',
        )}
      >
        {letters}
      </span>
      <span className={hideName ? 'sr-only' : 'font-medium'}>{network}</span>
    </span>
  )
}
