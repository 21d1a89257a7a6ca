import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Art = { name: string; drawing: ReactNode }

const ART: Record<string, Art> = {
  MTN: {
    name: 'net-mtn',
    drawing: (
      <>
        <path d="M5 14a15.5 15.5 0 0 1 22 0M9.5 18.500a9.2 9.2 0 0 1 13 0" />
        <circle cx="16" cy="24" r="1.4" />
      </>
    ),
  },
  AirtelTigo: { name: 'net-airteltigo', drawing: <path d="M6 25v-3M12.7 25v-8M19.3 25V12M26 25V7" strokeWidth="3.6" /> },
  Telecel: { name: 'net-telecel', drawing: <path d="M5 18C8 5 13 5 16 16s8 11 11-2" strokeWidth="3.4" /> },
  Airtime: {
    name: 'net-airtime',
    drawing: (
      <>
        <rect x="9" y="4" width="14" height="24" rx="3" strokeWidth="2.6" />
        <path d="M18.8 13.500a3.6 3.6 0 1 0 0 5M16 10.800v10.4" strokeWidth="2" />
      </>
    ),
  },
  AFA: {
    name: 'net-afa',
    drawing: (
      <>
        <path
          d="M16 6.500a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M7.5 26c.5-5.5 4-8.3 8.5-8.300s8 2.8 8.5 8.300z"
          fill="currentColor"
          stroke="none"
        />
        <path d="M6.5 15.500a3 3 0 1 1 2-5M25.5 15.500a3 3 0 1 0-2-5" strokeWidth="2.2" />
      </>
    ),
  },
  'WAEC Checkers': {
    name: 'net-waec',
    drawing: (
      <>
        <path d="M8 4h12l5 5v19H8z" strokeWidth="2.6" />
        <path d="M12.5 17.500l3 3 5.5-6" />
      </>
    ),
  },
  'MTN PULSE': { name: 'net-pulse', drawing: <path d="M3 17h7l3.5-9 5 16 3.5-10 1.5 3H29" /> },
}

/** The networks that have a drawing, in the order of the catalogue. */
export const NETWORK_NAMES: readonly string[] = Object.keys(ART)

/** Sets a network's colour for what is inside: `bg-net` paints an edge with it. */
export function networkClass(network: string): string | undefined {
  return ART[network]?.name
}

const SIZES = { 24: 'size-6 rounded-[7px]', 32: 'size-8 rounded-[8px]', 44: 'size-11 rounded-box', 56: 'size-14 rounded-box' }

/** Our own drawing for a network, not the operator's logo. Without a size it fills the height of what it stands in. */
export function NetworkArt({ network, size, className }: { network: string; size?: keyof typeof SIZES; className?: string }) {
  return (
    <span aria-hidden="true" className={classNames('art', networkClass(network), size ? SIZES[size] : 'w-13 [&>svg]:w-7', className)}>
      <NetworkGlyph network={network} className="w-3/5" />
    </span>
  )
}

export function NetworkGlyph({ network, className }: { network: string; className?: string }) {
  return (
    <svg
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      {ART[network]?.drawing ?? <path d="M6 10h20v12H6zM16 10v12" />}
    </svg>
  )
}
